import type { OrderProducts } from '@balcao/contract/channels/requests.ts'
import type { Page } from '@balcao/contract/common.ts'
import type { draft, Message, MessageSend } from '@balcao/contract/conversations/messages.ts'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { isApiError } from '../../../kit/api-error.ts'
import { overtakeFirst } from '../../../kit/overtaken.ts'
import { type Conversation, movedTo, renewedBy, withMessages, withNewer } from './conversation.ts'

const firstPage = 40
const bigPage = 100
/** Of what was read already, to see where the unread messages begin. */
const someBefore = 10

/** `unread`: how many have to be there at first, so that one may begin to read where they begin. */
export const conversationQuery = (ticketId: string, unread = 0) =>
  queryOptions({
    queryKey: ['messages', ticketId],
    // What is loaded stays loaded: a refetch, after a gap in the connection, brings what was missed and the new states.
    queryFn: async ({ client, queryKey, signal }): Promise<Conversation> => {
      const before = client.getQueryData<Conversation>(queryKey)
      const middle = before?.hasNewer ? before.items[Math.floor(before.items.length / 2)] : undefined
      const latest = middle
        ? await readPage(ticketId, { around: middle.seq, limit: bigPage }, signal)
        : await readPage(
            ticketId,
            { limit: before ? bigPage : Math.min(bigPage, Math.max(firstPage, unread + someBefore)) },
            signal,
          )
      const now = client.getQueryData<Conversation>(queryKey) // events may have arrived meanwhile
      return now ? renewedBy(now, latest) : latest
    },
    staleTime: 60_000,
    meta: { merges: true },
  })

/** What the products of an order are called and look like; without an answer their codes stand there. */
export const orderProductsQuery = (messageId: string) =>
  queryOptions({
    queryKey: ['order-products', messageId],
    queryFn: ({ signal }) => api.get<OrderProducts>(`/messages/${messageId}/products`, { signal, quiet: true }),
    staleTime: 30 * 60_000,
    retry: false,
  })

/** What stands below the e-mails one writes in this conversation; what it is made of is named, so that it is asked again. */
export const mailSignatureQuery = ({ id, queueId }: { id: string; queueId: string | null }, own: string) =>
  queryOptions({
    queryKey: ['messages', id, 'signature', queueId, own],
    queryFn: async ({ signal }) => (await api.get<{ text: string }>(`/messages/${id}/signature`, { signal })).text,
    staleTime: 60_000,
  })

/** Puts an older page above what is loaded. */
export const loadOlder = async (cache: QueryClient, ticketId: string, limit = firstPage): Promise<void> => {
  const key = conversationQuery(ticketId).queryKey
  const now = cache.getQueryData(key)
  const first = now?.items[0]
  if (!now?.hasOlder || !first) return
  const older = await readPage(ticketId, { before: first.seq, limit })
  cache.setQueryData(key, (later) => later && { ...withMessages(later, older.items), hasOlder: older.hasOlder })
}

/** Goes to a message that is not loaded: the page around it takes the place of what is. False when it is not in this conversation. */
export const loadAround = async (cache: QueryClient, ticketId: string, messageId: string): Promise<boolean> => {
  const key = conversationQuery(ticketId).queryKey
  await cache.cancelQueries({ queryKey: key }) // a page on its way belongs to another place
  try {
    const there = await readPage(ticketId, { around: messageId, limit: bigPage })
    cache.setQueryData(key, (now) => movedTo(now, there))
  } catch (error) {
    if (isApiError(error) && error.status === 404) return false
    throw error
  }
  await closeGap(cache, ticketId)
  return true
}

/** Puts the page below what is loaded. */
export const loadNewer = async (cache: QueryClient, ticketId: string): Promise<void> => {
  const key = conversationQuery(ticketId).queryKey
  const last = cache.getQueryData(key)?.items.at(-1)
  if (!last) return
  const page = await readPage(ticketId, { after: last.seq, limit: bigPage })
  cache.setQueryData(key, (now) => now && withNewer(now, { items: page.items, hasNewer: page.hasOlder }))
  if (page.items.length) await closeGap(cache, ticketId)
}

/** Back to the end of the conversation. */
export const loadLatest = async (cache: QueryClient, ticketId: string): Promise<void> => {
  const latest = await readPage(ticketId, { limit: firstPage })
  cache.setQueryData(conversationQuery(ticketId).queryKey, (now) => movedTo(now, latest))
  await closeGap(cache, ticketId)
}

/** Once the end is reached again: what came while the last page was on its way found no place below it. */
const closeGap = async (cache: QueryClient, ticketId: string) => {
  if (!cache.getQueryData(conversationQuery(ticketId).queryKey)?.hasNewer) await loadNewer(cache, ticketId)
}

type PageQuery = { before?: number; after?: number; around?: number | string; limit: number }
type MessagePage = Page<Message> & { hasNewer?: boolean }
const readPage = async (ticketId: string, query: PageQuery, signal?: AbortSignal) => {
  const page = await api.get<MessagePage>(`/messages/${ticketId}`, { query, signal, quiet: true })
  return { items: page.items, hasOlder: page.hasMore, hasNewer: page.hasNewer ?? false }
}

export const postMessage = (ticketId: string, message: MessageSend, { keepalive = false } = {}) =>
  api.post<Message>(`/messages/${ticketId}`, message, { quiet: true, keepalive })
export const resendMessage = (id: string) => api.post<Message>(`/messages/${id}/resend`)
export const fetchFileAgain = (id: string) => api.post<Message>(`/messages/${id}/file`)
export const reactToMessage = (messageId: string, emoji: string) =>
  api.post<Message>('/messages/reactionMessage', { messageId, emoji })
export const editMessage = (id: string, body: string) => api.patch<Message>(`/messages/${id}`, { body })
export const deleteMessage = (id: string) => api.delete<Message>('/messages', { id })

type Draft = z.output<typeof draft>
/** Where something is being written: a message and a note of one conversation never meet. */
export type DraftPlace = Pick<Draft, 'ticketId' | 'kind'>
export const getDraft = ({ ticketId, kind }: DraftPlace) =>
  api.get<Draft>(`/tickets/${ticketId}/draft`, { query: { kind }, quiet: true })
export const putDraft = ({ ticketId, kind }: DraftPlace, body: string) =>
  api.put<Draft>(`/tickets/${ticketId}/draft`, { body }, { query: { kind }, quiet: true })

/** A message as a call or an event told it, into the conversation it belongs to; where nothing of that could be loaded, alone. */
export const receiveMessage = (cache: QueryClient, message: Message) => {
  const key = conversationQuery(message.ticketId).queryKey
  const known = cache.getQueryState(key)
  if (known?.status === 'error' && !known.data) return showAlone(cache, message)
  overtakeFirst(cache, key)
  cache.setQueryData(key, (now) => now && withMessages(now, [message]))
}

/** What we sent is shown even before anything else of its conversation has come. */
export const receiveSent = (cache: QueryClient, message: Message) => {
  const known = cache.getQueryState(conversationQuery(message.ticketId).queryKey)
  if (!known || known.data) receiveMessage(cache, message)
  else showAlone(cache, message)
}
const showAlone = (cache: QueryClient, message: Message) => {
  const key = conversationQuery(message.ticketId).queryKey
  cache.setQueryData(key, { items: [message], hasOlder: false, isPartial: true })
  void cache.invalidateQueries({ queryKey: key })
}
