import type { contactHistoryQuery, historyTicket } from '@balcao/contract/conversations/message-calls.ts'
import type { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { beyondAll } from '../../../kit/cursor.ts'
import { binding } from '../../../kit/sql.ts'
import { getContact } from '../../contacts/contacts/contacts.service.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { viewerOf, visibleTickets } from '../tickets/tickets.policy.ts'
import { type MessageRow, presentMessage } from '../timeline/messages.present.ts'
import { messageColumns, messageJoins } from './messages.queries.ts'

/** Everything said with a contact, over all the conversations this person may see: a page, oldest first. */
export const listContactHistory = async (
  actor: Actor,
  contactId: string,
  { before, limit }: z.output<typeof contactHistoryQuery>,
) => {
  const directory = await getDirectory(actor.tenantId)
  await getContact(actor, contactId)
  const { values, bind } = binding()
  const [tenant, contact] = [bind(actor.tenantId), bind(contactId)]
  const mine = `select t.id from tickets t where t.tenant_id = ${tenant} and t.contact_id = ${contact}
    and ${visibleTickets(viewerOf(directory, actor.userId), { showAll: true }, bind)}`
  const text = `select ${messageColumns} from (
      select * from messages where tenant_id = ${tenant} and contact_id = ${contact} and ticket_id in (${mine})
        and seq < ${bind(before ?? beyondAll.seq)}::bigint
      order by seq desc limit ${bind(limit + 1)}) m ${messageJoins} order by m.seq desc`
  const { rows, tickets } = await withTenant(actor.tenantId, async (tx) => {
    const rows = await tx.rows<MessageRow>({ name: '', text }, values)
    const ids = [...new Set(rows.map((row) => row.ticketId))]
    const tickets = await tx.rows<TicketRow>(ticketsOfPage, [tx.tenantId, ids])
    return { rows, tickets }
  })
  const hasMore = rows.length > limit
  const page = rows.slice(0, limit).reverse()
  const [first] = page
  return {
    items: page.map((row) => presentMessage(row, actor.tenantId, directory.people)),
    tickets: tickets.map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      closedAt: row.closedAt?.toISOString() ?? null,
    })),
    hasMore,
    nextCursor: hasMore && first ? String(first.seq) : null,
  }
}

type TicketRow = Omit<z.output<typeof historyTicket>, 'createdAt' | 'closedAt'> & {
  createdAt: Date
  closedAt: Date | null
}
const ticketsOfPage = {
  name: 'history_tickets',
  text: `select id, protocol, created_at as "createdAt", closed_at as "closedAt" from tickets
    where tenant_id = $1 and id = any($2::uuid[]) order by created_at`,
}
