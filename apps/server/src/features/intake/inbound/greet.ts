import type { Tx } from '../../../db/database.ts'
import { byRule } from '../../../kit/actor.ts'
import { filledFor, lockConversation } from '../../conversations/messages/system-messages.ts'
import { composeOutgoing, unlessRefused } from '../../conversations/messages/write-outgoing.ts'
import type { NewMessage } from '../../conversations/timeline/store.ts'
import type { Batch } from './arrivals.ts'

/** The connection's own welcome, to whoever begins a conversation there; once per conversation, behind their words. */
export const greet = async (tx: Tx, { connection, directory, opened, tickets, now }: Batch): Promise<NewMessage[]> => {
  const { greeting } = connection.options
  if (!greeting) return []
  const greetings: NewMessage[] = []
  for (const ticketId of opened) {
    const ticket = tickets.get(ticketId)
    const conversation = ticket && !ticket.isGroup ? await lockConversation(tx, ticketId) : undefined
    if (!ticket || !conversation) continue
    const body = filledFor(conversation, directory, greeting, null)
    const words = composeOutgoing(tx, {
      ticket: { ...ticket, windowFrom: ticket.lastInboundAt },
      directory,
      author: byRule('Saudação'),
      cause: 'chat',
      purpose: 'service',
      drafts: [{ type: 'text', body }],
      // Who waits for a person goes on waiting, with their own words in the list.
      effect: 'nothing',
      now,
    })
    greetings.push(...(await unlessRefused(words, [])))
  }
  return greetings
}
