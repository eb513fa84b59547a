import type { Dashboard, FirstSteps } from '@balcao/contract/operations/dashboard.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'

/** Today's figures. Read again by itself once a minute, for what passes without an event: the waiting, midnight. */
export const dashboardToday = queryOptions({
  queryKey: ['dashboard', 'today'],
  queryFn: ({ signal }) => api.get<Dashboard>('/dashboard', { signal, quiet: true }),
  refetchInterval: 60_000,
})

/** What a new company has still to do; asked until all of it is done. */
export const firstStepsQuery = queryOptions({
  queryKey: ['dashboard', 'first-steps'],
  queryFn: ({ signal }) => api.get<FirstSteps>('/dashboard/first-steps', { signal, quiet: true }),
  staleTime: ({ state: { data } }) => (data && isSetUp(data) ? Number.POSITIVE_INFINITY : 0),
  refetchInterval: ({ state: { data } }) => (data && isSetUp(data) ? false : 30_000),
})

export const isSetUp = ({ channel, queue, team, answered }: FirstSteps) => channel && queue && team && answered
