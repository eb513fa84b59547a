import type { Connection } from '@balcao/contract/channels/connections.ts'
import { type ConfigField, configFields } from '@balcao/contract/channels/fields.ts'
import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import type { FieldProblem } from '@balcao/contract/errors.ts'
import { portuguese } from '@balcao/contract/portuguese.ts'
import { z } from 'zod'

/** What the form holds: lists as lines of text, a stored secret as an empty field. */
export const configValues = (kind: ChannelKind, stored: Connection['config'] | null): Record<string, unknown> =>
  Object.fromEntries(
    configFields(kind).map((field) => {
      const value = stored ? (stored[field.name] ?? field.default) : field.default
      if (field.secret) return [field.name, '']
      if (field.type === 'list') return [field.name, Array.isArray(value) ? value.join('\n') : '']
      return [field.name, value ?? (field.type === 'boolean' ? false : '')]
    }),
  )

/** What travels: a secret nobody typed is left out, and so keeps what is stored. */
export const readConfig = (kind: ChannelKind, values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    configFields(kind)
      .map((field): [string, unknown] => [field.name, typedValue(field, values[field.name])])
      .filter(([, value]) => value !== undefined),
  )

/** The provider's own rules, field by field; a stored secret may stay empty. */
export const configProblems = (
  kind: ChannelKind,
  values: Record<string, unknown>,
  stored: Connection['config'] | null,
): FieldProblem[] => {
  const shape: Record<string, z.ZodType> = channels[kind].config.shape
  return configFields(kind).flatMap((field) => {
    const value = typedValue(field, values[field.name])
    if (field.secret && value === undefined && stored?.[field.name]) return []
    if (field.required && (value === '' || value === undefined))
      return [{ path: `config.${field.name}`, message: 'Preencha este campo.' }]
    const outcome = (shape[field.name] ?? z.unknown()).safeParse(value, { error: portuguese })
    const message = outcome.error?.issues[0]?.message
    return message ? [{ path: `config.${field.name}`, message }] : []
  })
}

const typedValue = (field: ConfigField, value: unknown): unknown => {
  if (field.type === 'list') return linesOf(value)
  if (typeof value !== 'string') return value
  const text = value.trim()
  return text === '' && (field.secret || !field.required) && field.default === undefined ? undefined : text
}

const linesOf = (value: unknown) =>
  String(value ?? '')
    .split(/[\n,;]+/)
    .map((line) => line.trim())
    .filter(Boolean)
