import type { Page } from '@balcao/contract/common.ts'
import type { Starred } from '@balcao/contract/conversations/message-calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { pagedList } from '../../../kit/paged-list.ts'

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
