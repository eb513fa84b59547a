import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Tx } from '../../../db/database.ts'
import { messageOf } from './new-message.ts'
import { storeMessages } from './store.ts'
import { deltaOf, factsOf } from './ticket-facts.ts'

/** A line the team reads inside the conversation; never sent to the customer. */
export type ChatLine = { type: 'note' | 'system'; body: string; id?: string }

/** What happened, as lines of its conversations that only the team reads. */
export const writeLines = async (tx: Tx, author: Author, given: { ticket: Ticket; lines?: ChatLine[] }[]) => {
  const now = new Date()
  const people = new Map(author.kind === 'user' && author.id ? [[author.id, author]] : [])
  const messages = given.flatMap(({ ticket, lines = [] }) =>
    lines.map(({ id, type, body }) => ({
      message: messageOf(
        { tenantId: tx.tenantId, people, now },
        {
          id,
          ticket: { id: ticket.id, contactId: ticket.contactId, connectionId: ticket.whatsappId },
          author,
          fromMe: true,
          type,
          body,
          status: 'received',
        },
      ),
      delta: deltaOf(ticket),
      connectionId: ticket.whatsappId,
      audience: { kind: 'ticket' as const, facts: factsOf(ticket) },
    })),
  )
  if (messages.length) storeMessages(tx, { messages, tickets: [] })
}
