import type { FlowNode } from '@balcao/contract/automation/flows/graph.ts'
import { titleOf } from '@balcao/contract/automation/flows/problems.ts'
import { dddsOf, stateNames } from '@balcao/contract/contacts/segments/places.ts'
import { momentAt } from '@balcao/contract/core/wall-time.ts'
import type { DimensionKey } from '@balcao/contract/operations/reports/definitions.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { visibleContacts } from '../../contacts/contacts/contacts.policy.ts'
import { countingOf } from './counting.ts'
import {
  type Asking,
  addDays,
  type Days,
  dayAt,
  dayOf,
  type Filters,
  filtersOf,
  inSegment,
  withinPeriod,
} from './report-filters.ts'
import { type Asked, mostRows, type Source } from './source.ts'

const all = (conditions: SQL[]) => sql.join(conditions, sql` and `)
const rowsOf = async <Row extends Record<string, unknown>>({ tx }: Asked, text: SQL) =>
  (await tx.db.execute<Row>(text)).rows

/**
 * What came, what went and what was left at the end of each day. What was open before the first is counted once, and each
 * day adds and takes away.
 */
export const backlog: Source = async (asked) => {
  const { days } = asked
  const countBy = async (moment: 'opened' | 'closed') => {
    const { from, where, key } = await countingOf(asked, 'day', { moment })
    return rowsOf<{ day: string; count: number }>(
      asked,
      sql`select g.day::text as day, g.count from (select ${key} as day, sum(p.tickets)::int as count from ${from} where ${where} group by 1) g`,
    )
  }
  const countBefore = async (moment: 'opened' | 'closed') => {
    const period = (column: SQL) => sql`${column} < ${days.start}::timestamptz`
    const { from, where } = await countingOf(asked, 'day', { moment, period })
    const [row] = await rowsOf<{ count: number }>(
      asked,
      sql`select coalesce(sum(p.tickets), 0)::int as count from ${from} where ${where}`,
    )
    return row?.count ?? 0
  }
  const [opened, ended] = [await countBy('opened'), await countBy('closed')]
  const before = (await countBefore('opened')) - (await countBefore('closed'))
  const today = dayAt(new Date(), days.timezone)
  const numberOn = (rows: { day: string; count: number }[]) => new Map(rows.map(({ day, count }) => [day, count]))
  const [came, went] = [numberOn(opened), numberOn(ended)]
  let left = before
  const rows = Array.from({ length: days.count }, (_, at) => addDays(days.from, at)).map((day) => {
    const [plus, minus] = [came.get(day) ?? 0, went.get(day) ?? 0]
    left += plus - minus
    const isAhead = day > today && plus === 0 && minus === 0
    return { id: day, values: isAhead ? [null, plus, minus] : [left, plus, minus] }
  })
  const sum = (at: number) => rows.reduce((total, row) => total + (row.values[at] ?? 0), 0)
  return { rows, total: [left, sum(1), sum(2)] }
}

/** How long people were there, and away, in the period: what began before it or has not ended counts as far as it lies in it. */
export const agentTime: Source = async (asked) => {
  const { actor, query, days, dimension } = asked
  const who = query.userIds.length ? sql`and s.user_id = any(${sql.param(query.userIds)}::uuid[])` : sql``
  const byDay = dimension === 'day'
  const spans = byDay
    ? sql`select d::date::text as id, d at time zone ${days.timezone} as from_at, (d + interval '1 day') at time zone ${days.timezone} as to_at
        from generate_series(${days.from}::date::timestamp, ${days.to}::date::timestamp, interval '1 day') d`
    : sql`select null::text as id, ${days.start}::timestamptz as from_at, ${days.end}::timestamptz as to_at`
  const found = await rowsOf<{ id: string | null; online: number; away: number }>(
    asked,
    sql`with spans as (${spans}), parts as (
        select ${byDay ? sql`p.id` : sql`s.user_id::text`} as id, s.state,
          extract(epoch from least(coalesce(s.ended_at, now()), p.to_at, now()) - greatest(s.started_at, p.from_at))::float8 as seconds
        from spans p join agent_states s on s.tenant_id = ${actor.tenantId} and s.state <> 'offline' ${who}
          and s.started_at < p.to_at and coalesce(s.ended_at, now()) > p.from_at)
      select id, coalesce(sum(seconds) filter (where state = 'online'), 0) as online,
        coalesce(sum(seconds) filter (where state = 'away'), 0) as away
      from parts group by 1 order by 2 desc limit ${mostRows}`,
  )
  const valuesOf = (online: number, away: number) => [
    Math.round(online),
    Math.round(away),
    online + away > 0 ? (100 * online) / (online + away) : null,
  ]
  const sum = (of: 'online' | 'away') => found.reduce((total, row) => total + row[of], 0)
  return {
    rows: found.map(({ id, online, away }) => ({ id, values: valuesOf(online, away) })),
    total: valuesOf(sum('online'), sum('away')),
  }
}

