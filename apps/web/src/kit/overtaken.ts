import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

const firstWaitMs = 1_000
const longestWaitMs = 16_000
const overtaken = new WeakSet<Query>()
const waits = new WeakMap<Query, number>()

/**
 * An answer that was on its way while something newer was told overwrites what was told with older rows. Such a query
 * is read again a moment after its answer; in a rush of events, each time later. A query that puts its answer together
 * with what was told meanwhile says so: `meta: { merges: true }`. Returns how to stop.
 */
export const renewOvertaken = (cache: QueryClient) =>
  cache.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { query, action } = event
    if (action.type === 'fetch') return void overtaken.delete(query)
    // Where there is no answer yet, to invalidate goes on waiting for the one on its way.
    if (action.type === 'invalidate' && query.state.fetchStatus === 'fetching') return void overtaken.add(query)
    if (action.type !== 'success') return
    if (action.manual) {
      if (query.state.fetchStatus === 'fetching' && !query.meta?.merges) overtaken.add(query)
      return
    }
    if (!overtaken.delete(query)) return void waits.delete(query)
    const wait = waits.get(query) ?? firstWaitMs
    waits.set(query, Math.min(wait * 2, longestWaitMs))
    setTimeout(() => void cache.invalidateQueries({ queryKey: query.queryKey, exact: true }), wait)
  })

/** Something was told of lists that nobody has read yet: an answer on its way to one may not hold it. */
export const overtakeFirst = (cache: QueryClient, queryKey: QueryKey) => {
  for (const query of cache.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }))
    if (query.state.data === undefined) overtaken.add(query)
}
