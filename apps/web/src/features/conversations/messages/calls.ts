import type { Page } from '@balcao/contract/common.ts'
import type { ExportQuery } from '@balcao/contract/conversations/exports.ts'
import type {
  BirthdayContact,
  BirthdayGreeting,
  birthdayResult,
  contactHistory,
  ForwardBody,
  forwardResult,
  messageEdits,
  resolvePendingResult,
  Starred,
  stuckMessages,
} from '@balcao/contract/conversations/message-calls.ts'
import type { FoundMessage, MessageType } from '@balcao/contract/conversations/messages.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { longTimeoutMs } from '../../../kit/api-client.ts'
import { downloadFile } from '../../../kit/download.ts'
import { pagedList } from '../../../kit/paged-list.ts'

export type MessageFilter = {
  searchParam: string
  ticketId?: string
  fromMe: '' | 'true' | 'false'
  type: MessageType[]
  dateFrom: string
  dateTo: string
}

/** A page may be empty and yet not the last: the search goes on where it stopped. */
export const foundMessages = (filter: MessageFilter) =>
  pagedList<Page<FoundMessage>>(['messages', 'found', filter], '/searchMessage', filter)

export const starredMessages = pagedList<Page<Starred>>(['messages', 'starred', 'all'], '/messages/starred')
/** Which messages of a conversation carry one's star. */
export const starsOf = (ticketId: string) =>
  queryOptions({
    queryKey: ['messages', 'starred', ticketId],
    queryFn: async ({ signal }) => {
      const page = await api.get<Page<Starred>>('/messages/starred', {
        query: { ticketId, limit: 200 },
        signal,
        quiet: true,
      })
      return page.items.map((message) => message.id)
    },
    staleTime: 60_000,
  })
export const starMessage = (id: string, isStarred: boolean) =>
  isStarred ? api.post(`/messages/${id}/star`) : api.delete(`/messages/${id}/star`)

type Edits = z.output<typeof messageEdits>
export const editsOf = (id: string, version: number) =>
  queryOptions({
    queryKey: ['messages', 'edits', id, version],
    queryFn: async ({ signal }) => (await api.get<Edits>(`/messages/${id}/edits`, { signal })).edits,
  })

type History = z.output<typeof contactHistory>
/** Newest page first; each page oldest first. */
export const historyOf = (contactId: string) => ({
  ...pagedList<History>(
    ['messages', 'history', contactId],
    `/messagesContact/${contactId}`,
    { limit: 60 },
    { cursorAs: 'before' },
  ),
  staleTime: 30_000,
})

export const forwardMessages = async (body: Omit<ForwardBody, 'dryRun'> & { dryRun?: boolean }) =>
  (await api.post<z.output<typeof forwardResult>>('/forward-messages', body, { timeoutMs: 60_000 })).targets

export const exportConversation = (ticketId: string, query: ExportQuery, signal: AbortSignal) =>
  downloadFile({ path: `/exportMessages/${ticketId}`, query, signal })

export const stuckQuery = queryOptions({
  queryKey: ['messages', 'stuck'],
  queryFn: async ({ signal }) =>
    (await api.get<z.output<typeof stuckMessages>>('/pending', { signal, quiet: true })).items,
  staleTime: 30_000,
})
export const resolveStuck = (whatsappId: string, action: 'retry' | 'drop') =>
  api.post<z.output<typeof resolvePendingResult>>('/pending/resolvePending', { whatsappId, action })

export const birthdaysToday = {
  ...pagedList<Page<BirthdayContact>>(['contacts', 'birthdays'], '/contactsBirthday'),
  staleTime: 0,
}
export const sendBirthdays = (body: BirthdayGreeting) =>
  api.post<z.output<typeof birthdayResult>>('/messages/sendBirthday', body, { timeoutMs: longTimeoutMs })