const cohortMonths = 6
/** Of those who first came in each month, how many came again so many months later. Whoever came before the period is no new customer. */
export const cohort: Source = async (asked) => {
  const { tx, actor, query, days } = asked
  const where = all(await filtersOf(tx, actor, query))
  const starts: string[] = []
  for (let day = `${days.from.slice(0, 7)}-01`; day <= days.to; day = `${addDays(day, 31).slice(0, 7)}-01`)
    starts.push(day)
  const moments = starts.map((day) => momentAt(`${day}T00:00`, days.timezone))
  // The months of each customer, as bits; the first is all that was before the period. Customers of the same months are one row.
  const none = '0'.repeat(starts.length)
  const groups = await rowsOf<{ came: string; count: number }>(
    asked,
    sql`select c.came::text as came, count(*)::int as count from (
        select bit_or(${`1${none}`}::varbit >> width_bucket(e.opened_at, ${sql.param(moments.with(0, days.start))}::timestamptz[])) as came
        from ticket_episodes e where ${where} and e.opened_at < ${days.end}::timestamptz group by e.contact_id) c
      group by 1`,
  )
  const found = new Map<string, number>()
  for (const { came, count } of groups) {
    const first = came.indexOf('1')
    for (let month = first; first > 0 && month >= 0; month = came.indexOf('1', month + 1)) {
      const name = `${starts[first - 1]} ${month - first}`
      found.set(name, (found.get(name) ?? 0) + count)
    }
  }
  const months = starts.filter((id) => found.has(`${id} 0`))
  const at = (id: string, later: number) => found.get(`${id} ${later}`) ?? 0
  const isOver = (id: string, later: number) => {
    const [year = 0, number = 1] = id.split('-').map(Number)
    return new Date(Date.UTC(year, number - 1 + later, 1)).toISOString().slice(0, 7) <= days.to.slice(0, 7)
  }
  const laters = Array.from({ length: cohortMonths }, (_, one) => one + 1)
  const rows = months.map((id) => {
    const fresh = at(id, 0)
    return {
      id,
      values: [fresh, ...laters.map((later) => (fresh && isOver(id, later) ? (100 * at(id, later)) / fresh : null))],
    }
  })
  const totals = laters.map((later) => {
    const over = months.filter((id) => isOver(id, later))
    const fresh = over.reduce((sum, id) => sum + at(id, 0), 0)
    return fresh ? (100 * over.reduce((sum, id) => sum + at(id, later), 0)) / fresh : null
  })
  return {
    rows,
    total: [months.reduce((sum, id) => sum + at(id, 0), 0), ...totals],
    columns: [
      { key: 'newCustomers', label: 'Clientes novos' },
      ...laters.map((later) => ({
        key: 'returning' as const,
        label: later === 1 ? '1 mês depois' : `${later} meses depois`,
      })),
    ],
  }
}

/** Whose first conversation of these fell into a month of the period: `contacts c`. */
export const newIn = async (
  { tx, actor, query, days }: { tx: Tx; actor: Asking; query: Filters; days: Days },
  month: string,
): Promise<SQL> => {
  const first = dayOf(month, days)
  const next = momentAt(`${addDays(first.from, 31).slice(0, 7)}-01T00:00`, days.timezone)
  const start = sql`greatest(${first.start}::timestamptz, ${days.start}::timestamptz)`
  const where = all(await filtersOf(tx, actor, query))
  return sql`c.id in (select e.contact_id from ticket_episodes e where ${where} and e.opened_at >= ${start}
      and e.opened_at < least(${next}::timestamptz, ${days.end}::timestamptz))
    and not exists (select from ticket_episodes e where ${where} and e.contact_id = c.id and e.opened_at < ${start})`
}

