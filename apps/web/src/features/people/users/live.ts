import type { Page } from '@balcao/contract/common.ts'
import type { User } from '@balcao/contract/people/users.ts'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Live } from '../../../kit/live.ts'
import { selfQuery } from '../../../kit/polling.ts'
import { userOptions } from './api.ts'

/** Which queues a colleague serves stands in these as well. */
const renewOptions = (cache: QueryClient) => void cache.invalidateQueries({ queryKey: userOptions.queryKey })

/** Who comes, steps away and goes, without reading the list again. */
export const usersLive: Live = {
  'queue.created': renewOptions,
  'queue.updated': renewOptions,
  'queue.deleted': renewOptions,
  'presence.user': (cache, { userId, isAway, ...seen }) => {
    cache.setQueryData(userOptions.queryKey, (now) =>
      now?.map((one) => (one.id === userId ? { ...one, ...seen, isAway } : one)),
    )
    cache.setQueryData(selfQuery(userId).queryKey, (now) => now && { ...now, ...seen })
    const mark = (user: User): User => (user.id === userId ? { ...user, ...seen } : user)
    cache.setQueriesData<InfiniteData<Page<User>>>(
      { queryKey: ['resource', 'user', 'list'] },
      (now) => now && { ...now, pages: now.pages.map((page) => ({ ...page, items: page.items.map(mark) })) },
    )
  },
}
