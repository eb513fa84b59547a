import type { AiSpending } from '@balcao/contract/automation/models.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { longTimeoutMs } from '../../../kit/api-client.ts'

/** What models cost from one day to another. */
export const spendingQuery = (query: { from: string; to: string }) =>
  queryOptions({
    queryKey: ['ai-spending', query],
    queryFn: ({ signal }) => api.get<AiSpending>('/ai/spending', { query, signal, timeoutMs: longTimeoutMs }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
