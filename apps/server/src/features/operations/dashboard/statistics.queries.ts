import type { MeasureKey } from '@balcao/contract/operations/reports/measures.ts'
import { sql } from 'drizzle-orm'
import type { Prepared, Tx } from '../../../db/database.ts'
import { countingOf } from '../reports/counting.ts'
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
  const { rows } = await tx.db.execute<OpenedSum>(
    query.queuesIds.length || !isOnTheHour(days)
      ? sql`with fine as materialized (
            select (e.opened_at at time zone ${days.timezone})::date as day, e.channel, e.connection_id::text as connection,
              e.queue_id::text as queue, e.user_id::text as agent, e.reason_id::text as reason, ${fineSums}
            from ticket_episodes e cross join lateral episode_parts(e) p
            where ${sql.join([...(await filtersOf(tx, asking, query)), withinPeriod(sql.raw('e.opened_at'), days)], sql` and `)} group by 1, 2, 3, 4, 5, 6)
          select k.dimension, case when k.dimension in ${byDay} then p.day::text end as day, k.key, ${columns}
          from fine p cross join lateral (values ('all', null), ('channel', p.channel), ('connection', p.connection), ('queue', p.queue),
            ('agent', p.agent), ('reason', p.reason)) k(dimension, key) group by 1, 2, 3`
      : sql`select p.dimension, case when p.dimension in ${byDay} then (p.hour at time zone ${days.timezone})::date::text end as day,
            nullif(p.key, '') as key, ${columns}
          from episode_sums p where p.tenant_id = ${tx.tenantId} and p.moment = 'opened'
            and p.dimension = any(${sql.param(dimensions)}::text[]) and ${withinPeriod(sql.raw('p.hour'), days)}
          group by 1, 2, 3 having sum(p.tickets) > 0`,
  )
  return rows
}
const added =
  'tickets, receptive, closed, waiting, waits, wait_s, first_answers, first_answer_s, resolutions, resolution_s, valued, value, graded, grade'
const fineSums = sql.raw(added.replaceAll(/\w+/g, 'sum(p.$&) as $&'))

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
