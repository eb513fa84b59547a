import type { ConfigField as Field } from '@balcao/contract/channels/fields.ts'
import { PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { ColorInput } from '../../../ui/color-input.tsx'
import type { ConnectionDraft } from './api.ts'

type Props = { field: Field; form: UseFormReturnType<ConnectionDraft>; isStored: boolean }

/** One setting of a provider, drawn from its definition. */
export const ConfigField = ({ field, form, isStored }: Props) => {
  const { name, label, help, placeholder, required } = field
  const path = `config.${name}`
  const common = { label, description: help, placeholder, autoComplete: 'off', ...form.getInputProps(path) }
  if (field.secret)
    return (
      <PasswordInput
        {...common}
        required={required && !isStored}
        autoComplete="new-password"
        placeholder={isStored ? 'Guardado. Preencha para trocar.' : placeholder}
        visibilityToggleButtonProps={{ 'aria-label': 'Mostrar ou esconder' }}
      />
    )
  switch (field.type) {
    case 'boolean':
      return <Switch label={label} description={help} {...form.getInputProps(path, { type: 'checkbox' })} />
    case 'color':
      return <ColorInput {...common} required={required} />
    case 'select':
      return (
        <Select
          {...common}
          data={field.options ?? []}
          required={required}
          allowDeselect={!required && field.default === undefined}
        />
      )
    case 'list':
      return <Textarea {...common} required={required} autosize minRows={2} maxRows={8} />
    default:
      return field.multiline ? (
        <Textarea {...common} required={required} autosize minRows={2} maxRows={8} />
      ) : (
        <TextInput {...common} required={required} />
      )
  }
}
