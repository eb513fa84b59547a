import type { PlatformSummary } from '@balcao/contract/platform/platform.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'

export const summaryQuery = queryOptions({
  queryKey: ['platform', 'summary'],
  queryFn: ({ signal }) => api.get<PlatformSummary>('/platform/summary', { signal }),
  refetchInterval: 30_000,
})
