import type { QueryClient } from '@tanstack/react-query'
import type { Live } from '../../../kit/live.ts'
import { deliveryListKey, undeliveredQuery, wholeDeliveryQuery } from './api.ts'
import { type List, withDeliveries } from './with-deliveries.ts'

const calmMs = 1_000
const waiting = new Set<string>()

export const integrationsLive: Live = {
  'integration.delivered': (cache, { integrationId, items }) => {
    for (const [queryKey] of cache.getQueriesData({ queryKey: deliveryListKey(integrationId) })) {
      const states = Array.isArray(queryKey.at(-1)) ? (queryKey.at(-1) as string[]) : []
      cache.setQueryData<List>(queryKey, (now) => now && withDeliveries(now, items, states))
    }
    for (const { id } of items) void cache.invalidateQueries(wholeDeliveryQuery(integrationId, id))
    countAgain(cache, integrationId)
  },
}

/** The counts follow a burst once. */
const countAgain = (cache: QueryClient, integrationId: string) => {
  if (waiting.has(integrationId)) return
  waiting.add(integrationId)
  setTimeout(() => {
    waiting.delete(integrationId)
    void cache.invalidateQueries(undeliveredQuery(integrationId))
  }, calmMs)
}
