import { Button, CloseButton, Group, Popover } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import classes from './filter-menu.module.css'
import { PopoverPanel } from './popover-panel.tsx'

// A calendar is heavy and most visits open none.
const DateField = lazy(async () => ({ default: (await import('./date-field.tsx')).DateField }))

/** Days as `2026-11-18`; empty: open at that end. */
export type Period = { from: string; to: string }
type Props = { label: string; value: Period; onChange: (value: Period) => void }

/** A stretch of days of a list: its name while it rests, the days while it works. */
export const PeriodFilter = ({ label, value, onChange }: Props) => {
  const { from, to } = value
  const isActive = Boolean(from || to)
  return (
    <Popover position="bottom-start" trapFocus returnFocus>
      <span className={classes.filter} data-active={isActive}>
        <Popover.Target>
          <Button
            variant="default"
            fw={400}
            className={classes.button}
            leftSection={<IconCalendar size={16} aria-hidden />}
          >
            <span className="truncate">{isActive ? titleOf(value) : label}</span>
          </Button>
        </Popover.Target>
        {isActive && (
          <CloseButton
            size="sm"
            className={classes.clear}
            aria-label={`Limpar filtro ${label}`}
            onClick={() => onChange({ from: '', to: '' })}
          />
        )}
      </span>
      <PopoverPanel label={label}>
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <Suspense fallback={null}>
            <DateField
              label="De"
              popoverProps={{ withinPortal: false }}
              value={from}
              maxDate={to || undefined}
              onChange={(day) => onChange({ from: day, to })}
            />
            <DateField
              label="Até"
              popoverProps={{ withinPortal: false, position: 'bottom-end' }}
              value={to}
              minDate={from || undefined}
              onChange={(day) => onChange({ from, to: day })}
            />
          </Suspense>
        </Group>
      </PopoverPanel>
    </Popover>
  )
}

const titleOf = ({ from, to }: Period) => {
  if (from && from === to) return short(from)
  if (!to) return `desde ${short(from)}`
  return from ? `${short(from)} a ${short(to)}` : `até ${short(to)}`
}
const short = (day: string) =>
  day
    .split('-')
    .reverse()
    .join('/')
    .replace(/\/\d\d(\d\d)$/, '/$1')
