import type { InboundMessage } from '../../../channels/adapter.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { type Conversation, lockConversation } from '../../conversations/messages/system-messages.ts'
import type { NewMessage } from '../../conversations/timeline/store.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { isClosingWord } from './closing-words.ts'
import { takeGrades } from './take-grades.ts'

/** What a customer writes to a conversation that is over, without beginning another. */
export type Afterwords = {
  /** The messages that stay in it, by their provider's id. */
  providerIds: Set<string>
  conversation: Conversation
  /** What they are told, and what the team reads. */
  replies: NewMessage[]
}

/** The part of these messages that belongs to the contact's last conversation: grades, and words for "that is all". */
export const takeAfterwords = async (
  tx: Tx,
  directory: Directory,
  connectionId: string,
  contactId: string,
  events: InboundMessage[],
): Promise<Afterwords | undefined> => {
  const distinct = [...new Map(events.map((event) => [event.providerId, event])).values()]
  const graded = await takeGrades(tx, directory, { connectionId, contactId, events: distinct, now: new Date() })
  if (graded) return graded
  const isFarewell = distinct.every(({ fromMe, content }) => !fromMe && isClosingWord(directory, content.body))
  if (!isFarewell) return undefined
  const [last] = await tx.rows<{ id: string }>(lastClosed, [tx.tenantId, connectionId, contactId])
  const conversation = last && (await lockConversation(tx, last.id))
  return conversation && { providerIds: new Set(distinct.map((one) => one.providerId)), conversation, replies: [] }
}

const lastClosed: Prepared = {
  name: 'closing_last_ticket',
  text: `select id from tickets where tenant_id = $1 and connection_id = $2 and contact_id = $3
    order by created_at desc limit 1`,
}
