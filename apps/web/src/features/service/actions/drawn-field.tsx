import type { ConfigField } from '@balcao/contract/core/providers/fields.ts'
import { spanOf } from '@balcao/contract/core/span.ts'
import { MultiSelect, NumberInput, Select, Switch, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { VariableTextarea } from '../../contacts/variables/variable-textarea.tsx'
import { useNames } from './use-names.ts'

type FieldProps = { field: ConfigField; value: unknown; onChange: (value: unknown) => void; error: ReactNode }
/** One field of a definition, whatever it asks for. */
export const DrawnField = ({ field, value, onChange, error }: FieldProps) => {
  const { rows } = useNames(field.names !== undefined)
  const { label, help, placeholder, required, names, ofKind } = field
  const common = { label, description: help, placeholder, required, error }
  if (names) {
    const chosen = [value].flat()
    const data = rows[names]
      .filter(({ id, isActive, kind }) => {
        return (isActive !== false && (!ofKind || kind === ofKind)) || chosen.includes(id)
      })
      .map(({ id, name }) => ({ value: id, label: name }))
    if (field.type === 'list')
      return (
        <MultiSelect
          {...common}
          searchable
          nothingFoundMessage={nothing}
          data={data}
          value={texts(value)}
          onChange={onChange}
        />
      )
    return (
      <Select
        {...common}
        searchable
        nothingFoundMessage={nothing}
        clearable={!required}
        allowDeselect={!required}
        data={data}
        value={typeof value === 'string' && value ? value : null}
        onChange={(id) => onChange(required ? (id ?? '') : id)}
      />
    )
  }
  if (field.withVariables)
    return (
      <VariableTextarea {...common} minRows={field.multiline ? 2 : 1} value={String(value ?? '')} onChange={onChange} />
    )
  switch (field.type) {
    case 'boolean':
      return (
        <Switch
          {...common}
          required={undefined}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )
    case 'number':
      return (
        <NumberInput
          {...common}
          description={field.unit === 'minutes' && typeof value === 'number' ? spanOf(value) : help}
          allowDecimal={false}
          min={0}
          value={typeof value === 'number' ? value : ''}
          onChange={(typed) => onChange(typeof typed === 'number' ? typed : null)}
        />
      )
    case 'select':
      return (
        <Select
          {...common}
          allowDeselect={false}
          data={field.options ?? []}
          value={String(value ?? '')}
          onChange={onChange}
        />
      )
    default:
      return (
        <TextInput
          {...common}
          type={field.type === 'date' ? 'date' : 'text'}
          value={String(value ?? '')}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
  }
}

const nothing = 'Nada encontrado. Talvez ainda não exista.'
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