/** What campaigns that began in the period have reached so far. */
export const campaigns: Source = async (asked) => {
  const { actor, days, report } = asked
  // What failed is counted by what the provider said: `failed:131026`.
  const marks = report.measures.map(
    (mark) => sql`coalesce(sum(t.count) filter (where split_part(t.mark, ':', 1) = ${mark}), 0)::float8`,
  )
  const found = await rowsOf<{ id: string; label: string; values: number[] }>(
    asked,
    sql`select c.id, c.name as label, array[${sql.join(marks, sql`, `)}] as values
      from campaigns c left join campaign_tallies t on t.tenant_id = c.tenant_id and t.campaign_id = c.id
      where c.tenant_id = ${actor.tenantId} and ${withinPeriod(sql.raw('c.started_at'), days)}
      group by c.id, c.name, c.started_at order by c.started_at desc limit ${mostRows}`,
  )
  return {
    rows: found,
    total: report.measures.map((_, at) => found.reduce((sum, row) => sum + (row.values[at] ?? 0), 0)),
  }
}

/** What tells a step from others of its kind that have no name either: what it says. */
const stepText = (node: FlowNode | undefined) => {
  const said = node && !node.name && 'body' in node.data ? node.data.body.trim() : ''
  const short = said.length > 40 ? `${said.slice(0, 39).trimEnd()}…` : said
  return short ? `${titleOf(node)} “${short}”` : titleOf(node)
}
const stopped = sql.raw(`s.ended_why in ('silence', 'retries')`)
/** At which steps of flows people stopped answering. */
export const flows: Source = async (asked) => {
  const { actor, days } = asked
  const found = await rowsOf<{ id: string; flow: string; node: FlowNode | null; passed: number; dropped: number }>(
    asked,
    sql`select s.flow_id || ':' || s.node_id as id, f.name as flow,
        (select n.node from chat_flow_nodes n
          where n.tenant_id = s.tenant_id and n.flow_id = s.flow_id and n.node_id = s.node_id) as node,
        count(distinct s.run_id)::int as passed,
        count(distinct s.run_id) filter (where ${stopped})::int as dropped
      from chat_flow_steps s join chat_flows f on f.tenant_id = s.tenant_id and f.id = s.flow_id
      where s.tenant_id = ${actor.tenantId} and ${withinPeriod(sql.raw('s.created_at'), days)}
      group by s.tenant_id, s.flow_id, s.node_id, f.name order by dropped desc, passed desc limit ${mostRows}`,
  )
  const share = (dropped: number, passed: number) => (passed ? (100 * dropped) / passed : null)
  const sum = (of: 'passed' | 'dropped') => found.reduce((total, row) => total + row[of], 0)
  return {
    rows: found.map(({ id, flow, node, passed, dropped }) => ({
      id,
      label: `${flow} › ${stepText(node ?? undefined)}`,
      values: [dropped, passed, share(dropped, passed)],
    })),
    total: [sum('dropped'), sum('passed'), share(sum('dropped'), sum('passed'))],
  }
}

/** In which conversations people stopped at a step of a flow, or at any: `ticket_episodes e`. */
export const stoppedAt = (step: string | undefined, days: Days): SQL => {
  const ofStep = step === undefined ? sql`` : sql`and s.flow_id || ':' || s.node_id = ${step}`
  return sql`exists (select from chat_flow_runs r join chat_flow_steps s on s.tenant_id = r.tenant_id and s.run_id = r.id
    where r.tenant_id = e.tenant_id and r.ticket_id = e.ticket_id and ${stopped} ${ofStep}
      and ${withinPeriod(sql.raw('s.created_at'), days)} and s.created_at >= e.opened_at
      and (e.closed_at is null or s.created_at <= e.closed_at))`
}

/** The area code of a Brazilian phone. */
export const dddSql = sql.raw(
  `(case when c.number like '55%' and length(c.number) in (12, 13) then substr(c.number, 3, 2) end)`,
)
const stateOfDdd = new Map(
  Object.keys(stateNames).flatMap((state) => dddsOf(state).map((ddd) => [ddd.replaceAll(/\D/g, ''), state] as const)),
)
export const stateOf = (ddd: string | null) => (ddd === null ? null : (stateOfDdd.get(ddd) ?? null))
const dddsIn = (states: readonly string[]) =>
  [...stateOfDdd].flatMap(([ddd, state]) => (states.includes(state) ? [ddd] : []))

