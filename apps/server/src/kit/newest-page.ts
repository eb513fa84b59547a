import { id, moment, type Page } from '@balcao/contract/common.ts'
import { z } from 'zod'
import type { Tx } from '../db/database.ts'
import { readCursor, toPage } from './cursor.ts'
import type { binding } from './sql.ts'

type Asked = { cursor?: string | undefined; limit?: number | undefined; pageNumber: number; count: boolean }
type Source = ReturnType<typeof binding> & {
  /** `id` and `created_at as "createdAt"` of the rows listed are among them. */
  columns: string
  /** From `from` to the last condition, its values bound. */
  from: string
  /** What the listed table is called there. */
  alias: string
}

/** A page of what happened, newest first, by page number or cursor; counted where that is asked for. */
export const newestPage = async <Row extends { id: string; createdAt: Date }, Shown>(
  tx: Tx,
  { columns, from, alias, values, bind }: Source,
  query: Asked,
  present: (row: Row) => Shown,
): Promise<Page<Shown>> => {
  const limit = query.limit ?? usualSize
  const counting = { name: '', text: `select count(*)::int as total ${from}` }
  const count = query.count ? (await tx.rows<{ total: number }>(counting, [...values]))[0]?.total : undefined
  const after = query.cursor ? readCursor(query.cursor, cursorKey) : undefined
  const key = `${alias}.created_at, ${alias}.id`
  const page = after ? `and (${key}) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)` : ''
  const skip = after ? 0 : (query.pageNumber - 1) * limit
  const text = `select ${columns} ${from} ${page}
    order by ${alias}.created_at desc, ${alias}.id desc limit ${bind(limit + 1)} offset ${bind(skip)}`
  const rows = await tx.rows<Row>({ name: '', text }, values)
  const { items, ...more } = toPage(rows, limit, (row) => [row.createdAt.toISOString(), row.id])
  return { ...more, items: items.map(present), ...(count === undefined ? {} : { count }) }
}
const usualSize = 40
const cursorKey = z.tuple([moment, id])
