import { type ContactField, no, valueProblem, yes } from '@balcao/contract/contacts/contact-fields.ts'
import { Select, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { DateField } from '../../../ui/date-field.tsx'

type Props = {
  field: Pick<ContactField, 'name' | 'type'> & { options: readonly string[] }
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  disabled?: boolean
  /** Without a label of its own, small: beside one, in the panel. */
  compact?: boolean
}

/** A value of a company's own field, by its type. */
export const FieldInput = ({ field, value, onChange, error, disabled, compact }: Props) => {
  const shared = {
    ...(compact ? { size: 'xs' as const, 'aria-label': field.name } : { label: field.name }),
    error: error ?? valueProblem(field, value),
    disabled,
    value,
  }
  if (field.type === 'list' || field.type === 'boolean') {
    const options = field.type === 'list' ? field.options : [yes, no]
    return (
      <Select
        {...shared}
        value={value || null}
        // What was chosen before the options changed is still told.
        data={value && !options.includes(value) ? [value, ...options] : options}
        placeholder="Não informado"
        searchable={options.length > 8}
        clearable
        clearButtonProps={{ 'aria-label': `Limpar ${field.name}` }}
        onChange={(next) => onChange(next ?? '')}
      />
    )
  }
  if (field.type === 'date')
    return <DateField {...shared} {...(compact && { leftSection: null })} maxDate="2999-12-31" onChange={onChange} />
  return (
    <TextInput
      {...shared}
      inputMode={field.type === 'number' ? 'decimal' : undefined}
      maxLength={500}
      placeholder={compact ? 'Não informado' : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
