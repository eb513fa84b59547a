import type { Page } from '@balcao/contract/common.ts'
import type { Rating } from '@balcao/contract/service/ratings.ts'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Live } from '../../../kit/live.ts'
import { overtakeFirst } from '../../../kit/overtaken.ts'
import { ratingListsKey, ratingSummariesKey } from './api.ts'

const calmMs = 1_000
let isWaiting = false

/** A burst of grades costs the open summary one reading. */
const renewSummary = (cache: QueryClient) => {
  if (isWaiting) return
  isWaiting = true
  setTimeout(() => {
    isWaiting = false
    void cache.invalidateQueries({ queryKey: ratingSummariesKey })
  }, calmMs)
}

/** A customer has answered: the row they answered shows it where it stands. */
export const ratingsLive: Live = {
  'rating.updated': (cache, next) => {
    overtakeFirst(cache, ratingListsKey)
    cache.setQueriesData<InfiniteData<Page<Rating>>>({ queryKey: ratingListsKey }, (now) =>
      now?.pages.some((page) => page.items.some((one) => one.id === next.id))
        ? {
            ...now,
            pages: now.pages.map((page) => ({
              ...page,
              items: page.items.map((one) => (one.id === next.id ? next : one)),
            })),
          }
        : now,
    )
    renewSummary(cache)
  },
}
