import type { Page } from '@balcao/contract/common.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import type { Rating, RatingSettings, RatingSummary } from '@balcao/contract/service/ratings.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { type QueryValue, said } from '../../../kit/api-client.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'

type Query = Record<string, QueryValue>

export const ratingsKey = ['ratings'] as const
export const ratingListsKey = [...ratingsKey, 'list'] as const
export const ratingSummariesKey = [...ratingsKey, 'summary'] as const

export const ratingsList = (query: Query) =>
  pagedList<Page<Rating>>(
    [...ratingListsKey, query],
    '/ticketEvaluations',
    { ...query, limit: pageSize },
    { counts: true },
  )

export const ratingSummaryQuery = (query: Query) =>
  queryOptions({
    queryKey: [...ratingSummariesKey, query],
    queryFn: ({ signal }) => api.get<RatingSummary>('/ticketEvaluations/summary', { query, signal }),
  })

/** A job that makes the file. */
export const exportRatings = (query: Query) => api.post<BulkJob>('/ticketEvaluations/export', said(query))

/** How customers are asked. */
export const ratingSettingsQuery = queryOptions({
  queryKey: ['settings', 'rating'],
  queryFn: ({ signal }) => api.get<RatingSettings>('/tenants/rating/', { signal }),
})
export const writeRatingSettings = (settings: RatingSettings) => api.put<RatingSettings>('/tenants/rating/', settings)

/** A grade written down by the team: of a conversation nobody asked about (`ticketId`), or in the place of another. */
export type Grading = { id?: string; ticketId: string; grade: number; comment: string }
export const useGrade = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ticketId, grade, comment }: Grading) =>
      id
        ? api.put<Rating>(`/ticketEvaluations/${id}`, { grade, comment })
        : api.post<Rating>('/ticketEvaluations', { ticketId, grade, comment }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ratingsKey }),
  })
}
export const useDeleteRating = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.delete(`/ticketEvaluations/${id}`),
    onSuccess: () => cache.invalidateQueries({ queryKey: ratingsKey }),
  })
}
