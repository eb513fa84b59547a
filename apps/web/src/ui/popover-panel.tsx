import { Popover, type PopoverDropdownProps } from '@mantine/core'
import { useId } from 'react'

type Props = PopoverDropdownProps & { label: string }

/** What a popover shows, under a name of its own: by itself Mantine calls it after the button that opens it. */
export const PopoverPanel = ({ label, children, ...rest }: Props) => {
  const id = useId()
  return (
    <Popover.Dropdown {...rest} aria-labelledby={id}>
      <span id={id} hidden>
        {label}
      </span>
      {children}
    </Popover.Dropdown>
  )
}
