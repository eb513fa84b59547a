import type { QueryClient } from '@tanstack/react-query'
import type { Live } from '../../../kit/live.ts'
import { dashboardToday } from './api.ts'

const calmMs = 4_000
let waiting: ReturnType<typeof setTimeout> | undefined

/** Any number of events costs one reading, at most every few seconds, and none while nobody looks at the figures. */
const renew = (cache: QueryClient) => {
  if (waiting || !isWatched(cache)) return
  waiting = setTimeout(() => {
    waiting = undefined
    void cache.invalidateQueries(dashboardToday)
  }, calmMs)
}

const isWatched = (cache: QueryClient) =>
  (cache.getQueryCache().find({ queryKey: dashboardToday.queryKey })?.getObserversCount() ?? 0) > 0

export const dashboardLive: Live = {
  'ticket.created': renew,
  'ticket.updated': renew,
  'ticket.hidden': renew,
  'message.created': renew,
  'queue.updated': renew,
  'user.updated': renew,
  'presence.user': (cache, { userId, isOnline, awaySince, awayReason }) =>
    cache.setQueryData(
      dashboardToday.queryKey,
      (now) =>
        now && {
          ...now,
          byUser: now.byUser.map((one) => (one.id === userId ? { ...one, isOnline, awaySince, awayReason } : one)),
        },
    ),
}
