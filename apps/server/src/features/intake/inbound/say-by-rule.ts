import type { Tx } from '../../../db/database.ts'
import { byRule } from '../../../kit/actor.ts'
import { filledFor, lockConversation } from '../../conversations/messages/system-messages.ts'
import { composeOutgoing, unlessRefused } from '../../conversations/messages/write-outgoing.ts'
import type { NewMessage } from '../../conversations/timeline/store.ts'
import type { Batch } from './arrivals.ts'

type Said = {
  ticketIds: Iterable<string>
  name: string
  text: string | undefined
  /** The message's id, where the same must not be said twice. */
  idOf?: (ticketId: string) => string
}
/**
 * What the connection says by itself in conversations of this batch, behind the customer's words; left out where it cannot
 * go. Who waits for a person goes on waiting, with their own words in the list.
 */
export const sayByRule = async (
  tx: Tx,
  { directory, tickets, now }: Batch,
  { ticketIds, name, text, idOf }: Said,
): Promise<NewMessage[]> => {
  const said: NewMessage[] = []
  if (!text) return said
  for (const ticketId of new Set(ticketIds)) {
    const ticket = tickets.get(ticketId)
    const conversation = ticket && !ticket.isGroup ? await lockConversation(tx, ticketId) : undefined
    if (!ticket || !conversation) continue
    const words = composeOutgoing(tx, {
      ticket: { ...ticket, windowFrom: ticket.lastInboundAt },
      directory,
      author: byRule(name),
      cause: 'chat',
      purpose: 'service',
      drafts: [{ id: idOf?.(ticketId), type: 'text', body: filledFor(conversation, directory, text, null) }],
      effect: 'nothing',
      now,
    })
    said.push(...(await unlessRefused(words, [])))
  }
  return said
}
