import type { Live } from '../../../kit/live.ts'
import { conversationQuery, receiveMessage } from './api.ts'
import { withoutMessage, withStatus } from './conversation.ts'
import { receiveDraft } from './drafts.ts'
import { delivered } from './outbox.ts'
import { renewWays } from './ways.ts'

/** Only conversations that are loaded take part; the others are read whole when they open. */
export const messageLive: Live = {
  'message.created': (cache, { message }) => {
    receiveMessage(cache, message)
    delivered(message.id)
  },
  'message.updated': (cache, message) => receiveMessage(cache, message),
  'message.status': (cache, told) => {
    cache.setQueryData(conversationQuery(told.ticketId).queryKey, (now) => now && withStatus(now, told))
    // Refused, or tried again: what the contact is reached by may be another now.
    if (told.status === 'failed' || told.status === 'queued') void renewWays(cache, told.ticketId)
  },
  'message.removed': (cache, { id, ticketId }) =>
    void cache.setQueryData(conversationQuery(ticketId).queryKey, (now) => now && withoutMessage(now, id)),
  'draft.updated': (_cache, { body, ...place }) => receiveDraft(place, body),
}
