import type { Page } from '@balcao/contract/common.ts'
import type { Schedule, ScheduleCreate, SchedulesQuery, schedulePatch } from '@balcao/contract/operations/schedules.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'
import { readAll } from '../../../kit/resource-api.ts'
import { notify } from '../../../ui/notify.ts'

/** What a view asks for; keys begin like those of every resource, so that events renew them. */
export type SchedulesAsked = Partial<Omit<SchedulesQuery, 'cursor' | 'pageNumber' | 'limit' | 'count'>>

const monthLimit = 2_000

export const schedulesList = (asked: SchedulesAsked) =>
  pagedList<Page<Schedule>>(
    ['resource', 'schedule', 'list', asked],
    '/scheduleMessages',
    { ...asked, limit: pageSize },
    { counts: true },
  )

/** Every one of some days: what a calendar shows. */
export const schedulesBetween = (asked: SchedulesAsked & { dateFrom: string; dateTo: string }) =>
  queryOptions({
    queryKey: ['resource', 'schedule', 'days', asked],
    queryFn: ({ signal }) => readAll<Schedule>('/scheduleMessages', asked, signal, monthLimit),
  })

export const scheduleQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', 'schedule', 'row', id],
    queryFn: ({ signal }) => api.get<Schedule>(`/scheduleMessages/${id}`, { signal }),
  })

/** How many others were scheduled with it, to other groups, and wait as it does. */
export const sameSchedulesQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', 'schedule', 'same', id],
    queryFn: ({ signal }) => api.get<{ count: number }>(`/scheduleMessages/${id}/same`, { signal }),
    staleTime: 0,
    select: ({ count }) => count,
  })

export const createSchedule = (values: ScheduleCreate) => api.post<Schedule>('/messagesSchedule', values)
export const saveSchedule = (id: string, patch: z.input<typeof schedulePatch>) =>
  api.put<Schedule>(`/scheduleMessages/${id}`, patch)

export const cancelSchedule = (id: string, alsoSame = false) =>
  api.delete<Schedule>(`/scheduleMessages/${id}${alsoSame ? '?alsoSame=true' : ''}`)

/** Takes a message back before its time, and with it whatever would have followed. */
export const useCancelSchedule = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id, alsoSame }: { id: string; alsoSame: boolean }) => cancelSchedule(id, alsoSame),
    onSuccess: (canceled, { alsoSame }) => {
      cache.setQueryData(scheduleQuery(canceled.id).queryKey, canceled)
      notify.success(alsoSame ? 'Envios cancelados.' : 'Envio cancelado.')
    },
    onError: (error) => notify.error(messageOf(error)),
    onSettled: () => void cache.invalidateQueries({ queryKey: ['resource', 'schedule'] }),
  })
}
