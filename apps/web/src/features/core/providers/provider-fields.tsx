import { type ConfigField, fieldsOf, isNeeded, isShown } from '@balcao/contract/core/providers/fields.ts'
import { Anchor, Divider, NumberInput, PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import type { z } from 'zod'
import { ColorInput } from '../../../ui/color-input.tsx'

/** A form that holds the settings of a provider under `config`. */
type ConfigForm = {
  values: { config: Record<string, unknown> }
  getInputProps: (path: string, options?: { type: 'checkbox' }) => object
}
type Props = {
  config: z.ZodObject
  form: ConfigForm
  stored: Record<string, unknown> | null
  /** Draws a field that names a row of the company. */
  drawNamed?: (field: ConfigField) => ReactNode
  /** Draws a field whose choices the provider's account has. */
  drawSuggested?: (field: ConfigField) => ReactNode
  /** Fields that mean nothing here. */
  without?: readonly string[]
}

/** The settings of a provider, drawn from its definition: under their headings, those that apply. */
export const ProviderFields = ({ config, form, stored, drawNamed, drawSuggested, without = [] }: Props) =>
  fieldsOf(config)
    .filter((field) => !without.includes(field.name) && isShown(field, form.values.config))
    .map((field) => (
      <Fragment key={field.name}>
        {field.section && <Divider label={field.section} labelPosition="left" mt="xs" />}
        {field.names && drawNamed ? (
          drawNamed({ ...field, required: isNeeded(field, form.values.config) })
        ) : field.suggests && drawSuggested ? (
          drawSuggested(field)
        ) : (
          <ProviderField
            field={{ ...field, required: isNeeded(field, form.values.config) }}
            form={form}
            isStored={Boolean(stored?.[field.name])}
          />
        )}
      </Fragment>
    ))

const ProviderField = ({ field, form, isStored }: { field: ConfigField; form: ConfigForm; isStored: boolean }) => {
  const { name, label, link, placeholder, required } = field
  const path = `config.${name}`
  const help = link ? (
    <>
      {field.help}{' '}
      <Anchor href={link.url} target="_blank" rel="noreferrer" size="xs">
        {link.label}
      </Anchor>
    </>
  ) : (
    field.help
  )
  const common = { label, description: help, placeholder, autoComplete: 'off', ...form.getInputProps(path) }
  if (field.secret && !field.multiline)
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
    case 'number':
      return (
        <NumberInput
          {...common}
          required={required}
          allowDecimal={field.decimals !== undefined}
          decimalScale={field.decimals}
          decimalSeparator=","
          hideControls
          thousandSeparator=""
        />
      )
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
        <Textarea
          {...common}
          required={required && !isStored}
          placeholder={isStored && field.secret ? 'Guardado. Preencha para trocar.' : placeholder}
          autosize
          minRows={2}
          maxRows={8}
        />
      ) : (
        <TextInput {...common} required={required} inputMode={field.type === 'url' ? 'url' : undefined} />
      )
  }
}
