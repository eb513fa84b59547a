import type {
  contactHistory,
  contactHistoryQuery,
  historyTicket,
} from '@balcao/contract/conversations/message-calls.ts'
import type { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { beyondAll } from '../../../kit/cursor.ts'
import { binding } from '../../../kit/sql.ts'
import { getContact } from '../../contacts/contacts/contacts.service.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { type Viewer, viewerOf, visibleTickets } from '../tickets/tickets.policy.ts'
import { type MessageRow, presentMessage } from '../timeline/messages.present.ts'
import { messageColumns, messageJoins } from './messages.queries.ts'

/** Everything said with a contact, over all the conversations this person may see: a page, oldest first. */
export const listContactHistory = async (
  actor: Actor,
  contactId: string,
  { before, whatsappIds, limit }: z.output<typeof contactHistoryQuery>,
) => {
  const directory = await getDirectory(actor.tenantId)
  await getContact(actor, contactId)
  const viewer = viewerOf(directory, actor.userId)
  const { values, bind } = binding()
  const [tenant, contact] = [bind(actor.tenantId), bind(contactId)]
  const mine = `select t.id from tickets t where t.tenant_id = ${tenant} and t.contact_id = ${contact}
    and ${visibleTickets(viewer, { showAll: true }, bind)}`
  const text = `select ${messageColumns} from (
      select * from messages where tenant_id = ${tenant} and contact_id = ${contact} and ticket_id in (${mine})
        and seq < ${bind(before ?? beyondAll.seq)}::bigint
        ${whatsappIds.length ? `and connection_id = any(${bind(whatsappIds)}::uuid[])` : ''}
      order by seq desc limit ${bind(limit + 1)}) m ${messageJoins} order by m.seq desc`
  const { rows, tickets, connections } = await withTenant(actor.tenantId, async (tx) => {
    const rows = await tx.rows<MessageRow>({ name: '', text }, values)
    const ids = [...new Set(rows.map((row) => row.ticketId))]
    const tickets = await tx.rows<TicketRow>(ticketsOfPage, [tx.tenantId, ids])
    const connections = await readConnections(tx, contactId, viewer)
    return { rows, tickets, connections }
  })
  const hasMore = rows.length > limit
  const page = rows.slice(0, limit).reverse()
  const [first] = page
  return {
    items: page.map((row) => ({
      ...presentMessage(row, actor.tenantId, directory.people),
      whatsappId: row.connectionId,
    })),
    tickets: tickets.map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      closedAt: row.closedAt?.toISOString() ?? null,
    })),
    connections,
    hasMore,
    nextCursor: hasMore && first ? String(first.seq) : null,
  }
}

type Connection = z.output<typeof contactHistory>['connections'][number]
/** Where their conversations are, and where they were before they went on over another. */
const readConnections = (tx: Tx, contactId: string, viewer: Viewer) => {
  const { values, bind } = binding()
  const tenant = bind(tx.tenantId)
  const text = `with theirs as (select t.id, t.connection_id from tickets t
      where t.tenant_id = ${tenant} and t.contact_id = ${bind(contactId)} and ${visibleTickets(viewer, { showAll: true }, bind)})
    select n.id, n.name, n.kind as channel from connections n where n.tenant_id = ${tenant} and n.id in (
      select connection_id from theirs
      union select (l."from" ->> 'whatsappId')::uuid from ticket_logs l
        where l.tenant_id = ${tenant} and l.ticket_id in (select id from theirs) and l.type = 'channel')
    order by n.name`
  return tx.rows<Connection>({ name: '', text }, values)
}

type TicketRow = Omit<z.output<typeof historyTicket>, 'createdAt' | 'closedAt'> & {
  createdAt: Date
  closedAt: Date | null
}
const ticketsOfPage = {
  name: 'history_tickets',
  text: `select id, case when is_hidden then '' else protocol end as protocol, created_at as "createdAt", closed_at as "closedAt" from tickets
    where tenant_id = $1 and id = any($2::uuid[]) order by created_at`,
}
