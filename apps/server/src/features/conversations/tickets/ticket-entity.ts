import { botNames, type Ticket, type TicketEntity } from '@balcao/contract/conversations/tickets.ts'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'

/** A ticket whoever asks may see, with what outside callers look for: the assistants' flags and what is scheduled. */
export const ticketEntityOf = (tenantId: number, ticket: Ticket): Promise<TicketEntity> =>
  withTenant(tenantId, async (tx) => ({
    ...ticket,
    ...flagsOf(ticket),
    groupUserIdArray: ticket.sharedWith,
    scheduledMessages: ticket.status === 'closed' ? [] : await readPending(tx, ticket),
  }))

/** One owner answers at a time: a person over an assistant, and of these the one that was chosen. */
const flagsOf = ({ bot, status }: Ticket) =>
  Object.fromEntries(botNames.map((name) => [`${name}Status`, bot === name && status !== 'open'])) as Record<
    `${(typeof botNames)[number]}Status`,
    boolean
  >

const readPending = async (tx: Tx, { contactId, whatsappId }: Ticket): Promise<TicketEntity['scheduledMessages']> => {
  const rows = await tx.rows<Pending>(pendingOf, [tx.tenantId, contactId, whatsappId])
  return rows.map(({ dueAt, ...row }) => ({ ...row, scheduleDate: dueAt.toISOString(), status: 'pending' }))
}
type Pending = { id: string; body: string; mediaName: string | null; dueAt: Date }
const pendingOf: Prepared = {
  name: 'ticket_scheduled',
  text: `select s.id, s.body, f.name as "mediaName", s.due_at as "dueAt" from schedules s
    left join files f on f.tenant_id = s.tenant_id and f.id = s.media_id
    where s.tenant_id = $1 and s.contact_id = $2 and s.connection_id = $3 and s.state = 'pending' order by s.due_at, s.id limit 100`,
}
