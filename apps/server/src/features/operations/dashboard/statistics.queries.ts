import type { MeasureKey } from '@balcao/contract/operations/reports/measures.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Prepared, Tx } from '../../../db/database.ts'
import { allSums, countingOf, hourSql, withoutIdleFilters } from '../reports/counting.ts'
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
/** The first of them alone: all that is asked of a place. */
const { columns: tickets } = summing(['tickets'], timeOf('calendar'))
/** What some of the rows are together. */
export const together = (rows: readonly OpenedSum[]): Measured => {
  const values = valuesOf(rows)
  return Object.fromEntries(measured.map((key, at) => [key, values[at] ?? null])) as Measured
}

export type Dimension = 'all' | 'channel' | 'connection' | 'queue' | 'agent' | 'reason'
const dimensions: Dimension[] = ['all', 'channel', 'connection', 'queue', 'agent', 'reason']
const byDay = sql.raw(`('all', 'channel', 'connection')`)
export type OpenedSum = Summed & { dimension: Dimension; day: string | null; key: string | null }

/**
 * What was opened in these days, by everything it is asked by: from the sums of its hours; of some queues these tell of
 * each and of all, and two passes over the episodes of the rest. One pass would have to sort them.
 */
export const readOpened = async (tx: Tx, asking: Asking, { days, query: asked }: Within): Promise<OpenedSum[]> => {
  const query = await withoutIdleFilters(tx, asked, days)
  const dayOf = sql`(p.hour at time zone ${days.timezone})::date::text`
  const isKept = isOnTheHour(days)
  if (!query.queuesIds.length && isKept) {
    const { rows } = await tx.db.execute<OpenedSum>(
      sql`select p.dimension, case when p.dimension in ${byDay} then ${dayOf} end as day, nullif(p.key, '') as key, ${columns}
        from episode_sums p where p.tenant_id = ${tx.tenantId} and p.moment = 'opened'
          and p.dimension = any(${sql.param(dimensions)}::text[]) and ${withinPeriod(sql.raw('p.hour'), days)}
        group by 1, 2, 3 having sum(p.tickets) > 0`,
    )
    return rows
  }
  const where = sql.join(
    [...(await filtersOf(tx, asking, query)), withinPeriod(sql.raw('e.opened_at'), days)],
    sql` and `,
  )
  const sumsBy = (by: SQL) =>
    sql`(select ${by}, ${allSums} from ticket_episodes e cross join lateral episode_parts(e) p where ${where} group by 1, 2, 3) p`
  const { rows: ofQueues } = isKept
    ? await tx.db.execute<OpenedSum>(
        sql`select d.dimension, case d.dimension when 'all' then ${dayOf} end as day, case d.dimension when 'queue' then p.key end as key, ${columns}
          from episode_sums p cross join (values ('all'), ('queue')) d(dimension)
          where p.tenant_id = ${tx.tenantId} and p.moment = 'opened' and p.dimension = 'queue'
            and p.key = any(${sql.param(query.queuesIds)}::text[]) and ${withinPeriod(sql.raw('p.hour'), days)}
          group by 1, 2, 3 having sum(p.tickets) > 0`,
      )
    : { rows: [] }
  const { rows: onDays } = await tx.db.execute<OpenedSum>(
    sql`select case 0 when grouping(p.channel) then 'channel' when grouping(p.connection) then 'connection' else 'all' end as dimension,
        p.day, coalesce(p.channel, p.connection) as key, ${isKept ? tickets : columns}
      from (select ${dayOf} as day, p.* from ${sumsBy(sql`${hourSql(sql.raw('e.opened_at'), days)} as hour, e.channel, e.connection_id::text as connection`)}) p
      group by grouping sets (${sql.raw(isKept ? '' : '(p.day),')} (p.day, p.channel), (p.day, p.connection)) having sum(p.tickets) > 0`,
  )
  const names = isKept ? ['agent', 'reason'] : ['agent', 'reason', 'queue']
  const { rows: inAll } = await tx.db.execute<OpenedSum>(
    sql`select case 0 ${sql.raw(names.map((name) => `when grouping(p.${name}) then '${name}'`).join(' '))} end as dimension,
        null as day, ${sql.raw(`coalesce(${names.map((name) => `p.${name}`).join(', ')})::text`)} as key, ${columns}
      from ${sumsBy(sql.raw(`e.user_id as agent, e.reason_id as reason, ${isKept ? 'null' : 'e.queue_id'} as queue`))}
      group by grouping sets (${sql.raw(names.map((name) => `(p.${name})`).join(', '))}) having sum(p.tickets) > 0`,
  )
  return [...ofQueues, ...onDays, ...inAll]
}

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
