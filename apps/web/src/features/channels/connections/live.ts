import type { Live } from '../../../kit/live.ts'
import { connectionList, connectionWork } from './api.ts'

/** The state of each connection as it changes; one we have not met is read anew. */
export const connectionsLive: Live = {
  'connection.updated': (cache, next) => {
    const known = cache.getQueryData(connectionList.queryKey)
    if (!known) return
    if (!known.some((one) => one.id === next.id))
      return void cache.invalidateQueries({ queryKey: connectionList.queryKey })
    if (known.some((one) => one.id === next.id && one.status !== next.status))
      cache.setQueryData(connectionWork.queryKey, (now) =>
        now?.map((one) => (one.id === next.id ? { ...one, since: new Date().toISOString() } : one)),
      )
    cache.setQueryData(connectionList.queryKey, (now) =>
      now?.map((one) => (one.id === next.id && next.version >= one.version ? { ...one, ...next } : one)),
    )
  },
  'connection.login': (cache, { id, ...login }) => {
    cache.setQueryData(connectionList.queryKey, (now) =>
      now?.map((one) => (one.id === id ? { ...one, ...login } : one)),
    )
  },
  'connection.alert': (cache) => {
    void cache.invalidateQueries({ queryKey: connectionList.queryKey })
  },
  'connection.deleted': (cache, { id }) => {
    cache.setQueryData(connectionList.queryKey, (now) => now?.filter((one) => one.id !== id))
  },
}
