import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Tx } from '../../../db/database.ts'
import type { StoredFile } from '../../core/media/media.present.ts'
import { messageOf } from './new-message.ts'
import { storeMessages } from './store.ts'
import { deltaOf, factsOf } from './ticket-facts.ts'

/** A line the team reads inside the conversation; never sent to the customer. */
export type ChatLine = {
  type: 'note' | 'system'
  body: string
  id?: string /** Of a note. */
  file?: StoredFile | null
}

/** What happened, as lines of its conversations that only the team reads. */
export const writeLines = async (tx: Tx, author: Author, given: { ticket: Ticket; lines?: ChatLine[] }[]) => {
  const now = new Date()
  const people = new Map(author.kind === 'user' && author.id ? [[author.id, author]] : [])
  const messages = given.flatMap(({ ticket, lines = [] }) =>
    lines.map(({ id, type, body, file }) => ({
      message: messageOf(
        { tenantId: tx.tenantId, people, now },
        {
          id,
          ticket: { id: ticket.id, contactId: ticket.contactId, connectionId: ticket.whatsappId },
          author,
          fromMe: true,
          type,
          body,
          file,
          status: 'received',
        },
      ),
      mediaId: file?.id ?? null,
      delta: deltaOf(ticket),
      connectionId: ticket.whatsappId,
      audience: { kind: 'ticket' as const, facts: factsOf(ticket) },
    })),
  )
  if (messages.length) storeMessages(tx, { messages, tickets: [] })
}
