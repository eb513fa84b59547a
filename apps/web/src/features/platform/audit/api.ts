import type { Page } from '@balcao/contract/common.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import type { AuditEntry, SupportVisit } from '@balcao/contract/platform/audit.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { type QueryValue, said } from '../../../kit/api-client.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'

export type AuditSource = '/audit' | '/tenantsAudit'
export type AuditFilter = Record<string, QueryValue>

export const auditList = <Entry extends AuditEntry>(source: AuditSource, filter: AuditFilter) => ({
  ...pagedList<Page<Entry>>(['audit', source, filter], source, { ...filter, limit: pageSize }),
  placeholderData: keepPreviousData,
})

/** A job that makes the file. */
export const exportAudit = (source: AuditSource, filter: AuditFilter) =>
  api.post<BulkJob>(`${source}/export`, said(filter))

/** Who of the platform's support is inside the company. */
export const visitsQuery = queryOptions({
  queryKey: ['support-visits'],
  queryFn: ({ signal }) => api.get<SupportVisit[]>('/supportVisits', { signal, quiet: true }),
})
