import { z } from 'zod'
import type { FieldMeta } from './define.ts'
import { type ChannelKind, channels } from './index.ts'
import { metaOf, unwrapped } from './meta.ts'

/** One field of a provider's settings form, ready to be drawn. */
export type ConfigField = {
  name: string
  label: string
  help?: string
  placeholder?: string
  /** Arrives as `true` when stored; left out on save, it keeps its value. */
  secret: boolean
  multiline: boolean
  type: 'text' | 'boolean' | 'color' | 'list' | 'select'
  options?: { value: string; label: string }[]
  /** What a new connection starts with. */
  default: unknown
  required: boolean
}

/** The settings form of a provider, in the order of its definition. */
export const configFields = (kind: ChannelKind): ConfigField[] => fieldsOf(channels[kind].config)

export const fieldsOf = (config: z.ZodObject): ConfigField[] =>
  Object.entries(config.shape).map(([name, schema]) => {
    const meta: Partial<FieldMeta> = metaOf(schema)
    const inner = unwrapped(schema)
    const untouched = schema.safeParse(undefined)
    return {
      name,
      label: meta.label ?? name,
      help: meta.help,
      placeholder: meta.placeholder,
      secret: meta.secret ?? false,
      multiline: meta.multiline ?? false,
      type: typeOf(inner),
      options:
        inner instanceof z.ZodEnum
          ? inner.options.map((value) => ({ value: String(value), label: meta.options?.[value] ?? String(value) }))
          : undefined,
      default: untouched.data,
      required: !untouched.success,
    }
  })

const typeOf = (schema: z.core.$ZodType): ConfigField['type'] => {
  if (schema instanceof z.ZodBoolean) return 'boolean'
  if (schema instanceof z.ZodArray) return 'list'
  if (schema instanceof z.ZodEnum) return 'select'
  return isColor(schema) ? 'color' : 'text'
}

/** `.meta()` makes a copy of a schema, so a colour is known by what it takes. */
const isColor = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodString && schema.safeParse('#a1b2c3').success && !schema.safeParse('a1b2c3').success
