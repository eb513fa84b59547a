import {
  type InboxRef,
  idsOf,
  lookup,
  presentTicket,
  type TicketRow,
} from '@balcao/contract/conversations/ticket-row.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Prepared, Reader, Tx } from '../../../db/database.ts'
import type { Directory } from '../../core/directory/directory.ts'

/** Milliseconds cost far less to read than text that must become a date and text again. */
export const ms = (column: string) => `round(date_part('epoch', ${column}) * 1000)`
const joined = (id: string, link: string, key: string) =>
  `(select string_agg(l.${id}::text, ',') from ${link} l where l.tenant_id = $1 and l.${key})`

/** Every column of a presented ticket, over `tickets t`, `contacts c`, `connections x`; $1 is the tenant. */
export const columns: Record<keyof TicketRow, string> = {
  id: 't.id',
  protocol: "case when t.is_hidden then '' else t.protocol end", // of what no list shows nobody is told one
  status: 't.status',
  channel: 'x.kind',
  isGroup: 't.is_group',
  userId: 't.user_id',
  queueId: 't.queue_id',
  whatsappId: 't.connection_id',
  contactId: 't.contact_id',
  contactName: 'c.name',
  number: 'c.number',
  profilePicUrl: 'c.profile_pic_url',
  walletIds: joined('user_id', 'contact_wallets', 'contact_id = t.contact_id'),
  contactTagIds: joined('tag_id', 'contact_tags', 'contact_id = t.contact_id'),
  tagIds: joined('tag_id', 'ticket_tags', 'ticket_id = t.id'),
  kanban: 'c.lane_id',
  reasonId: 't.reason_id',
  chatFlowId: 't.chat_flow_id',
  bot: 't.bot',
  priority: 't.priority',
  value: 't.value::float8',
  sharedWith: 't.shared_with',
  pausedAt: ms('t.paused_at'),
  pausedUntil: ms('t.paused_until'),
  pauseReason: 't.pause_reason',
  wakesOnReply: 't.wakes_on_reply',
  mergedIntoId: 't.merged_into_id',
  firstAnsweredAt: ms('t.first_answered_at'),
  slaDueAt: ms('t.sla_due_at'),
  slaBreachedAt: ms('greatest(t.sla_first_breached_at, t.sla_resolve_breached_at)'),
  unreadMessages: 't.unread_messages',
  answered: 't.answered',
  lastMessage: 't.last_message',
  lastMessageType: 't.last_message_type',
  lastAuthorId: 't.last_author_id',
  lastMessageAt: ms('t.last_message_at'),
  notSent: 't.not_sent',
  notSentMessage: 't.not_sent_message',
  notSentMessageType: 't.not_sent_message_type',
  lastInboundAt: ms('t.last_inbound_at'),
  waitingSince: ms('t.waiting_since'),
  startedAt: ms('t.started_at'),
  closedAt: ms('t.closed_at'),
  createdAt: ms('t.created_at'),
  updatedAt: ms('t.updated_at'),
  version: 't.version',
}
export const ticketColumns = Object.entries(columns)
  .map(([name, column]) => `${column} as "${name}"`)
  .join(', ')
export const contactJoin = 'join contacts c on c.tenant_id = $1 and c.id = t.contact_id'
export const ticketJoins = `${contactJoin}
  join connections x on x.tenant_id = $1 and x.id = t.connection_id`

const oneTicket: Prepared = {
  name: 'ticket_row',
  text: `select ${ticketColumns} from tickets t ${ticketJoins} where t.tenant_id = $1 and t.id = $2`,
}
const lock: Prepared = {
  name: 'ticket_lock',
  text: 'select t.id from tickets t where t.tenant_id = $1 and t.id = $2 and not t.is_hidden for no key update',
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
  const [held] = await tx.rows(lock, [tx.tenantId, ticketId])
  return held && findTicket(tx, ticketId)
}

const names: Prepared = {
  name: 'ticket_names',
  text: `select id, name, color from tags where tenant_id = $1 and id = any($2::uuid[])
    union all select id, name, color from queues where tenant_id = $1 and id = any($2::uuid[])
    union all select id, name, null from users where tenant_id = $1 and id = any($2::uuid[])
    union all select id, name, null from reasons where tenant_id = $1 and id = any($2::uuid[])
    union all select id, name, null from connections where tenant_id = $1 and id = any($2::uuid[])`,
}

type NameRow = { id: string; name: string; color: string | null }

/** What these ids are called: from the directory where one is at hand, the rest in one statement. */
export const namesOf = async (
  reader: Reader,
  ids: Iterable<string>,
  directory?: Directory,
): Promise<Map<string, InboxRef>> => {
  const found = new Map<string, InboxRef>()
  const unknown: string[] = []
  for (const id of ids) {
    const card = directory?.tags.get(id) ?? directory?.queues.get(id)
    const named = card ?? directory?.people.get(id) ?? directory?.reasons.get(id) ?? directory?.connections.get(id)
    if (card) found.set(id, [id, card.name, card.color])
    else if (named) found.set(id, [id, named.name])
    else unknown.push(id)
  }
  if (unknown.length) {
    const rows = await reader.rows<NameRow>(names, [reader.tenantId, unknown])
    for (const { id, name, color } of rows) found.set(id, color === null ? [id, name] : [id, name, color])
  }
  return found
}

export const nameTickets = async (reader: Reader, rows: TicketRow[], directory?: Directory): Promise<Ticket[]> => {
  const ids = new Set<string>()
  for (const row of rows) {
    for (const id of [...idsOf(row.contactTagIds), ...idsOf(row.tagIds)]) ids.add(id)
    for (const id of [row.whatsappId, row.queueId, row.userId, row.lastAuthorId, row.reasonId]) if (id) ids.add(id)
  }
  const looked = lookup((await namesOf(reader, ids, directory)).values())
  return rows.map((row) => presentTicket(row, looked))
}

const otherActive: Prepared = {
  name: 'ticket_other_active',
  text: `select t.id as "ticketId", t.user_id as "userId", u.name as "userName" from tickets t
    left join users u on u.tenant_id = t.tenant_id and u.id = t.user_id
    where t.tenant_id = $1 and t.connection_id = $2 and t.contact_id = $3 and t.status <> 'closed'`,
}
export type OtherTicket = { ticketId: string; userId: string | null; userName: string | null }
/** The active ticket of a contact on a connection: there is at most one. */
export const findActiveTicket = async (
  tx: Tx,
  connectionId: string,
  contactId: string,
): Promise<OtherTicket | undefined> =>
  (await tx.rows<OtherTicket>(otherActive, [tx.tenantId, connectionId, contactId]))[0]

/** A statement of few possible texts. */
export const prepare = (text: string): Prepared => ({ name: 'tickets', text })
