import type { MonitorHistory, MonitorPeriod, PlatformMonitor } from '@balcao/contract/platform/monitor.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'

export const platformMonitorQuery = queryOptions({
  queryKey: ['platform', 'monitor', 'now'],
  queryFn: ({ signal }) => api.get<PlatformMonitor>('/platform/monitor', { signal, quiet: true }),
  refetchInterval: 5_000,
})

/** A sample comes every minute. */
export const monitorHistoryQuery = (period: MonitorPeriod) =>
  queryOptions({
    queryKey: ['platform', 'monitor', 'history', period],
    queryFn: ({ signal }) =>
      api.get<MonitorHistory>('/platform/monitor/history', { query: { period }, signal, quiet: true }),
    refetchInterval: 60_000,
  })
