import type { Statistics } from '@balcao/contract/operations/statistics.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'

/** Days of the company's calendar, both included, and queues; none: all of them. */
export type StatisticsAsked = { startDate: string; endDate: string; queues: string[] }

export const statisticsKey = ['dashboard', 'statistics'] as const
export const statisticsQuery = (asked: StatisticsAsked) =>
  queryOptions({
    queryKey: [...statisticsKey, asked],
    queryFn: ({ signal }) => api.get<Statistics>('/dashboard/statistics', { query: asked, signal, quiet: true }),
    staleTime: 30_000,
    // Another choice of days is drawn over the one before, not over an empty page.
    placeholderData: (before) => before,
  })
