import type { Tx } from '../../../db/database.ts'
import { bySystem } from '../../../kit/actor.ts'
import { logTicket } from '../../conversations/tickets/ticket-history.ts'
import type { TicketState } from '../../conversations/timeline/ticket-state.ts'
import type { Batch } from './arrivals.ts'
import { takeUpForCustomer } from './open-ticket.ts'

/** We began it, and nobody of the team has it: from the customer's answer on it waits like what they begin themself. */
export const takeUpAnswered = async (tx: Tx, { connection, directory, arrived }: Batch) => {
  const isOfNobody = ({ status, userId, isGroup }: TicketState) => status === 'open' && !userId && !isGroup
  const answered = arrived.flatMap(({ message, ticket }) => (message.fromMe || !isOfNobody(ticket) ? [] : ticket.id))
  for (const ticketId of new Set(answered)) await takeUpForCustomer(tx, connection, directory, ticketId)
}

/** The customer's word took up again what was put away. */
export const logAwakened = (tx: Tx, { received, tickets }: Batch) => {
  const woken = received.flatMap(({ known: { ticket, contactName } }) =>
    ticket?.pausedAt && !tickets.get(ticket.id)?.pausedAt ? [[ticket.id, resumedBy(ticket, contactName)] as const] : [],
  )
  return logTicket(tx, bySystem, ...new Map(woken).values())
}

const resumedBy = ({ id, queueId, contactId, pausedUntil }: TicketState, contactName: string | null) => ({
  ticketId: id,
  type: 'resume' as const,
  queueId,
  note: 'O cliente respondeu',
  author: { kind: 'contact' as const, id: contactId, name: contactName ?? '' },
  from: { pausedUntil: pausedUntil?.toISOString() ?? null },
  to: { pausedUntil: null },
  cause: { kind: 'reply' as const },
})
