import type { Page } from '@balcao/contract/common.ts'
import type {
  ConsentBody,
  ConsentEntry,
  OptOut,
  SuppressionBody,
  SuppressionList,
} from '@balcao/contract/contacts/consent.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { type QueryValue, said } from '../../../kit/api-client.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'

export const consentsQuery = (contactId: string) =>
  queryOptions({
    queryKey: ['contacts', 'consents', contactId],
    queryFn: ({ signal }) => api.get<Page<ConsentEntry>>(`/contacts/${contactId}/consents`, { signal, quiet: true }),
  })

/** Answers the ledger as it is then. */
export const recordConsent = (contactId: string, body: ConsentBody) =>
  api.post<Page<ConsentEntry>>(`/contacts/${contactId}/consents`, body)

type Query = Record<string, QueryValue>
export const optOutsKey = ['contacts', 'optOuts'] as const
export const optOutsList = (query: Query) =>
  pagedList<Page<OptOut>>([...optOutsKey, query], '/optouts', { ...query, limit: pageSize }, { counts: true })
export const exportOptOuts = (query: Query) => api.post<BulkJob>('/optouts/export', said(query))
export const giveBack = (ids: string[], proof: string) => api.post('/optouts/giveBack', { ids, proof })

export const suppressionsQuery = queryOptions({
  queryKey: ['contacts', 'suppressions'],
  queryFn: ({ signal }) => api.get<Page<SuppressionList>>('/optouts/lists', { signal }),
})
export const bringSuppressions = (body: SuppressionBody) => api.post<BulkJob>('/optouts/lists', body)
export const undoSuppressions = (id: string) => api.post<BulkJob>(`/optouts/lists/${id}/undo`)
