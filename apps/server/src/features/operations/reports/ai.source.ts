import { sql } from 'drizzle-orm'
import { AppError } from '../../../kit/errors.ts'
import { dimensionSql, filtersOf, momentColumn, withinPeriod } from './report-filters.ts'
import { mostRows, type Source } from './source.ts'

type Row = { id: string | null; micros: number; tickets: number; calls: number }
const microsOfCent = 10_000

/** What models cost in conversations, counted where the call was made: in the episode that stood open at that moment. */
export const ai: Source = async ({ tx, actor, dimension, query, days }) => {
  const column = momentColumn(query.moment)
  const by = dimensionSql(dimension, column, days.timezone)
  if (!by || by.alsoFrom) throw new AppError('ERR_NOT_FOUND')
  const where = sql.join([...(await filtersOf(tx, actor, query)), withinPeriod(column, days)], sql` and `)
  const { rows } = await tx.db.execute<Row>(sql`select g.key::text as id, g.micros, g.tickets, g.calls from (
      select ${by.key} as key, sum(u.cost_micros)::float8 as micros, count(distinct e.id)::int as tickets, count(*)::int as calls
      from ticket_episodes e join ai_usage u on u.tenant_id = e.tenant_id and u.ticket_id = e.ticket_id
        and u.created_at >= e.opened_at and (e.closed_at is null or u.created_at <= e.closed_at)
      where ${where} group by 1) g order by g.micros desc`)
  const sum = (of: 'micros' | 'tickets' | 'calls') => rows.reduce((total, row) => total + row[of], 0)
  const valuesOf = ({ micros, tickets, calls }: Omit<Row, 'id'>) => [
    micros / microsOfCent,
    tickets ? micros / microsOfCent / tickets : null,
    tickets,
    calls,
  ]
  return {
    rows: rows.slice(0, mostRows).map((row) => ({ id: row.id, values: valuesOf(row) })),
    total: valuesOf({ micros: sum('micros'), tickets: sum('tickets'), calls: sum('calls') }),
    isCut: rows.length > mostRows,
  }
}
