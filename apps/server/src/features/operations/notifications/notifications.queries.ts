import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { Notification, notificationsQuery, notificationsRead } from '@balcao/contract/operations/notifications.ts'
import { v7 } from 'uuid'
import { z } from 'zod'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { type Bind, binding } from '../../../kit/sql.ts'
import { viewerOf, visibleTickets } from '../../conversations/tickets/tickets.policy.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import type { Notice } from './notices-of.ts'

const pageSize = 30
/** More than this nobody counts; the bell says "99+". */
const mostCounted = 100

type Row = Omit<Notification, 'at' | 'readAt'> & { at: Date; readAt: Date | null }
const columns = `n.id, n.kind, n.title, n.body, n.link, n.ticket_id as "ticketId", n.times, n.at, n.read_at as "readAt"`
const present = ({ at, readAt, ...row }: Row): Notification => ({
  ...row,
  at: at.toISOString(),
  readAt: readAt?.toISOString() ?? null,
})

export const pageOfNotifications = async (tx: Tx, actor: Actor, query: z.output<typeof notificationsQuery>) => {
  const limit = query.limit ?? pageSize
  const { values, bind } = binding()
  const from = await mine(actor, bind)
  const after = query.cursor ? readCursor(query.cursor, cursorKey) : undefined
  const page = after ? `and (n.at, n.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)` : ''
  const text = `select ${columns} ${from} ${page} order by n.at desc, n.id desc limit ${bind(limit + 1)}`
  const rows = await tx.rows<Row>({ name: '', text }, values)
  const { items, ...more } = toPage(rows, limit, (row) => [row.at.toISOString(), row.id])
  return { items: items.map(present), ...more }
}
const cursorKey = z.tuple([z.iso.datetime(), z.uuid()])

export const countUnread = async (tx: Tx, actor: Actor) => {
  const { values, bind } = binding()
  const text = `select count(*) as unread, coalesce(array_agg(distinct "ticketId") filter (where "ticketId" is not null), '{}') as "ticketIds"
    from (select n.ticket_id as "ticketId" ${await mine(actor, bind)} and n.read_at is null limit ${mostCounted}) unread`
  const [row] = await tx.rows<{ unread: number; ticketIds: string[] }>({ name: '', text }, values)
  return row ?? { unread: 0, ticketIds: [] }
}

/** Mine; of conversations only while I may see them. */
const mine = async (actor: Actor, bind: Bind) => {
  const directory = await getDirectory(actor.tenantId)
  const tenant = bind(actor.tenantId)
  const own = `from notifications n where n.tenant_id = ${tenant} and n.user_id = ${bind(actor.userId)}`
  if (!actor.permissions.has('tickets.read')) return `${own} and n.ticket_id is null`
  return `${own} and (n.ticket_id is null or exists (select from tickets t where t.tenant_id = ${tenant} and t.id = n.ticket_id
      and ${visibleTickets(viewerOf(directory, actor.userId), { showAll: true }, bind)}))`
}

/** True when something was unread. */
export const markRead = async (tx: Tx, userId: string, { ids, ticketId }: z.output<typeof notificationsRead>) => {
  const { values, bind } = binding()
  const which = [
    ...(ids ? [`and id = any(${bind(ids)}::uuid[])`] : []),
    ...(ticketId ? [`and ticket_id = ${bind(ticketId)}`] : []),
  ]
  const text = `update notifications set read_at = now()
    where tenant_id = ${bind(tx.tenantId)} and user_id = ${bind(userId)} and read_at is null ${which.join(' ')} returning id`
  return (await tx.rows({ name: '', text }, values)).length > 0
}

/** Whom the waiting conversation called in vain. */
export const markTaken = async (tx: Tx, ticketIds: string[]): Promise<string[]> => {
  if (!ticketIds.length) return []
  const rows = await tx.rows<{ userId: string }>(taken, [tx.tenantId, ticketIds])
  return rows.map(({ userId }) => userId)
}
const taken: Prepared = {
  name: 'notifications_taken',
  text: `update notifications set read_at = now() where tenant_id = $1 and ticket_id = any($2::uuid[])
    and kind = 'waiting' and read_at is null returning user_id as "userId"`,
}

type Facts = { id: string; name: string; status: string; userId: string | null }
export const findFacts = async (tx: Tx, ticketIds: string[]): Promise<Map<string, Facts>> => {
  if (!ticketIds.length) return new Map()
  const rows = await tx.rows<Facts>(facts, [tx.tenantId, ticketIds])
  return new Map(rows.map((row) => [row.id, row]))
}
const facts: Prepared = {
  name: 'notifications_facts',
  text: `select t.id, c.name, t.status, t.user_id as "userId" from tickets t
    join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id where t.tenant_id = $1 and t.id = any($2::uuid[])`,
}

export const insertNotices = async (tx: Tx, lines: (Notice & { title: string; times: number })[]) => {
  if (!lines.length) return []
  const given = lines.map((line) => ({
    ...line,
    id: v7(),
    title: cutText(line.title, 200),
    body: cutText(line.body, 300),
  }))
  const rows = await tx.rows<Row & { userId: string }>(insert, [tx.tenantId, JSON.stringify(given)])
  return rows.map(({ userId, ...row }) => ({ userId, ...present(row) }))
}
const insert: Prepared = {
  name: 'notifications_insert',
  text: `insert into notifications as n (tenant_id, id, user_id, kind, subject, ticket_id, title, body, link, times)
    select $1, g.id, g."userId", g.kind, g.subject, g."ticketId", g.title, g.body, g.link, g.times
    from jsonb_to_recordset($2::jsonb) g(id uuid, "userId" uuid, kind text, subject text, "ticketId" uuid, title text,
      body text, link text, times int)
    on conflict (tenant_id, user_id, kind, subject) where read_at is null
    do update set title = excluded.title, body = excluded.body, link = excluded.link, at = now(),
      times = n.times + excluded.times
    returning n.user_id as "userId", ${columns}`,
}
