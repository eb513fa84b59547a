import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'
import type { Abilities } from './abilities.ts'
import { allowedOn } from './allowed.ts'
import {
  conversationQuery,
  deleteMessage,
  fetchFileAgain,
  loadAround,
  loadLatest,
  loadNewer,
  loadOlder,
  receiveMessage,
  resendMessage,
} from './api.ts'
import type { Conversation } from './conversation.ts'
import type { MessageSource } from './message-source.ts'
import { retrySend } from './outbox.ts'
import { useOutgoing } from './outbox-entries.ts'
import { reactWith } from './reacting.ts'
import { starMessage, starsOf } from './stars.ts'
import { takeBack } from './take-back.ts'

/** The messages of a ticket, kept by events, with all that its channel lets one do with them. */
export const useTicketSource = (ticket: Ticket, conversation: Conversation, abilities: Abilities): MessageSource => {
  const cache = useQueryClient()
  const { userId } = useCurrentSession()
  const mayModerate = useCan('messages.moderate')
  const { id, status } = ticket
  const outgoing = useOutgoing().filter((entry) => entry.message.ticketId === id)
  const starred = useQuery(starsOf(id)).data ?? none
  const allowed = useCallback(
    (message: Message) => allowedOn(message, { status, abilities, userId, mayModerate }),
    [status, abilities, userId, mayModerate],
  )
  const change = (work: Promise<Message>) =>
    void work
      .then((renewed) => receiveMessage(cache, renewed))
      .catch((error: unknown) => notify.error(messageOf(error)))
  return {
    conversation,
    loadOlder: () => loadOlder(cache, id),
    loadNewer: () => loadNewer(cache, id),
    loadLatest: () => loadLatest(cache, id),
    loadAround: (messageId) => loadAround(cache, id, messageId),
    renew: () => void cache.invalidateQueries({ queryKey: conversationQuery(id).queryKey }),
    outgoing,
    starred,
    work: {
      allowedOn: allowed,
      react: (message, emoji) => change(reactWith(message, emoji)),
      remove: (message) => change(deleteMessage(message.id)),
      resend: (message) => change(resendMessage(message.id)),
      fetchFile: (message) => change(fetchFileAgain(message.id)),
      retry: (entry, isForced) => retrySend(entry.message.id, isForced),
      takeBack: (entry) => takeBack(id, entry.message.id),
      star: (message, isStarred) => {
        cache.setQueryData(starsOf(id).queryKey, (now = []) =>
          isStarred ? [...now, message.id] : now.filter((one) => one !== message.id),
        )
        starMessage(message.id, isStarred)
          .catch((error: unknown) => notify.error(messageOf(error)))
          .finally(() => cache.invalidateQueries({ queryKey: ['messages', 'starred'] }))
      },
    },
  }
}
const none: readonly string[] = []
