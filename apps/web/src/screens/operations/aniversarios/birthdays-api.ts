import type { Connection } from '@balcao/contract/channels/connections.ts'
import type { ConnectionOptions } from '@balcao/contract/channels/options.ts'
import type { Page } from '@balcao/contract/common.ts'
import type {
  Birthday,
  BirthdayGreeting,
  BirthdaySummary,
  birthdayResult,
  Greeter,
} from '@balcao/contract/operations/birthdays.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { birthdaysKey } from '../../../features/operations/birthdays/live.ts'
import { api } from '../../../kit/api.ts'
import { longTimeoutMs, type QueryValue, said } from '../../../kit/api-client.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'

type Query = Record<string, QueryValue>

export const birthdaysList = (query: Query) =>
  pagedList<Page<Birthday>>([...birthdaysKey, 'list', query], '/birthdays', { ...query, limit: pageSize })
export const birthdaySummary = queryOptions({
  queryKey: [...birthdaysKey, 'summary'],
  queryFn: ({ signal }) => api.get<BirthdaySummary>('/birthdays/summary', { signal }),
})
export const greeters = queryOptions({
  queryKey: [...birthdaysKey, 'greeters'],
  queryFn: async ({ signal }) => (await api.get<Page<Greeter>>('/birthdays/greeters', { signal })).items,
})
export const exportBirthdays = (query: Query) => api.post<BulkJob>('/birthdays/export', said(query))
export const sendBirthdays = (body: BirthdayGreeting) =>
  api.post<z.output<typeof birthdayResult>>('/messages/sendBirthday', body, { timeoutMs: longTimeoutMs })

type Wish = Pick<
  ConnectionOptions,
  'birthday' | 'birthdayHour' | 'birthdayMessage' | 'birthdayMediaId' | 'birthdayTemplate'
>
/** How a connection congratulates is part of how it behaves: the rest of that stays as it is. */
export const saveWish = async (id: string, wish: Wish) => {
  const now = await api.get<Connection>(`/whatsapp/${id}`)
  return api.put<Connection>(`/whatsapp/${id}`, { options: { ...now.options, ...wish }, version: now.version })
}
