import type { MeasureKey } from '@balcao/contract/operations/reports/measures.ts'
import { type SQL, sql } from 'drizzle-orm'
import { AppError } from '../../../kit/errors.ts'
import { measureSql, timeOf } from './measure-sql.ts'
import { dimensionSql, filtersOf, momentColumn, withinPeriod } from './report-filters.ts'
import { mostRows, type Source } from './source.ts'

type Row = { id: string | null; n: number } & Record<`s${number}` | `p${number}`, number | null>

/**
 * Conversations counted by one dimension. The rows come as sums and what these are divided by, so that what they are in
 * all follows from them: one pass, which the database shares among its processors.
 */
export const episodes: Source = async ({ tx, actor, report, dimension, query, days }) => {
  const column = momentColumn(query.moment)
  const by = dimensionSql(dimension, column, days.timezone)
  if (!by) throw new AppError('ERR_NOT_FOUND')
  const time = timeOf(query.time)
  const parts = (report.measures as readonly MeasureKey[]).map((key) => measureSql[key](time)) // its source says so
  const columns = parts.flatMap(({ sum, per }, at) => [
    sql`${sum} as ${sql.raw(`s${at}`)}`,
    ...(per ? [sql`${per} as ${sql.raw(`p${at}`)}`] : []),
  ])
  const sums = sql.join(columns, sql`, `)
  const where = sql.join([...(await filtersOf(tx, actor, query)), withinPeriod(column, days)], sql` and `)
  const read = async (key: SQL, from = sql``) =>
    (
      await tx.db.execute<Row>(sql`select g.*, g.key::text as id from (
        select ${key} as key, count(*)::float8 as n, ${sums} from ticket_episodes e ${from} where ${where} group by 1) g order by n desc`)
    ).rows
  const valuesOf = (rows: readonly Row[]) =>
    parts.map(({ per }, at) => {
      const told = rows.flatMap((row) => row[`s${at}`] ?? [])
      const sum = told.reduce((all, one) => all + one, 0)
      const times = rows.reduce((all, row) => all + (row[`p${at}`] ?? 0), 0)
      return per ? (times ? sum / times : null) : told.length || rows.length === 0 ? sum : null
    })
  const rows = await read(by.key, by.alsoFrom)
  // A conversation with two tags is in two rows, and once in all of them.
  const all = by.alsoFrom ? await read(sql`1`) : rows
  return {
    rows: rows.slice(0, mostRows).map((row) => ({ id: row.id, values: valuesOf([row]) })),
    total: valuesOf(all),
    isCut: rows.length > mostRows,
  }
}
