import type { PgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'

export type Plain = Record<string, unknown>
export type PlainRow = Plain & { id: string; version: number }

/** What an update may send: any of the fields, and the version it began with. A default belongs to creation; an absent field stays as it is. */
export const patchOf = <W extends z.ZodObject>(write: W) => {
  const shape = Object.entries(write.shape).map(([name, field]) => {
    const bare = field instanceof z.ZodDefault || field instanceof z.ZodPrefault ? field.unwrap() : field
    return [name, z.optional(bare)]
  })
  const patch: z.ZodType = z.object({ ...Object.fromEntries(shape), version: z.int().positive().optional() })
  return patch as z.ZodType<Partial<z.output<W>> & { version?: number }> // built field by field, so TypeScript cannot follow
}

/** What of it is a column. */
export const pick = (input: Plain, columns: Record<string, PgColumn>): Plain =>
  Object.fromEntries(Object.entries(input).filter(([name, value]) => name in columns && value !== undefined))

/** Fields in which what was sent is not what is stored: what a 409 tells. */
export const differences = (input: Plain, current: Plain) =>
  Object.keys(input).filter((name) => input[name] !== undefined && !isEqual(input[name], current[name]))
const isEqual = (a: unknown, b: unknown) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
const sorted = (value: unknown) => (Array.isArray(value) ? [...value].sort() : (value ?? null))

export const withTextDates = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  )

export const asPlainRow = (row: Plain): PlainRow => ({ ...row, id: String(row.id), version: Number(row.version) })
