import type { Page } from '@balcao/contract/common.ts'
import type { TicketRow } from '@balcao/contract/conversations/ticket-row.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { WallAgent, WallColumn, WallGroup, WallQuery } from '@balcao/contract/conversations/wall.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { toPage } from '../../../kit/cursor.ts'
import { withinDays } from '../../../kit/period.ts'
import { type Bind, binding } from '../../../kit/sql.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { nameTickets, ticketColumns, ticketJoins } from '../tickets/ticket-rows.ts'
import { type Viewer, visibleTickets } from '../tickets/tickets.policy.ts'
import { isLate } from '../tickets/urgency-sql.ts'

/** `wallColumnOf` in SQL. */
const byQueue = `'queue:' || coalesce(t.queue_id::text, 'none')`
const columnOf: Record<WallGroup, string> = {
  user: `coalesce('user:' || t.user_id, ${byQueue})`,
  queue: byQueue,
  status: `case when t.paused_at is not null then 'status:paused'
    when t.user_id is null and (t.bot is not null or t.chat_flow_id is not null) then 'status:bot'
    else 'status:' || t.status end`,
}
/** Who waits longest comes first, who waits for nothing last. */
const waiting = `coalesce(t.waiting_since, 'infinity'::timestamptz)`

/** A wall of some states, days or only of one's own. */
export type WallScope = WallQuery & {
  status?: ('open' | 'pending')[]
  showAll?: boolean
  created?: { dateFrom?: string; dateTo?: string; timezone: string }
}
/** What is active, within the policy and the filter. */
const activeFor = (
  tx: Tx,
  viewer: Viewer,
  { queuesIds, whatsappIds, status = ['open', 'pending'], showAll = true, created }: WallScope,
  bind: Bind,
): string => {
  const all = [
    `t.tenant_id = ${bind(tx.tenantId)}`,
    `t.status = any(${bind(status)}::text[])`,
    visibleTickets(viewer, { showAll }, bind),
    ...(created ? withinDays('t.created_at', created, created.timezone, bind) : []),
  ]
  if (queuesIds.length) all.push(`t.queue_id = any(${bind(queuesIds)}::uuid[])`)
  if (whatsappIds.length) all.push(`t.connection_id = any(${bind(whatsappIds)}::uuid[])`)
  return all.join(' and ')
}

type ColumnRow = Omit<WallColumn, 'waitingSince'> & { waitingSince: Date | null }
/** The figures of every column that holds something, in one statement. */
export const readColumns = async (tx: Tx, viewer: Viewer, query: WallScope): Promise<WallColumn[]> => {
  const { values, bind } = binding()
  const text = `select ${columnOf[query.group]} as key, count(*) filter (where t.status = 'open')::int as open,
      count(*) filter (where t.status = 'pending')::int as pending, count(*) filter (where ${isLate})::int as late,
      min(t.waiting_since) as "waitingSince"
    from tickets t where ${activeFor(tx, viewer, query, bind)} group by 1`
  const rows = await tx.rows<ColumnRow>({ name: '', text }, values)
  return rows.map((row) => ({ ...row, waitingSince: row.waitingSince?.toISOString() ?? null }))
}

type CardRow = TicketRow & { column: string; key: string }
type Cards = { column: string; page: Page<Ticket> }

/** The first `limit` cards of every column, in one statement. */
export const readFirstCards = async (
  tx: Tx,
  { viewer, directory }: { viewer: Viewer; directory: Directory },
  query: WallScope,
  limit: number,
): Promise<Cards[]> => {
  const { values, bind } = binding()
  const active = activeFor(tx, viewer, query, bind)
  const text = `select ${ticketColumns}, t.col as "column" from (
      select t.*, ${columnOf[query.group]} as col, row_number() over (partition by ${columnOf[query.group]} order by ${waiting}, t.id) as place
      from tickets t where ${active}) t
    ${ticketJoins} where t.place <= ${limit + 1} order by t.col, t.place`
  const rows = await tx.rows<CardRow>({ name: '', text }, values)
  const tickets = new Map((await nameTickets(tx, rows, directory)).map((ticket) => [ticket.id, ticket]))
  return [...Map.groupBy(rows, (row) => row.column)].map(([column, own]) => ({
    column,
    page: pageOf(own, limit, tickets),
  }))
}

/** More of one column, after the card a cursor names. */
export const readMoreCards = async (
  tx: Tx,
  { viewer, directory }: { viewer: Viewer; directory: Directory },
  { column, after, ...query }: WallQuery & { column: string; after: { key: string; id: string } | undefined },
  limit: number,
): Promise<Page<Ticket>> => {
  const { values, bind } = binding()
  const conditions = [activeFor(tx, viewer, query, bind), withinColumn(query.group, column, bind)]
  if (after) conditions.push(`(${waiting}, t.id) > (${bind(after.key)}::timestamptz, ${bind(after.id)}::uuid)`)
  const text = `select ${ticketColumns} from (
      select t.* from tickets t where ${conditions.join(' and ')} order by ${waiting}, t.id limit ${limit + 1}) t
    ${ticketJoins} order by ${waiting}, t.id`
  const rows = await tx.rows<TicketRow>({ name: '', text }, values)
  const tickets = new Map((await nameTickets(tx, rows, directory)).map((ticket) => [ticket.id, ticket]))
  return pageOf(rows, limit, tickets)
}

/** The column as a condition an index answers. */
const withinColumn = (group: WallGroup, column: string, bind: Bind): string => {
  const [kind = '', value = ''] = column.split(':')
  if (kind === 'user') return `t.user_id = ${bind(value)}::uuid`
  if (kind === 'status') return `${columnOf.status} = ${bind(column)}`
  const ofQueue = value === 'none' ? 't.queue_id is null' : `t.queue_id = ${bind(value)}::uuid`
  return group === 'user' ? `t.user_id is null and ${ofQueue}` : ofQueue
}

const pageOf = (rows: TicketRow[], limit: number, tickets: ReadonlyMap<string, Ticket>): Page<Ticket> => {
  const page = toPage(rows, limit, (row) => [
    row.waitingSince === null ? 'infinity' : new Date(row.waitingSince).toISOString(),
    row.id,
  ])
  return { ...page, items: page.items.flatMap((row) => tickets.get(row.id) ?? []) }
}

type AgentRow = Omit<WallAgent, 'awaySince'> & { awaySince: Date | null; profile: string }
const agents: Prepared = {
  name: 'wall_agents',
  text: `select id, name, is_online as "isOnline", away_since as "awaySince", away_reason as "awayReason", capacity
    from users where tenant_id = $1 and deleted_at is null and not is_blocked order by name, id`,
}
/** Whoever can be handed a conversation. */
export const readAgents = async (tx: Tx, directory: Directory): Promise<WallAgent[]> => {
  const rows = await tx.rows<AgentRow>(agents, [tx.tenantId])
  return rows
    .filter((row) => directory.people.get(row.id)?.permissions.has('tickets.write'))
    .map((row) => ({ ...row, awaySince: row.awaySince?.toISOString() ?? null }))
}
