import {
  type ConfigField,
  fieldsOf,
  configProblems as problemsOf,
  shownConfig,
} from '@balcao/contract/core/providers/fields.ts'
import type { FieldProblem } from '@balcao/contract/errors.ts'
import type { z } from 'zod'

type Values = Record<string, unknown>

/** What the form holds: lists as lines of text, a stored secret as an empty field. */
export const configValues = (config: z.ZodObject, stored: Values | null): Values =>
  Object.fromEntries(
    fieldsOf(config).map((field) => {
      const value = stored ? (stored[field.name] ?? field.default) : field.default
      if (field.secret) return [field.name, '']
      if (field.type === 'list') return [field.name, Array.isArray(value) ? value.join('\n') : '']
      return [field.name, value ?? (field.type === 'boolean' ? false : '')]
    }),
  )

/** What travels: a secret nobody typed is left out, and so keeps what is stored; a field nobody sees is none. */
export const readConfig = (config: z.ZodObject, values: Values): Values => {
  const typed = typedConfig(config, values)
  return Object.fromEntries(Object.entries(shownConfig(config, typed)).filter(([, value]) => value !== undefined))
}

/** The provider's own rules, field by field; a stored secret may stay empty. */
export const configProblems = (config: z.ZodObject, values: Values, stored: Values | null): FieldProblem[] =>
  problemsOf(config, typedConfig(config, values), stored)

const typedConfig = (config: z.ZodObject, values: Values): Values =>
  Object.fromEntries(fieldsOf(config).map((field) => [field.name, typedValue(field, values[field.name])]))

const typedValue = (field: ConfigField, value: unknown): unknown => {
  if (field.type === 'list') return linesOf(value)
  if (typeof value !== 'string') return value
  const text = value.trim()
  const isLeft = text === '' && (field.secret || !field.required || field.shownWhen) && field.default === undefined
  return isLeft ? undefined : text
}

const linesOf = (value: unknown) =>
  String(value ?? '')
    .split(/[\n,;]+/)
    .map((line) => line.trim())
    .filter(Boolean)
