import type { Page } from '@balcao/contract/common.ts'
import type { AuditEntry, SupportVisit } from '@balcao/contract/platform/audit.ts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import type { QueryValue } from '../../../kit/api-client.ts'

export type AuditSource = '/audit' | '/tenantsAudit'
export type AuditFilter = Record<string, QueryValue>

export const auditList = <Entry extends AuditEntry>(source: AuditSource, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', source, filter],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<Entry>>(source, { query: { ...filter, cursor: pageParam, limit: 50 }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.hasMore ? last.nextCursor : null),
    placeholderData: keepPreviousData,
  })

/** Who of the platform's support is inside the company. */
export const visitsQuery = queryOptions({
  queryKey: ['support-visits'],
  queryFn: ({ signal }) => api.get<SupportVisit[]>('/supportVisits', { signal, quiet: true }),
})
