import type { BulkJob, RowUses } from '@balcao/contract/operations/bulk-jobs.ts'
import type { Resource } from '@balcao/contract/resource.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'

export const usesQuery = (resource: Resource, id: string) =>
  queryOptions({
    queryKey: ['resource', resource.event, 'uses', id],
    queryFn: ({ signal }) => api.get<RowUses>(`${resource.path}/${id}/uses`, { signal }),
    staleTime: 0,
  })

export const replaceRow = (resource: Resource, id: string, replacementId: string | null) =>
  api.post<BulkJob>(`${resource.path}/${id}/replace`, { replacementId })
