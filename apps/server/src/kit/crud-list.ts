import { id as idSchema, pageQuery, queryFlag } from '@balcao/contract/common.ts'
import type { Resource } from '@balcao/contract/resource.ts'
import { and, asc, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Tx } from '../db/database.ts'
import type { Plain } from './crud-fields.ts'
import { likePattern, readCursor } from './cursor.ts'

/** What every table of a resource has. */
export type CrudTable = PgTable & Record<'tenantId' | 'id' | 'version' | 'createdAt' | 'updatedAt', PgColumn>

const pageSize = 40

/** The list's question and its statement. Text is ordered without accents or case, and the id settles ties. */
export const listStatement = (
  { sort, filter = [] }: Resource,
  { table, search }: { table: CrudTable; search?: PgColumn[] },
  columns: Record<string, PgColumn>,
) => {
  const sought = search ?? sort.flatMap((name) => (columns[name]?.dataType === 'string' ? columns[name] : []))
  const query = pageQuery.extend({
    sort: z.enum(sort).default(sort[0]),
    direction: z.enum(['asc', 'desc']).default('asc'),
    /** Where rows can be inactive. */
    isActive: queryFlag.optional(),
    ...Object.fromEntries(filter.map((name) => [name, valuesOf(columns[name]).optional()])),
  })
  type Asked = z.output<typeof query>

  const read = async (tx: Tx, allowed: SQL | undefined, asked: Asked) => {
    const limit = asked.limit ?? pageSize
    const column = columns[asked.sort]
    if (!column) throw new Error(`No column ${asked.sort} to order by`)
    const isText = column.dataType === 'string'
    const kind = isText ? 'text' : column.dataType === 'number' ? 'number' : 'moment'
    const key = isText ? sql<string>`norm(${column})` : sql<Date>`${column}`.mapWith(column)
    const matching = and(
      allowed,
      asked.isActive === undefined || !columns.isActive ? undefined : eq(columns.isActive, asked.isActive),
      ...filter.map((name) => chosen(columns[name], Reflect.get(asked, name))),
      asked.searchParam
        ? or(...sought.map((one) => sql`norm(${one}) like norm(${likePattern(asked.searchParam)})`))
        : undefined,
    )
    const order = asked.direction === 'asc' ? asc : desc
    const rows = await tx.db
      .select({ row: table, key: key.as('sort_key') })
      .from(table as PgTable)
      .where(and(matching, asked.cursor ? after(asked, isText ? key : sql`${column}`, kind, table) : undefined))
      .orderBy(order(key), order(table.id))
      .limit(limit + 1)
      .offset(asked.cursor ? 0 : (asked.pageNumber - 1) * limit)
    const count = asked.count ? await tx.db.$count(table, matching) : undefined
    const keys = new Map(rows.map((one) => [one.row, one.key]))
    return {
      limit,
      count,
      rows: rows.map((one): Plain => one.row),
      keyOf: (one: Plain) => {
        const value = keys.get(one)
        return [value instanceof Date ? value.toISOString() : String(value), String(one.id)]
      },
    }
  }
  return { query, read }
}

/** What a column is narrowed to: a flag, one of its choices, or a row by its id. */
const valuesOf = (column: PgColumn | undefined) => {
  if (column?.dataType === 'boolean') return queryFlag
  const [first, ...others] = column?.enumValues ?? []
  return first ? z.enum([first, ...others]) : z.union([idSchema, z.literal('none')])
}
const chosen = (column: PgColumn | undefined, value: unknown) => {
  if (!column || value === undefined) return undefined
  return value === 'none' ? isNull(column) : eq(column, value)
}

/** The rows behind the cursor: `(key, id)` beyond the last one seen. */
const after = (
  asked: { cursor?: string; direction: 'asc' | 'desc' },
  key: SQL,
  kind: keyof typeof cursorKinds,
  table: CrudTable,
) => {
  const { schema, type } = cursorKinds[kind]
  const [value, id] = readCursor(asked.cursor ?? '', z.tuple([schema, idSchema]))
  const seen = sql`${value}::${sql.raw(type)}`
  return asked.direction === 'asc'
    ? sql`(${key}, ${table.id}) > (${seen}, ${id}::uuid)`
    : sql`(${key}, ${table.id}) < (${seen}, ${id}::uuid)`
}
const cursorKinds = {
  text: { schema: z.string(), type: 'text' },
  number: { schema: z.string().regex(/^-?\d{1,9}$/), type: 'integer' },
  moment: { schema: z.iso.datetime(), type: 'timestamptz' },
} as const
