import type { Page } from '@balcao/contract/common.ts'
import type { TicketProtocol, TicketProtocolsQuery } from '@balcao/contract/conversations/notes.ts'
import type { TicketStatus } from '@balcao/contract/conversations/tickets.ts'
import { withSearch } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { likePattern } from '../../../kit/cursor.ts'
import { newestPage } from '../../../kit/newest-page.ts'
import { withinDays } from '../../../kit/period.ts'
import { type Bind, binding } from '../../../kit/sql.ts'
import { isWorked, viewerOf, visibleTickets } from '../../conversations/tickets/tickets.policy.ts'
import { getDirectory } from '../../core/directory/directory.ts'

/** Every ticket the policy shows by its protocol, newest first. */
export const listProtocols = async (actor: Actor, query: TicketProtocolsQuery): Promise<Page<TicketProtocol>> => {
  const directory = await getDirectory(actor.tenantId)
  const { values, bind } = binding()
  const conditions = [
    `t.tenant_id = ${bind(actor.tenantId)}`,
    isWorked,
    visibleTickets(viewerOf(directory, actor.userId), { showAll: true }, bind),
    ...withinDays('t.created_at', query, directory.timezone, bind),
    ...searchOf(query.searchParam, bind),
  ]
  if (query.status.length) conditions.push(`t.status = any(${bind(query.status)}::text[])`)
  const from = `from tickets t join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
    left join users u on u.tenant_id = t.tenant_id and u.id = t.user_id
    left join queues q on q.tenant_id = t.tenant_id and q.id = t.queue_id
    where ${conditions.join(' and ')}`

  const columns = `t.id, t.protocol, t.status, u.id as "userId", u.name as "userName", q.id as "queueId",
    q.name as "queueName", t.created_at as "createdAt", t.closed_at as "closedAt", c.id as "contactId", c.name as "contactName"`
  const source = { columns, from, alias: 't', values, bind }
  return withSearch(actor, (tx) => newestPage(tx, source, query, presentProtocol))
}

/** Digits are looked for in the protocol and in the contact's number, everything else in the contact. */
const searchOf = (words: string, bind: Bind): string[] => {
  const clean = words.replaceAll('\0', '').trim()
  if (!clean) return []
  const inContact = `c.search like norm(${bind(likePattern(clean))})`
  const digits = clean.replace(/[\s()+.\-/]/g, '')
  if (!/^\d+$/.test(digits)) return [inContact]
  const pattern = bind(likePattern(digits))
  return [`(${inContact} or c.search like ${pattern} or t.protocol like ${pattern})`]
}

type ProtocolRow = {
  id: string
  protocol: string
  status: TicketStatus
  userId: string | null
  userName: string | null
  queueId: string | null
  queueName: string | null
  createdAt: Date
  closedAt: Date | null
  contactId: string
  contactName: string
}

const presentProtocol = (row: ProtocolRow): TicketProtocol => ({
  id: row.id,
  protocol: row.protocol,
  status: row.status,
  contact: { id: row.contactId, name: row.contactName },
  user: row.userId === null ? null : { id: row.userId, name: row.userName ?? '' },
  queue: row.queueId === null ? null : { id: row.queueId, name: row.queueName ?? '' },
  createdAt: row.createdAt.toISOString(),
  closedAt: row.closedAt?.toISOString() ?? null,
})
