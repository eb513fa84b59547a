import { z } from 'zod'
import type { FieldProblem } from '../../errors.ts'
import { portuguese } from '../../portuguese.ts'
import type { Condition, FieldMeta, Step } from './define.ts'
import { metaOf, unwrapped } from './meta.ts'

/** One field of a provider's settings form, ready to be drawn. */
export type ConfigField = Omit<FieldMeta, 'secret' | 'multiline' | 'options' | 'is' | 'isNeeded' | 'isHidden'> & {
  name: string
  /** Arrives as `true` when stored; left out on save, it keeps its value. */
  secret: boolean
  multiline: boolean
  type: 'text' | 'boolean' | 'color' | 'list' | 'select' | 'number' | 'url' | 'host' | 'date'
  options?: { value: string; label: string }[]
  /** What a new one starts with. */
  default: unknown
  required: boolean
  /** Beside that: only while this holds. */
  neededWhen?: Condition
}

/** The settings form of a provider, in the order of its definition. */
export const fieldsOf = (config: z.ZodObject): ConfigField[] =>
  Object.entries(config.shape).flatMap(([name, schema]) => {
    const { options, is, isNeeded, isHidden, ...meta } = metaOf(schema)
    if (isHidden) return []
    const inner = unwrapped(schema)
    const untouched = schema.safeParse(undefined)
    return {
      ...meta,
      name,
      label: meta.label ?? name,
      secret: meta.secret ?? false,
      multiline: meta.multiline ?? false,
      type: is ?? typeOf(inner),
      options:
        inner instanceof z.ZodEnum
          ? inner.options.map((value) => ({ value: String(value), label: options?.[value] ?? String(value) }))
          : undefined,
      default: untouched.data,
      required: isNeeded === true || (isNeeded === undefined && !untouched.success),
      neededWhen: typeof isNeeded === 'object' ? isNeeded : undefined,
    }
  })

/** Names of the config fields that are secrets: encrypted at rest, never sent to the browser. */
export const secretsOf = (config: z.ZodObject): string[] =>
  fieldsOf(config).flatMap(({ name, secret }) => (secret ? [name] : []))

/** Whether a field is on the form, given what the others hold. */
export const isShown = ({ shownWhen }: Pick<ConfigField, 'shownWhen'>, values: Record<string, unknown>): boolean =>
  [shownWhen ?? []].flat().every((condition) => holds(condition, values))
/** Whether it has to be filled, given what the others hold. */
export const isNeeded = (
  { required, neededWhen }: Pick<ConfigField, 'required' | 'neededWhen'>,
  values: Values,
): boolean => required || (neededWhen !== undefined && holds(neededWhen, values))

/** What is to be done, given what the fields hold. */
export const stepsOf = (steps: readonly Step[] = [], values: Values): string[] =>
  steps.flatMap((step) => (typeof step === 'string' ? step : holds(step.shownWhen, values) ? step.text : []))

type Values = Record<string, unknown>
const holds = ({ field, is }: Condition, values: Values) => [is].flat().some((one) => one === values[field])

/** What is kept of a config: a field nobody is shown has no value. */
export const shownConfig = (config: z.ZodObject, values: Record<string, unknown>): Record<string, unknown> => {
  const hidden = fieldsOf(config).flatMap((field) => (isShown(field, values) ? [] : [field.name]))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.includes(name)))
}

/** The provider's own rules, field by field; a secret in `stored` may stay away. */
export const configProblems = (
  config: z.ZodObject,
  values: Record<string, unknown>,
  stored: Record<string, unknown> | null = null,
  under = 'config',
): FieldProblem[] => {
  const shape: Record<string, z.ZodType> = config.shape
  return fieldsOf(config).flatMap((field) => {
    const path = `${under}.${field.name}`
    const value = values[field.name]
    if (!isShown(field, values) || (field.secret && value === undefined && stored?.[field.name])) return []
    if (isNeeded(field, values) && (value === '' || value === undefined))
      return [{ path, message: 'Preencha este campo.' }]
    const outcome = (shape[field.name] ?? z.unknown()).safeParse(value, { error: portuguese })
    const message = outcome.error?.issues[0]?.message
    return message ? [{ path, message }] : []
  })
}

const typeOf = (schema: z.core.$ZodType): ConfigField['type'] => {
  if (schema instanceof z.ZodBoolean) return 'boolean'
  if (schema instanceof z.ZodArray) return 'list'
  if (schema instanceof z.ZodEnum) return 'select'
  if (schema instanceof z.ZodNumber) return 'number'
  return isColor(schema) ? 'color' : 'text'
}

/** `.meta()` makes a copy of a schema, so a colour is known by what it takes. */
const isColor = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodString && schema.safeParse('#a1b2c3').success && !schema.safeParse('a1b2c3').success

/** A TCP port. */
export const port = z.int('Informe um número.').min(1, 'De 1 a 65535.').max(65_535, 'De 1 a 65535.')
/** The name or address of a server, without a protocol. */
export const host = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(\[[\da-f:.]+\]|[\p{L}\d]([\p{L}\d.-]*[\p{L}\d])?)$/u, 'Informe só o servidor, como smtp.loja.com.br.')
