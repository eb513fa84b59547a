import type { contactHistory, messageEdits } from '@balcao/contract/conversations/message-calls.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { pagedList } from '../../../kit/paged-list.ts'

type Edits = z.output<typeof messageEdits>
export const editsOf = (id: string, version: number) =>
  queryOptions({
    queryKey: ['messages', 'edits', id, version],
    queryFn: async ({ signal }) => (await api.get<Edits>(`/messages/${id}/edits`, { signal })).edits,
  })

type History = z.output<typeof contactHistory>
/** Newest page first; each page oldest first. */
export const historyOf = (contactId: string, whatsappId: string | null) => ({
  ...pagedList<History>(
    ['messages', 'history', contactId, whatsappId],
    `/messagesContact/${contactId}`,
    { limit: 60, ...(whatsappId && { whatsappIds: [whatsappId] }) },
    { cursorAs: 'before' },
  ),
  staleTime: 30_000,
  placeholderData: keepPreviousData,
})
