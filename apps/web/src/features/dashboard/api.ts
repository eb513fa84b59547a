import type { Dashboard } from '@balcao/contract/dashboard.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../kit/api.ts'

/** Today's figures. Read again by itself once a minute, for what passes without an event: the waiting, midnight. */
export const dashboardToday = queryOptions({
  queryKey: ['dashboard', 'today'],
  queryFn: ({ signal }) => api.get<Dashboard>('/dashboard', { signal, quiet: true }),
  refetchInterval: 60_000,
})
