import type { Live } from '../../../kit/live.ts'
import { conversationQuery, receiveMessage } from './api.ts'
import { withoutMessage, withStatus } from './conversation.ts'
import { receiveDraft } from './drafts.ts'
import { delivered } from './outbox.ts'

/** Only conversations that are loaded take part; the others are read whole when they open. */
export const messageLive: Live = {
  'message.created': (cache, { message }) => {
    receiveMessage(cache, message)
    delivered(message.id)
  },
  'message.updated': (cache, message) => receiveMessage(cache, message),
  'message.status': (cache, told) =>
    void cache.setQueryData(conversationQuery(told.ticketId).queryKey, (now) => now && withStatus(now, told)),
  'message.removed': (cache, { id, ticketId }) =>
    void cache.setQueryData(conversationQuery(ticketId).queryKey, (now) => now && withoutMessage(now, id)),
  'draft.updated': (_cache, { body, ...place }) => receiveDraft(place, body),
}
