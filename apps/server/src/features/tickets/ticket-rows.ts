import { createHash } from 'node:crypto'
import type { Ticket } from '@balcao/contract/tickets.ts'
import type { Prepared, Tx } from '../../db/database.ts'
import type { Directory } from '../directory/directory.ts'
import { idsOf, presentTicket, type TicketRow } from './tickets.present.ts'

/** Milliseconds cost far less to read than text that must become a date and text again. */
const ms = (column: string) => `round(date_part('epoch', ${column}) * 1000)`
const joined = (id: string, link: string, key: string) =>
  `(select string_agg(l.${id}::text, ',') from ${link} l where l.tenant_id = $1 and l.${key})`

/** Every column of a presented ticket, over `tickets t`, `contacts c`, `connections x`; $1 is the tenant. */
export const ticketColumns = `t.id, t.protocol, t.status, x.kind as channel, t.is_group as "isGroup", t.user_id as "userId",
  t.queue_id as "queueId", t.connection_id as "whatsappId", x.name as "whatsappName", t.contact_id as "contactId",
  c.name as "contactName", c.number, c.profile_pic_url as "profilePicUrl", t.kanban_id as kanban,
  t.reason_id as "reasonId", t.chat_flow_id as "chatFlowId", t.bot, t.priority, t.value::float8 as value,
  t.shared_with as "sharedWith", t.pause_reason as "pauseReason", t.wakes_on_reply as "wakesOnReply",
  ${ms('t.paused_at')} as "pausedAt", ${ms('t.paused_until')} as "pausedUntil", t.merged_into_id as "mergedIntoId",
  ${ms('t.first_answered_at')} as "firstAnsweredAt", ${ms('t.sla_due_at')} as "slaDueAt",
  ${ms('greatest(t.sla_first_breached_at, t.sla_resolve_breached_at)')} as "slaBreachedAt",
  t.unread_messages as "unreadMessages", t.answered, t.last_message as "lastMessage", t.last_message_type as "lastMessageType",
  t.last_author_id as "lastAuthorId", t.not_sent as "notSent",
  ${ms('t.last_message_at')} as "lastMessageAt", ${ms('t.last_inbound_at')} as "lastInboundAt", ${ms('t.waiting_since')} as "waitingSince",
  ${ms('t.started_at')} as "startedAt", ${ms('t.closed_at')} as "closedAt", ${ms('t.created_at')} as "createdAt",
  ${ms('t.updated_at')} as "updatedAt", t.version,
  ${joined('user_id', 'contact_wallets', 'contact_id = t.contact_id')} as "walletIds",
  ${joined('tag_id', 'contact_tags', 'contact_id = t.contact_id')} as "contactTagIds",
  ${joined('tag_id', 'ticket_tags', 'ticket_id = t.id')} as "tagIds"`
export const ticketJoins = `join contacts c on c.tenant_id = $1 and c.id = t.contact_id
  join connections x on x.tenant_id = $1 and x.id = t.connection_id`

const oneTicket: Prepared = {
  name: 'ticket_row',
  text: `select ${ticketColumns} from tickets t ${ticketJoins} where t.tenant_id = $1 and t.id = $2`,
}
const lock: Prepared = {
  name: 'ticket_lock',
  text: 'select t.id from tickets t where t.tenant_id = $1 and t.id = $2 for no key update',
}

export const findTicket = async (tx: Tx, ticketId: string): Promise<Ticket | undefined> => {
  const rows = await tx.rows<TicketRow>(oneTicket, [tx.tenantId, ticketId])
  return (await nameTickets(tx, rows))[0]
}
const manyTickets: Prepared = {
  name: 'ticket_rows',
  text: `select ${ticketColumns} from tickets t ${ticketJoins} where t.tenant_id = $1 and t.id = any($2::uuid[])`,
}
export const findTickets = async (tx: Tx, ticketIds: string[]): Promise<Ticket[]> =>
  nameTickets(tx, await tx.rows<TicketRow>(manyTickets, [tx.tenantId, ticketIds]))

