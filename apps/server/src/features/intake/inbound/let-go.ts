import type { Tx } from '../../../db/database.ts'
import { commitTicketChange } from '../../conversations/tickets/commit-ticket-changes.ts'
import { lockTicket } from '../../conversations/tickets/ticket-rows.ts'
import type { Batch } from './arrivals.ts'

/** Somebody of the team wrote on the phone itself: the flow that led the conversation does so no more. */
export const letGo = async (tx: Tx, { arrived }: Batch) => {
  const led = arrived.filter(({ message, ticket }) => message.fromMe && ticket.chatFlowId)
  for (const [ticketId, author] of new Map(led.map(({ ticket, message }) => [ticket.id, message.author]))) {
    const before = await lockTicket(tx, ticketId)
    if (before?.chatFlowId && author) await commitTicketChange(tx, { before, set: { chatFlowId: null } }, author)
  }
}
