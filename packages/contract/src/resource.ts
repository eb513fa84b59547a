import { z } from 'zod'
import { id, moment } from './common.ts'
import { unwrapped } from './core/providers/meta.ts'
import type { Permission } from './permissions.ts'

/** What every administrable row carries beside its own fields. `version` grows by one with each write. */
export const rowMeta = z.object({ id, version: z.int().positive(), createdAt: moment, updatedAt: moment })

/**
 * An administrable thing: declared once, served by `crud()` on the server and drawn by `ResourceScreen` on the web.
 * - `path` under /api; `event` names its realtime events (`tag` → `tag.created`, `tag.updated`, `tag.deleted`)
 * - `row` what leaves; `write` what a form sends (create; update adds `version`); `sort` the columns a list may order by
 */
export const resource = <
  Row extends z.ZodObject,
  Write extends z.ZodObject,
  Sort extends string,
  const Event extends string,
>(definition: {
  path: `/${string}`
  event: Event
  /** `feminine`: it is "uma fila", not "um fila". */
  label: { one: string; many: string; feminine?: true }
  row: Row
  write: Write
  /** How people call its fields: in tables, files and the audit. What is not named is not in the file. */
  fields: Partial<Record<Extract<keyof Row['shape'] | keyof Write['shape'], string>, string>>
  sort: readonly [Sort, ...Sort[]]
  /** What a list may be narrowed by: a reference to one row by its id, or with `none` to what has none; a flag; a choice. */
  filter?: readonly Extract<keyof Row['shape'], string>[]
  can: { read: Permission; write: Permission /** Whoever may write, when not given. */; delete?: Permission }
}) => definition

/** What an input knows of its field before anything is typed. */
export const inputRules = (schema: z.ZodType) => {
  const text = unwrapped(schema)
  const isRequired = ![undefined, ''].some((empty) => schema.safeParse(empty).success)
  return { required: isRequired, maxLength: text instanceof z.ZodString ? (text.maxLength ?? undefined) : undefined }
}

/** "uma fila", "um motivo". */
export const oneNamed = ({ one, feminine }: Resource['label']) => `${feminine ? 'uma' : 'um'} ${one.toLowerCase()}`

export type Resource = ReturnType<typeof resource<z.ZodObject, z.ZodObject, string, string>>
/** What the row says of itself goes before what every row has: the platform's companies are numbered. */
export type RowOf<R extends Resource> = z.output<R['row']> & Omit<z.output<typeof rowMeta>, keyof z.output<R['row']>>
export type WriteOf<R extends Resource> = z.output<R['write']>
