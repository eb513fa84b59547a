import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { TicketDelta } from '@balcao/contract/events.ts'
import type { TicketFacts } from '../../../kit/outbox.ts'
import type { TicketState } from './ticket-state.ts'

/** What the visibility policy needs of a ticket. */
export const factsOf = (ticket: Ticket | TicketState): TicketFacts => ({
  id: ticket.id,
  status: ticket.status,
  userId: ticket.userId,
  queueId: ticket.queueId,
  chatFlowId: ticket.chatFlowId,
  isGroup: ticket.isGroup,
  wallets: 'contact' in ticket ? ticket.contact.wallets : ticket.wallets,
  sharedWith: ticket.sharedWith,
})

/** Its contact, as the author of what they do. */
export const byContact = ({ contact }: Ticket): Author => ({ kind: 'contact', id: contact.id, name: contact.name })

/** The changing face of a ticket that travels with each of its messages. */
export const deltaOf = (ticket: Ticket | TicketState): TicketDelta => ({
  id: ticket.id,
  status: ticket.status,
  isGroup: ticket.isGroup,
  userId: ticket.userId,
  queueId: ticket.queueId,
  unreadMessages: ticket.unreadMessages,
  answered: ticket.answered,
  lastMessage: ticket.lastMessage,
  lastMessageType: ticket.lastMessageType,
  lastAuthor: ticket.lastAuthor,
  lastMessageAt: iso(ticket.lastMessageAt),
  lastInboundAt: iso(ticket.lastInboundAt),
  waitingSince: iso(ticket.waitingSince),
  firstAnsweredAt: iso(ticket.firstAnsweredAt),
  slaDueAt: 'slaDueAt' in ticket ? ticket.slaDueAt : iso(promisedNext(ticket)),
  pausedAt: iso(ticket.pausedAt),
  pausedUntil: iso(ticket.pausedUntil),
  pauseReason: ticket.pauseReason,
  updatedAt: new Date(ticket.updatedAt).toISOString(),
  version: ticket.version,
})

const iso = (moment: Date | string | null) => (moment instanceof Date ? moment.toISOString() : moment)

/** As the generated column `sla_due_at` has it. */
const promisedNext = ({ firstAnsweredAt, slaFirstDueAt, slaResolveDueAt }: TicketState): Date | null => {
  const first = firstAnsweredAt ? null : slaFirstDueAt
  if (!first || !slaResolveDueAt) return first ?? slaResolveDueAt
  return first < slaResolveDueAt ? first : slaResolveDueAt
}
