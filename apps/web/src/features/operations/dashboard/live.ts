import type { QueryClient } from '@tanstack/react-query'
import { dayOf } from '../../../kit/format.ts'
import type { Live } from '../../../kit/live.ts'
import { nowMs } from '../../../ui/server-time.ts'
import { dashboardToday } from './api.ts'
import { type StatisticsAsked, statisticsKey } from './statistics-api.ts'

const calmMs = 4_000
/** Facts follow a conversation by seconds, and sum a whole period. */
const calmStatisticsMs = 10_000
let waiting: ReturnType<typeof setTimeout> | undefined
let waitingStatistics: ReturnType<typeof setTimeout> | undefined

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

/** The same for the days in sight, where today is one of them. */
const renewStatistics = (cache: QueryClient) => {
  if (waitingStatistics) return
  const today = dayOf(new Date(nowMs()))
  const isToday = (asked: unknown) => (asked as StatisticsAsked).endDate >= today // only statisticsQuery writes under this key
  const inSight = cache
    .getQueryCache()
    .findAll({ queryKey: statisticsKey, type: 'active', predicate: ({ queryKey }) => isToday(queryKey[2]) })
  if (!inSight.length) return
  waitingStatistics = setTimeout(() => {
    waitingStatistics = undefined
    for (const { queryKey } of inSight) void cache.invalidateQueries({ queryKey, exact: true })
  }, calmStatisticsMs)
}
const renewBoth = (cache: QueryClient) => {
  renew(cache)
  renewStatistics(cache)
}

export const dashboardLive: Live = {
  'ticket.created': renewBoth,
  'ticket.updated': renewBoth,
  'ticket.hidden': renewBoth,
  'monitor.changed': renewBoth,
  'message.created': renew,
  'rating.updated': renewStatistics,
  'queue.updated': renewBoth,
  'user.updated': renewBoth,
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
