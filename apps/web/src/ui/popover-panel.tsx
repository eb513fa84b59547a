import { Popover, type PopoverDropdownProps } from '@mantine/core'

type Props = PopoverDropdownProps & { label: string }

/** What a popover shows, under a name of its own: by itself Mantine calls it after the button that opens it. */
export const PopoverPanel = ({ label, ...rest }: Props) => (
  <Popover.Dropdown {...rest} aria-label={label} aria-labelledby="" />
)
