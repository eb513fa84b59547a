import type { AiSpending } from '@balcao/contract/automation/models.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { longTimeoutMs } from '../../../kit/api-client.ts'

/** A job that makes the file. */
export const exportCalls = (period: { from: string; to: string }) => api.post<BulkJob>('/ai/calls/export', period)

/** What models cost from one day to another. */
export const spendingQuery = (query: { from: string; to: string }) =>
  queryOptions({
    queryKey: ['ai-spending', query],
    queryFn: ({ signal }) => api.get<AiSpending>('/ai/spending', { query, signal, timeoutMs: longTimeoutMs }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
