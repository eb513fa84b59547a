import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { v7 } from 'uuid'
import type { Tx } from '../../../db/database.ts'
import { messages } from '../../../db/schema/conversations/messages.ts'
import type { Actor } from '../../../kit/actor.ts'
import { emitAll } from '../../../kit/outbox.ts'
import type { ChatLine } from './ticket-changes.ts'
import { deltaOf, factsOf } from './tickets.present.ts'

/** Who did it; null when nobody of the team did. */
export type Author = Pick<Actor, 'userId' | 'name'> | null

/** What happened, as lines of the conversation that only the team reads. */
export const writeLines = (tx: Tx, ticket: Ticket, author: Author, lines: ChatLine[]) =>
  writeAllLines(
    tx,
    author,
    lines.map((line) => ({ ticket, line })),
  )

/** The same for many conversations at once. */
export const writeAllLines = async (tx: Tx, author: Author, given: { ticket: Ticket; line: ChatLine }[]) => {
  if (!given.length) return
  const at = new Date()
  const fresh = given.map((one) => ({ ...one, id: v7() }))
  const rows = await tx.db
    .insert(messages)
    .values(
      fresh.map(({ id, ticket, line }) => ({
        tenantId: tx.tenantId,
        id,
        ticketId: ticket.id,
        contactId: ticket.contactId,
        connectionId: ticket.whatsappId,
        fromMe: true,
        type: line.type,
        body: line.body,
        status: 'received' as const,
        userId: author?.userId ?? null,
        timestamp: at,
        createdAt: at,
      })),
    )
    .returning({ id: messages.id, seq: messages.seq })
  const seqOf = new Map(rows.map(({ id, seq }) => [id, seq]))
  await emitAll(
    tx,
    fresh.map(({ id, ticket, line }) => {
      const message: Message = {
        id,
        seq: seqOf.get(id) ?? 0,
        type: line.type,
        body: line.body,
        ticketId: ticket.id,
        contactId: ticket.contactId,
        fromMe: true,
        media: null,
        mediaState: 'none',
        location: null,
        contacts: [],
        payload: null,
        sendType: 'chat',
        isForwarded: false,
        quoted: null,
        reactions: [],
        status: 'received',
        error: null,
        isDeleted: false,
        editedAt: null,
        user: author && { id: author.userId, name: author.name },
        timestamp: at.toISOString(),
        createdAt: at.toISOString(),
        version: 1,
      }
      return {
        name: 'message.created' as const,
        payload: { message, ticket: deltaOf(ticket) },
        audience: { kind: 'ticket' as const, facts: factsOf(ticket) },
      }
    }),
  )
}
