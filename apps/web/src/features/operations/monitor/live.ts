import type { QueryClient } from '@tanstack/react-query'
import type { Live } from '../../../kit/live.ts'
import { monitorKey } from './api.ts'

const calmMs = 2_000
let askedAt = 0
let waiting: ReturnType<typeof setTimeout> | undefined

/** Any number of changes costs one reading, at most every two seconds, and none while nobody looks. */
const renew = (cache: QueryClient) => {
  const isWatched = cache
    .getQueryCache()
    .findAll({ queryKey: monitorKey })
    .some((query) => query.isActive())
  if (waiting || !isWatched) return
  const inMs = Math.max(0, askedAt + calmMs - Date.now())
  waiting = setTimeout(() => {
    waiting = undefined
    askedAt = Date.now()
    void cache.invalidateQueries({ queryKey: monitorKey })
  }, inMs)
}

export const monitorLive: Live = {
  'monitor.changed': renew,
  'presence.user': renew,
  'user.updated': renew,
  'user.deleted': renew,
  'queue.created': renew,
  'queue.updated': renew,
  'queue.deleted': renew,
}