/**
 * The same, held until the transaction ends: decisions about one ticket come one after the other. Read after the lock
 * is ours, so that tags and wallets are as fresh as the row.
 */
export const lockTicket = async (tx: Tx, ticketId: string): Promise<Ticket | undefined> => {
  await tx.rows(lock, [tx.tenantId, ticketId])
  return findTicket(tx, ticketId)
}

type NameRow = { kind: 'tag' | 'queue' | 'user' | 'reason'; id: string; name: string; color: string }
const names: Prepared = {
  name: 'ticket_names',
  text: `select 'tag' as kind, id, name, color from tags where tenant_id = $1 and id = any($2::uuid[])
    union all select 'queue', id, name, color from queues where tenant_id = $1 and id = any($3::uuid[])
    union all select 'user', id, name, '' from users where tenant_id = $1 and id = any($4::uuid[])
    union all select 'reason', id, name, '' from reasons where tenant_id = $1 and id = any($5::uuid[])`,
}

/** Gives ids their names: from the directory where one is at hand, the rest in one statement. */
export const nameTickets = async (tx: Tx, rows: TicketRow[], directory?: Directory): Promise<Ticket[]> => {
  const unknown = {
    tag: new Set<string>(),
    queue: new Set<string>(),
    user: new Set<string>(),
    reason: new Set<string>(),
  }
  for (const row of rows) {
    for (const id of [...idsOf(row.contactTagIds), ...idsOf(row.tagIds)])
      if (!directory?.tags.has(id)) unknown.tag.add(id)
    if (row.queueId && !directory?.queues.has(row.queueId)) unknown.queue.add(row.queueId)
    for (const id of [row.userId, row.lastAuthorId]) if (id && !directory?.people.has(id)) unknown.user.add(id)
    if (row.reasonId && !directory?.reasons.has(row.reasonId)) unknown.reason.add(row.reasonId)
  }
  const found = new Map<string, NameRow>()
  if (unknown.tag.size || unknown.queue.size || unknown.user.size || unknown.reason.size) {
    const values = [tx.tenantId, [...unknown.tag], [...unknown.queue], [...unknown.user], [...unknown.reason]]
    for (const { kind, id, name, color } of await tx.rows<NameRow>(names, values))
      found.set(id, { kind, id, name, color })
  }
  const card = (id: string) => {
    const row = found.get(id)
    return row && { id, name: row.name, color: row.color }
  }
  return rows.map((row) =>
    presentTicket(row, {
      tag: (id) => directory?.tags.get(id) ?? card(id),
      queue: (id) => directory?.queues.get(id) ?? card(id),
      userName: (id) => directory?.people.get(id)?.name ?? found.get(id)?.name,
      reasonName: (id) => directory?.reasons.get(id)?.name ?? found.get(id)?.name,
    }),
  )
}

const otherActive: Prepared = {
  name: 'ticket_other_active',
  text: `select t.id as "ticketId", t.user_id as "userId", u.name as "userName" from tickets t
    left join users u on u.tenant_id = t.tenant_id and u.id = t.user_id
    where t.tenant_id = $1 and t.connection_id = $2 and t.contact_id = $3 and t.status <> 'closed'`,
}
export type OtherTicket = { ticketId: string; userId: string | null; userName: string | null }
/** The active ticket of a contact on a connection: there is at most one (ruling 18). */
export const findActiveTicket = async (
  tx: Tx,
  connectionId: string,
  contactId: string,
): Promise<OtherTicket | undefined> =>
  (await tx.rows<OtherTicket>(otherActive, [tx.tenantId, connectionId, contactId]))[0]

const prepared = new Map<string, Prepared>()
/** A statement of few possible texts, prepared under a name of its own. */
export const prepare = (text: string): Prepared => {
  let statement = prepared.get(text)
  if (!statement) {
    statement = { name: `tickets_${createHash('sha1').update(text).digest('hex')}`, text }
    prepared.set(text, statement)
  }
  return statement
}
