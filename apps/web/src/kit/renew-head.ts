import type { Page } from '@balcao/contract/common.ts'
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'

type Row = { id: string | number; at: string }
type List = InfiniteData<Page<Row>>
const calmMs = 1_000
const waiting = new Set<string>()

/**
 * Something changed at the head of lists that are read newest first: what stands open reads its first page anew, and keeps
 * what was read below it. A burst of events costs one page.
 */
export const renewHead = (cache: QueryClient, queryKey: QueryKey) => {
  const name = JSON.stringify(queryKey)
  if (waiting.has(name)) return
  waiting.add(name)
  setTimeout(() => {
    waiting.delete(name)
    for (const query of cache.getQueryCache().findAll({ queryKey, type: 'active' })) {
      const read = query.options.queryFn
      if (typeof read !== 'function' || !query.state.data) continue
      const { signal } = new AbortController()
      const context = {
        client: cache,
        queryKey: query.queryKey,
        signal,
        meta: query.meta,
        pageParam: null,
        direction: 'forward',
      }
      Promise.resolve(read(context as never)) // the function of a paged list asks for no more than this
        .then((first) => cache.setQueryData<List>(query.queryKey, (now) => now && withHead(now, first as Page<Row>)))
        .catch(() => {}) // it is read again with the next event, or when the screen is opened
    }
  }, calmMs)
}

/** The first page as it is now, then what was known below its last row. */
export const withHead = (now: List, first: Page<Row>): List => {
  const known = new Set(first.items.map((row) => row.id))
  const last = first.items.at(-1)
  const isBelow = (row: Row) => first.hasMore && last !== undefined && row.at <= last.at && !known.has(row.id)
  const [head, ...others] = now.pages
  if (!head) return now
  const pages = [
    {
      ...head,
      ...(first.count === undefined ? {} : { count: first.count }),
      items: [...first.items, ...head.items.filter(isBelow)],
      ...(others.length || head.items.some(isBelow) ? {} : { hasMore: first.hasMore, nextCursor: first.nextCursor }),
    },
    ...others.map((page) => ({ ...page, items: page.items.filter(isBelow) })),
  ]
  return { ...now, pages }
}

/** Some rows are no longer there. */
export const withoutRows = <R extends { id: string | number }>(
  now: InfiniteData<Page<R>> | undefined,
  isGone: (row: R) => boolean,
): InfiniteData<Page<R>> | undefined => {
  const gone = now?.pages.flatMap((page) => page.items).filter(isGone).length
  if (!now || !gone) return now
  const pages = now.pages.map((page) => ({
    ...page,
    items: page.items.filter((row) => !isGone(row)),
    ...(page.count === undefined ? {} : { count: Math.max(0, page.count - gone) }),
  }))
  return { ...now, pages }
}
