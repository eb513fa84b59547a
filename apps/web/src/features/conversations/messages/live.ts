import type { Live } from '../../../kit/live.ts'
import { conversationQuery, receiveMessage } from './api.ts'
import { withoutMessage, withStatus } from './conversation.ts'
import { receiveDraft } from './drafts.ts'
import { delivered } from './outbox.ts'
import { hasDeafWay, renewWays } from './ways.ts'

/** Only conversations that are loaded take part; the others are read whole when they open. */
export const messageLive: Live = {
  'message.created': (cache, { message }) => {
    receiveMessage(cache, message)
    delivered(message.id)
    if (!message.fromMe && hasDeafWay(cache, message.ticketId)) void renewWays(cache, message.ticketId)
  },
  'message.updated': (cache, message) => receiveMessage(cache, message),
  'message.status': (cache, told) => {
    cache.setQueryData(conversationQuery(told.ticketId).queryKey, (now) => now && withStatus(now, told))
    // Refused, tried again, or arrived where nothing arrived before: what the contact is reached by may be another now.
    if (told.status === 'failed' || told.status === 'queued' || hasDeafWay(cache, told.ticketId))
      void renewWays(cache, told.ticketId)
  },
  'message.removed': (cache, { id, ticketId }) =>
    void cache.setQueryData(conversationQuery(ticketId).queryKey, (now) => now && withoutMessage(now, id)),
  'draft.updated': (_cache, { body, ...place }) => receiveDraft(place, body),
}
