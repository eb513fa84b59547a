import { Button, CloseButton, Popover, type PopoverDropdownProps } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './filter-menu.module.css'
import { PopoverPanel } from './popover-panel.tsx'

type Props = Pick<PopoverDropdownProps, 'p' | 'w' | 'children'> & {
  label: string
  /** What is filtered by; null while it rests. */
  title: string | null
  icon?: ReactNode
  onClear: () => void
  onClose?: () => void
}

/** One filter of a list: its name while it rests, what was chosen while it works, its fields below. */
export const FilterPopover = ({ label, title, icon, onClear, onClose, ...panel }: Props) => (
  <Popover position="bottom-start" trapFocus returnFocus onClose={onClose}>
    <span className={classes.filter} data-active={title !== null}>
      <Popover.Target>
        <Button
          variant="default"
          fw={400}
          className={classes.button}
          leftSection={icon}
          rightSection={!icon && title === null && <IconChevronDown size={16} aria-hidden />}
        >
          <span className="truncate">{title ?? label}</span>
        </Button>
      </Popover.Target>
      {title !== null && (
        <CloseButton size="sm" className={classes.clear} aria-label={`Limpar filtro ${label}`} onClick={onClear} />
      )}
    </span>
    <PopoverPanel label={label} maw="calc(100vw - 2 * var(--mantine-spacing-md))" {...panel} />
  </Popover>
)
