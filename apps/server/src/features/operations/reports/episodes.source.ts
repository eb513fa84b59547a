import type { MeasureKey } from '@balcao/contract/operations/reports/measures.ts'
import { sql } from 'drizzle-orm'
import { type Counting, countingOf } from './counting.ts'
import { type Summed, summing, timeOf } from './measure-sql.ts'
import { mostRows, type Source } from './source.ts'

type Row = Summed & { id: string | null; isAll: boolean }

/**
 * Conversations counted by one dimension. The rows come as sums and what these are divided by, so that what they are in
 * all follows from them.
 */
export const episodes: Source = async (asked) => {
  const { tx, report, dimension, query } = asked
  // Its source says that they are of episodes.
  const { columns, valuesOf } = summing(report.measures as readonly MeasureKey[], timeOf(query.time))
  const read = async ({ from, where, key, isAll = sql.raw('false') }: Counting) =>
    (
      await tx.db.execute<Row>(sql`select g.*, g.key::text as id from (
        select ${key} as key, ${isAll} as "isAll", sum(p.tickets)::float8 as n, ${columns} from ${from} where ${where} group by 1, 2) g where n > 0 order by n desc`)
    ).rows
  const counting = await countingOf(asked, dimension)
  const found = await read(counting)
  const rows = found.filter((row) => !row.isAll)
  // A conversation with two tags is in two rows, and once in all of them.
  const once = () => (counting.isAll ? found.filter((row) => row.isAll) : countingOf(asked, 'month').then(read))
  const all = counting.isManyTimes ? await once() : rows
  return {
    rows: rows.slice(0, mostRows).map((row) => ({ id: row.id, values: valuesOf([row]) })),
    total: valuesOf(all),
    isCut: rows.length > mostRows,
  }
}
