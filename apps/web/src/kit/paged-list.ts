import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from './api.ts'
import type { QueryValue } from './api-client.ts'

type AnyPage = { nextCursor: string | null }
type Query = Record<string, QueryValue>
type How<P> = {
  /** The first page also says how many there are in all. */
  counts?: boolean
  /** Its failures are shown where it stands, not as a toast. */
  quiet?: boolean
  /** The parameter that takes the cursor. */
  cursorAs?: string
  /** Where the reply is not the page itself. */
  read?: (query: Query, signal: AbortSignal) => Promise<P>
}

/** A list read page by page, each from where the last one ended. Further options of the query are spread around it. */
export const pagedList = <P extends AnyPage>(
  key: readonly unknown[],
  path: `/${string}`,
  filter: Query = {},
  { counts, quiet, cursorAs = 'cursor', read }: How<P> = {},
) =>
  infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, [cursorAs]: pageParam, ...(counts && { count: pageParam === null }) }
      return read ? read(query, signal) : api.get<P>(path, { query, signal, quiet })
    },
    initialPageParam: null as string | null, // the first page has no cursor
    getNextPageParam: (last) => last.nextCursor,
  })

/** What was found stays until what is asked for now has come; that nothing was found says nothing of it. */
export const keepRows = <D extends { pages: { items: readonly unknown[] }[] }>(before: D | undefined) =>
  before?.pages.some(({ items }) => items.length > 0) ? before : undefined

/** As many rows as a list of a screen reads at once. */
export const pageSize = 50
