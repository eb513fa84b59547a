import { Select, type SelectProps } from '@mantine/core'

type Props = Omit<SelectProps, 'searchable' | 'data' | 'value'> & {
  data: readonly { value: string; label: string; disabled?: boolean }[]
  value: string | null
}

/**
 * A choice one types to find. The first that fits is marked, so that Enter takes it; words that fit nothing are no
 * choice, and Enter on them never sends the form.
 */
export const SearchSelect = ({ data, value, ...props }: Props) => (
  <Select
    searchable
    selectFirstOptionOnChange
    allowDeselect={false}
    openOnFocus={false}
    {...props}
    data={data}
    value={value}
    onKeyDown={(event) => {
      const words = event.currentTarget.value.trim()
      const isChosen = words === (data.find((one) => one.value === value)?.label ?? '')
      if (event.key === 'Enter' && !isChosen) event.preventDefault()
    }}
  />
)
