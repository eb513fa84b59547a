import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { TicketStatus } from '@balcao/contract/conversations/tickets.ts'
import type { Prepared, Tx } from '../../../db/database.ts'

export type Within = { from: string; to: string; timezone: string; queues: string[] | null }
const valuesOf = (tx: Tx, { from, to, timezone, queues }: Within) => [tx.tenantId, from, to, timezone, queues]

/** Asked for once, not for every row. */
const isWithin = (column: string) =>
  `${column} >= (select $2::date::timestamp at time zone $4) and ${column} < (select ($3::date + 1)::timestamp at time zone $4)`
/** Which of the days, counted from one: their beginnings are worked out once, not the day of every row. */
const dayOf = (column: string) =>
  `width_bucket(${column}, (select array_agg(d::timestamp at time zone $4 order by d) from generate_series($2::date, $3::date, '1 day') d))`
const dateOf = (day: string) => `($2::date + ${day} - 1)::text`
const chosen = `e.tenant_id = $1 and not e.is_merged and ($5::uuid[] is null or e.queue_id = any($5))`

export type Dimension = 'day' | 'channel' | 'connection' | 'queue' | 'user' | 'status' | 'reason'
const setsOf = (dimensions: readonly Dimension[], sets: Dimension[][]) => ({
  /** Which of the sets a row belongs to, by the names of its dimensions. */
  name: `concat_ws(',', ${dimensions.map((one) => `case when grouping(x.${one}) = 0 then '${one}' end`).join(', ')}) as set`,
  by: `group by grouping sets (${sets.map((set) => `(${set.map((one) => `x.${one}`).join(', ')})`).join(', ')})`,
})

const opened = setsOf(
  ['day', 'channel', 'connection', 'queue', 'user', 'status', 'reason'],
  [[], ['day'], ['day', 'channel'], ['day', 'connection'], ['channel'], ['queue'], ['user'], ['status'], ['reason']],
)
const summed = ['wait_s', 'first_answer_s', 'resolution_s', 'grade'] as const
const mean = (column: (typeof summed)[number]) => `sum(x.${column})::float8 / nullif(sum(x.${column}_of), 0)`
const fine = 'day, channel, connection, queue, "user", status, reason'
/**
 * What was opened in these days, by everything it is asked by: in one pass down an index to the finest sums, which are few,
 * and from those to each.
 */
const openedSums: Prepared = {
  name: 'statistics_opened',
  text: `with x as materialized (
      select ${dayOf('e.opened_at')} as day, e.channel, e.connection_id as connection, e.queue_id as queue,
        e.user_id as "user", e.reason_id as reason,
        case when e.closed_at is not null then 'closed' when e.accepted_at is null then 'pending' else 'open' end as status,
        count(*) as qtd, count(*) filter (where e.opened_by_kind <> 'contact') as by_us, sum(e.value) as value,
        ${summed.map((one) => `sum(e.${one}) as ${one}, count(e.${one}) as ${one}_of`).join(', ')}
      from ticket_episodes e where ${chosen} and ${isWithin('e.opened_at')} group by ${fine})
    select ${opened.name}, ${dateOf('x.day')} as day, x.channel, x.connection, x.queue, x."user", x.status, x.reason, sum(x.qtd)::int as qtd,
      sum(x.by_us)::int as "byUs", ${(['closed', 'pending', 'open'] as const)
        .map((one) => `coalesce(sum(x.qtd) filter (where x.status = '${one}'), 0)::int as ${one}`)
        .join(', ')},
      ${mean('wait_s')} as "waitS", ${mean('first_answer_s')} as "firstAnswerS", ${mean('resolution_s')} as "resolutionS",
      coalesce(sum(x.value), 0)::bigint as value, ${mean('grade')} as grade, sum(x.grade_of)::int as grades
    from x ${opened.by}`,
}
export type OpenedSum = {
  set: string
  day: string
  channel: ChannelKind
  connection: string
  queue: string | null
  user: string | null
  status: TicketStatus
  reason: string | null
  qtd: number
  byUs: number
  closed: number
  pending: number
  open: number
  waitS: number | null
  firstAnswerS: number | null
  resolutionS: number | null
  value: number
  grade: number | null
  grades: number
}
export const readOpened = (tx: Tx, within: Within) => tx.rows<OpenedSum>(openedSums, valuesOf(tx, within))

/** What was closed on each of these days, whenever it was opened. */
const closedSums: Prepared = {
  name: 'statistics_closed',
  text: `select ${dateOf('x.day')} as day, x.qtd from (
      select ${dayOf('e.closed_at')} as day, count(*)::int as qtd
      from ticket_episodes e where ${chosen} and ${isWithin('e.closed_at')} group by 1) x`,
}
export const readClosed = (tx: Tx, within: Within) =>
  tx.rows<{ day: string; qtd: number }>(closedSums, valuesOf(tx, within))

const newContacts: Prepared = {
  name: 'statistics_contacts',
  text: `select count(*)::int as contacts from contacts c where c.tenant_id = $1 and c.merged_into_id is null and ${isWithin('c.created_at')}`,
}
export const countNewContacts = async (tx: Tx, { from, to, timezone }: Within) => {
  const [row] = await tx.rows<{ contacts: number }>(newContacts, [tx.tenantId, from, to, timezone])
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
