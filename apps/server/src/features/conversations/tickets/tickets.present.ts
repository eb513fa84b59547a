import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { TicketDelta } from '@balcao/contract/events.ts'
import type { TicketFacts } from '../../../kit/outbox.ts'

/** What the visibility policy needs of a ticket. */
export const factsOf = (ticket: Ticket): TicketFacts => ({
  id: ticket.id,
  status: ticket.status,
  userId: ticket.userId,
  queueId: ticket.queueId,
  chatFlowId: ticket.chatFlowId,
  isGroup: ticket.isGroup,
  wallets: ticket.contact.wallets,
  sharedWith: ticket.sharedWith,
})

/** The changing face of a ticket that travels with each of its messages. */
export const deltaOf = (ticket: Ticket): TicketDelta => ({
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
  lastMessageAt: ticket.lastMessageAt,
  lastInboundAt: ticket.lastInboundAt,
  waitingSince: ticket.waitingSince,
  firstAnsweredAt: ticket.firstAnsweredAt,
  slaDueAt: ticket.slaDueAt,
  pausedAt: ticket.pausedAt,
  pausedUntil: ticket.pausedUntil,
  pauseReason: ticket.pauseReason,
  updatedAt: ticket.updatedAt,
  version: ticket.version,
})
