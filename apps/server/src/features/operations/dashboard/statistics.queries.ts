import type { MeasureKey } from '@balcao/contract/operations/reports/measures.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Prepared, Tx } from '../../../db/database.ts'
import { allSums, countingOf, hourSql } from '../reports/counting.ts'
import { type Summed, summing, timeOf } from '../reports/measure-sql.ts'
import {
  type Asking,
  type Days,
  type Filters,
  filtersOf,
  isOnTheHour,
  withinPeriod,
} from '../reports/report-filters.ts'

export type Within = { days: Days; query: Filters }

const measured = [
  'tickets',
  'proactive',
  'closed',
  'waiting',
  'active',
  'wait',
  'firstAnswer',
  'resolution',
  'value',
  'grade',
  'graded',
] as const satisfies readonly MeasureKey[]
export type Measured = Record<(typeof measured)[number], number | null>
const { columns, valuesOf } = summing(measured, timeOf('calendar'))
/** What some of the rows are together. */
export const together = (rows: readonly OpenedSum[]): Measured => {
  const values = valuesOf(rows)
  return Object.fromEntries(measured.map((key, at) => [key, values[at] ?? null])) as Measured
}

export type Dimension = 'all' | 'channel' | 'connection' | 'queue' | 'agent' | 'reason'
const dimensions: Dimension[] = ['all', 'channel', 'connection', 'queue', 'agent', 'reason']
const byDay = sql.raw(`('all', 'channel', 'connection')`)
export type OpenedSum = Summed & { dimension: Dimension; day: string | null; key: string | null }

/** What was opened in these days, by everything it is asked by: from the sums of its hours, or of some queues in one pass over the episodes. */
export const readOpened = async (tx: Tx, asking: Asking, { days, query }: Within): Promise<OpenedSum[]> => {
  const period = (column: SQL) => withinPeriod(column, days)
  const isKept = !query.queuesIds.length && isOnTheHour(days)
  const sums = isKept
    ? sql`(select p.*, nullif(p.key, '') as of from episode_sums p where p.tenant_id = ${tx.tenantId} and p.moment = 'opened'
        and p.dimension = any(${sql.param(dimensions)}::text[]) and ${period(sql.raw('p.hour'))}) p`
    : sql`(select case ${grouped} end as dimension, h.hour, ${ofAny} as of, ${allSums}
        from ticket_episodes e cross join lateral episode_parts(e) p
          cross join lateral (select ${hourSql(sql.raw('e.opened_at'), days)} as hour) h
        where ${sql.join([...(await filtersOf(tx, asking, query)), period(sql.raw('e.opened_at'))], sql` and `)}
        group by grouping sets (${sets})) p`
  const { rows } = await tx.db.execute<OpenedSum>(
    sql`select p.dimension, case when p.dimension in ${byDay} then (p.hour at time zone ${days.timezone})::date::text end as day,
        p.of as key, ${columns} from ${sums} group by 1, 2, 3 having sum(p.tickets) > 0`,
  )
  return rows
}
/** By what each dimension is grouped, in the order of the bits of `grouping`, where a column that is not has its bit. */
const finest = ['h.hour', 'e.channel', 'e.connection_id', 'e.queue_id', 'e.user_id', 'e.reason_id'] as const
const setOf: Record<Dimension, (typeof finest)[number][]> = {
  all: ['h.hour'],
  channel: ['h.hour', 'e.channel'],
  connection: ['h.hour', 'e.connection_id'],
  queue: ['e.queue_id'],
  agent: ['e.user_id'],
  reason: ['e.reason_id'],
}
const bitsOf = (set: (typeof finest)[number][]) =>
  finest.reduce((bits, column) => 2 * bits + (set.includes(column) ? 0 : 1), 0)
const sets = sql.raw(dimensions.map((one) => `(${setOf[one].join(', ')})`).join(', '))
const grouped = sql.raw(
  `grouping(${finest.join(', ')}) ${dimensions.map((one) => `when ${bitsOf(setOf[one])} then '${one}'`).join(' ')}`,
)
const ofAny = sql.raw(
  `coalesce(${finest
    .slice(1)
    .map((column) => `${column}::text`)
    .join(', ')})`,
)

/** What was closed on each of these days, whenever it was opened. */
export const readClosed = async (tx: Tx, actor: Asking, { days, query }: Within) => {
  const { from, where, key } = await countingOf({ tx, actor, query, days }, 'day', { moment: 'closed' })
  const { rows } = await tx.db.execute<{ day: string; qtd: number }>(
    sql`select g.day::text as day, g.qtd from (select ${key} as day, sum(p.tickets)::int as qtd from ${from} where ${where} group by 1) g`,
  )
  return rows
}

const newContacts: Prepared = {
  name: 'statistics_contacts',
  text: `select count(*)::int as contacts from contacts c where c.tenant_id = $1 and c.merged_into_id is null
    and c.created_at >= $2::timestamptz and c.created_at < $3::timestamptz`,
}
export const countNewContacts = async (tx: Tx, { start, end }: Days) => {
  const [row] = await tx.rows<{ contacts: number }>(newContacts, [tx.tenantId, start, end])
  return row?.contacts ?? 0
}

/** What is no longer there keeps its name while its row does. */
const names: Prepared = {
  name: 'statistics_names',
  text: `select id, name, email from users where tenant_id = $1 and id = any($2)
    union all select id, name, '' from connections where tenant_id = $1 and id = any($2)`,
}
export type Named = { id: string; name: string; email: string }
export const readNames = (tx: Tx, ids: string[]) => tx.rows<Named>(names, [tx.tenantId, ids])
