import type { Monitor } from '@balcao/contract/operations/monitor.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'

export const monitorKey = ['monitor'] as const

/** The company's figures of this moment; read again by itself too, for what passes without an event. */
export const monitorQuery = (queuesIds: string[]) =>
  queryOptions({
    queryKey: [...monitorKey, queuesIds],
    queryFn: ({ signal }) => api.get<Monitor>('/monitor', { query: { queuesIds }, signal, quiet: true }),
    refetchInterval: 30_000,
    // A television has nobody to press "again".
    refetchIntervalInBackground: true,
  })
