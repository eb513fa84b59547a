import { Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

/** `hint` tells namesakes apart. */
export type LinkOption = { value: string; label: string; hint?: string }
type Props = {
  label: string
  placeholder: string
  /** Names the search among the cached ones. */
  kind: string
  find: (search: string, signal: AbortSignal) => Promise<LinkOption[]>
  /** What is chosen, which the search may not contain. */
  current: LinkOption | null
  value: string | null
  onChange: (value: string | null) => void
  error?: ReactNode
  description?: ReactNode
  required?: boolean
  /** Has the keyboard when the form around it opens empty. */
  isFirst?: boolean
}

/** One of very many, found on the server while one types. */
export const LinkSelect = ({ kind, find, current, value, onChange, isFirst, ...field }: Props) => {
  const [search, setSearch] = useState('')
  const [picked, setPicked] = useState<LinkOption | null>(current)
  const [asked] = useDebouncedValue(search === picked?.label ? '' : search, 250)
  const found = useQuery({
    queryKey: ['task-links', kind, asked],
    queryFn: ({ signal }) => find(asked, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
  const chosen = [picked, current].find((one) => one?.value === value)
  const options = found.data ?? []
  const data = chosen && !options.some((one) => one.value === value) ? [chosen, ...options] : options
  return (
    <Select
      {...field}
      data-autofocus={isFirst}
      data={data}
      value={value}
      onChange={(next, option) => {
        setPicked(next ? { value: next, label: option.label } : null)
        onChange(next)
      }}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Tirar ${field.label.toLowerCase()}` }}
      renderOption={({ option }) => (
        <Hinted {...option} hint={options.find((one) => one.value === option.value)?.hint} />
      )}
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options: all }) => all}
      nothingFoundMessage={found.isFetching ? 'Buscando…' : 'Nada encontrado'}
    />
  )
}

const Hinted = ({ label, hint }: LinkOption) => (
  <span>
    {label}
    {hint && (
      <Text span size="xs" c="dimmed">
        {' '}
        {hint}
      </Text>
    )}
  </span>
)
