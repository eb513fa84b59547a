import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { userOptions } from './api.ts'
import { usersLive } from './live.ts'

test('a queue that was made or changed has its people in the pickers of a window that was open before', () => {
  for (const event of ['queue.created', 'queue.updated', 'queue.deleted'] as const) {
    const cache = new QueryClient()
    cache.setQueryData(userOptions.queryKey, [])
    usersLive[event]?.(cache, {} as never)
    expect(cache.getQueryState(userOptions.queryKey)?.isInvalidated).toBe(true)
  }
})
