import { isWindowOpen } from '@balcao/contract/channels/window.ts'
import { scaleMessage } from '@balcao/contract/service/rating-scale.ts'
import { v7 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'
import { byRule } from '../../../kit/actor.ts'
import { hasConsent } from '../../contacts/consent/consent.ts'
import { type Conversation, sendSystemMessage } from '../../conversations/messages/system-messages.ts'
import type { Directory } from '../../core/directory/directory.ts'

/**
 * The customer of a conversation about to be closed is asked for a grade where its connection wants it: one who wrote
 * and was served, in a private chat, on a channel that takes the question now.
 */
export const mayAskForRating = (conversation: Conversation): boolean =>
  conversation.sendEvaluation &&
  !conversation.isGroup &&
  wasServed(conversation) &&
  isWindowOpen(conversation.abilities, conversation.windowFrom)

/** One question at a time: an older one that is still open ends unanswered. */
export const askForRating = async (tx: Tx, directory: Directory, conversation: Conversation): Promise<void> => {
  const { id, connectionId, contactId, userId, queueId, kind } = conversation
  const { rating } = directory.settings
  if (!isWindowOpen(conversation.abilities, conversation.windowFrom)) return
  if (!(await hasConsent(tx, { contactId, channel: kind, purpose: 'research' }))) return
  await tx.rows(endOlder, [tx.tenantId, connectionId, contactId])
  await tx.rows(insert, [tx.tenantId, v7(), id, contactId, connectionId, userId, queueId, rating.expiresIn])
  const question = { ...scaleMessage(rating, conversation.abilities), sendType: 'rating' as const }
  await sendSystemMessage(tx, directory, conversation, question, { author: byRule('Avaliação'), purpose: 'research' })
}

const wasServed = ({ lastInboundAt, startedAt, status, userId }: Conversation) =>
  lastInboundAt !== null && (startedAt !== null || (status === 'open' && userId !== null))

const endOlder: Prepared = {
  name: 'rating_end_older',
  text: `update ratings set status = 'expired' where tenant_id = $1 and connection_id = $2 and contact_id = $3 and status = 'pending'`,
}
const insert: Prepared = {
  name: 'rating_ask',
  text: `insert into ratings (tenant_id, id, ticket_id, contact_id, connection_id, user_id, queue_id, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(mins => $8))`,
}
