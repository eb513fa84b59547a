import type { Page } from '@balcao/contract/common.ts'
import type { Resource } from '@balcao/contract/resource.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'
import { longTimeoutMs, type QueryValue } from './api-client.ts'
import { pagedList, pageSize } from './paged-list.ts'

/** A row as ResourceScreen handles it: what every row carries, and fields it does not know. */
export type PlainRow = { id: string; version: number; createdAt: string; updatedAt: string } & Record<string, unknown>
export type ListQuery = { searchParam: string; sort: string; direction: 'asc' | 'desc' } & Record<string, QueryValue>

/** Keys begin with the event's noun, so that a live event renews them (`live.ts`). */
export const resourceList = (resource: Resource, query: ListQuery) =>
  pagedList<Page<PlainRow>>(
    ['resource', resource.event, 'list', query],
    resource.path,
    { ...query, limit: pageSize },
    { counts: true },
  )

type ReadRow = (id: string, signal: AbortSignal) => Promise<PlainRow>
export const resourceRow = (resource: Resource, id: string, read?: ReadRow) =>
  queryOptions({
    queryKey: ['resource', resource.event, 'row', id],
    queryFn: ({ signal }) => read?.(id, signal) ?? api.get<PlainRow>(`${resource.path}/${id}`, { signal }),
  })

/** Every row of the resource (up to 5,000), for pickers: `useQuery(allRows<Tag>(tagResource))`. */
export const allRows = <Row>(resource: Resource) =>
  queryOptions({
    queryKey: ['resource', resource.event, 'all'],
    queryFn: ({ signal }) => readAll<Row>(resource.path, {}, signal, 5_000),
  })

/** Follows the cursor to the end. */
export const readAll = async <Row>(
  path: `/${string}`,
  query: Record<string, QueryValue>,
  signal?: AbortSignal,
  limit = 100_000,
) => {
  const rows: Row[] = []
  for (let cursor: string | null = null; ; ) {
    const page: Page<Row> = await api.get<Page<Row>>(path, {
      query: { ...query, cursor, limit: 200 },
      signal,
      timeoutMs: longTimeoutMs,
    })
    rows.push(...page.items)
    if (!page.hasMore || !page.nextCursor || rows.length >= limit) return rows
    cursor = page.nextCursor
  }
}

/** `newId`: of a row that is made; the same again makes it once. */
export const saveRow = (resource: Resource, row: PlainRow | null, values: Record<string, unknown>, newId?: string) =>
  row
    ? api.put<PlainRow>(`${resource.path}/${row.id}`, { ...values, version: row.version })
    : api.post<PlainRow>(resource.path, { ...values, id: newId })

export const deleteRow = (resource: Resource, id: string, body?: object) => api.delete(`${resource.path}/${id}`, body)