/** Whose contacts a report of contacts counts and lists: `contacts c`. */
export const contactsWhere = async ({ tx, actor, query, days }: Pick<Asked, 'tx' | 'actor' | 'query' | 'days'>) => {
  const { tenantId } = actor
  const visible = await visibleContacts(actor)
  const has = (table: string, column: string, ids: string[]) =>
    ids.length
      ? [
          sql`exists (select from ${sql.raw(table)} x where x.tenant_id = ${tenantId} and x.contact_id = c.id
            and ${sql.raw(`x.${column}`)} = any(${sql.param(ids)}::uuid[]))`,
        ]
      : []
  return [
    sql`c.tenant_id = ${tenantId}`,
    sql.raw('c.merged_into_id is null and not c.is_group'),
    ...(query.dateFrom || query.dateTo ? [withinPeriod(sql.raw('c.created_at'), days)] : []),
    ...has('contact_tags', 'tag_id', query.tagIds),
    ...has('contact_wallets', 'user_id', query.walletIds),
    ...(query.kanbanIds.length ? [sql`c.lane_id = any(${sql.param(query.kanbanIds)}::uuid[])`] : []),
    ...(query.ddds.length ? [sql`${dddSql} = any(${sql.param(query.ddds)}::text[])`] : []),
    ...(query.states.length ? [sql`${dddSql} = any(${sql.param(dddsIn(query.states))}::text[])`] : []),
    ...(await inSegment(tx, actor, query, sql.raw('c.id'))),
    ...(visible ? [visible] : []),
  ]
}

type ContactBy = { key: SQL; from?: SQL }
const contactBy = (dimension: DimensionKey, timezone: string): ContactBy => {
  const at = sql`c.created_at at time zone ${timezone}`
  const day = (unit: string) => ({ key: sql`to_char(date_trunc(${sql.raw(`'${unit}'`)}, ${at}), 'YYYY-MM-DD')` })
  switch (dimension) {
    case 'contactTag':
      return {
        key: sql.raw('x.tag_id::text'),
        from: sql.raw('left join contact_tags x on x.tenant_id = c.tenant_id and x.contact_id = c.id'),
      }
    case 'contactWallet':
      return {
        key: sql.raw('x.user_id::text'),
        from: sql.raw('left join contact_wallets x on x.tenant_id = c.tenant_id and x.contact_id = c.id'),
      }
    case 'contactLane':
      return { key: sql.raw('c.lane_id::text') }
    case 'contactState':
      return { key: dddSql }
    default:
      return day(dimension === 'month' ? 'month' : dimension === 'week' ? 'week' : 'day')
  }
}

/** The contacts of one row: `contacts c`. */
export const behindContacts = (
  { dimension, within }: { dimension: DimensionKey; within: string },
  { timezone }: Days,
): SQL[] => {
  if (dimension === 'contactState') {
    const known = within === '' ? [...stateOfDdd.keys()] : dddsIn([within])
    const isKnown = sql`coalesce(${dddSql} = any(${sql.param(known)}::text[]), false)`
    return [within === '' ? sql`not ${isKnown}` : isKnown]
  }
  const { key, from } = contactBy(dimension, timezone)
  const isRow = within === '' ? sql`${key} is null` : sql`${key} = ${within}`
  return [from ? sql`exists (select from (select) one ${from} where ${isRow})` : isRow]
}

export const contacts: Source = async (asked) => {
  const { dimension, days } = asked
  const isByTime = dimension === 'day' || dimension === 'week' || dimension === 'month'
  const query = isByTime ? { ...asked.query, dateFrom: days.from, dateTo: days.to } : asked.query
  const where = all(await contactsWhere({ ...asked, query }))
  const { key, from = sql`` } = contactBy(dimension, days.timezone)
  const found = await rowsOf<{ id: string | null; count: number }>(
    asked,
    sql`select ${key} as id, count(*)::int as count from contacts c ${from} where ${where} group by 1 order by 2 desc limit ${mostRows + 1}`,
  )
  const rows = dimension === 'contactState' ? byState(found) : found
  const [total] = await rowsOf<{ count: number }>(
    asked,
    sql`select count(*)::int as count from contacts c where ${where}`,
  )
  return {
    rows: rows.slice(0, mostRows).map(({ id, count }) => ({ id, values: [count] })),
    total: [total?.count ?? 0],
    isCut: rows.length > mostRows,
  }
}

/** Area codes of a state together. */
const byState = (rows: { id: string | null; count: number }[]) =>
  [...Map.groupBy(rows, ({ id }) => stateOf(id))]
    .map(([id, some]) => ({ id, count: some.reduce((sum, row) => sum + row.count, 0) }))
    .toSorted((a, b) => b.count - a.count)
