import type { FieldMeta } from '@balcao/contract/core/providers/define.ts'
import { Select, type SelectProps } from '@mantine/core'
import { useNames } from './use-names.ts'

type Props = Omit<SelectProps, 'value' | 'onChange' | 'data'> & {
  names: NonNullable<FieldMeta['names']>
  value: string
  onChange: (id: string) => void
}

/** One row of the company; empty: none. */
export const RowSelect = ({ names, value, onChange, ...rest }: Props) => {
  const { rows } = useNames()
  const offered = rows[names].filter(({ id, isActive }) => isActive !== false || id === value)
  const isGone = value !== '' && !offered.some(({ id }) => id === value)
  return (
    <Select
      searchable
      clearable
      nothingFoundMessage="Nada encontrado. Talvez ainda não exista."
      clearButtonProps={{ 'aria-label': 'Limpar' }}
      data={[
        ...offered.map(({ id, name }) => ({ value: id, label: name })),
        ...(isGone ? [{ value, label: 'Excluído' }] : []),
      ]}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      {...rest}
    />
  )
}
