import type { GatewayKind } from '@balcao/contract/channels/hosts.ts'
import type { Page } from '@balcao/contract/common.ts'
import type { integrationTest } from '@balcao/contract/core/integrations/index.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import type { TenantConnection } from '@balcao/contract/platform/connections.ts'
import { type TenantHost, tenantHostPath } from '@balcao/contract/platform/hosts.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { said } from '../../../kit/api-client.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'

/** A job that makes the file. */
export const exportTenantConnections = (filter: Filter) => api.post<BulkJob>('/tenantConnections/export', said(filter))

type Filter = { searchParam: string; tenantId?: number; kind: string[]; status: string[] }

export const tenantConnectionsKey = ['tenant-connections'] as const
/** Channels of every company; their state comes by itself, what they have done is read again. */
export const tenantConnectionList = (filter: Filter) => ({
  ...pagedList<Page<TenantConnection>>([...tenantConnectionsKey, filter], '/tenantConnections', {
    ...filter,
    limit: pageSize,
  }),
  placeholderData: keepPreviousData,
  refetchInterval: 60_000,
})

/** The servers of a company, or (0) of the installation. */
export const tenantHosts = (tenantId: number) =>
  queryOptions({
    queryKey: ['tenant-hosts', tenantId],
    queryFn: ({ signal }) => api.get<TenantHost[]>(`/tenantHosts/${tenantId}`, { signal }),
  })

type Asked = { tenantId: number; kind: GatewayKind }
const pathOf = ({ tenantId, kind }: Asked) => `${tenantHostPath(kind)}/${tenantId}` as const
const testTimeoutMs = 40_000

export const useSaveHost = (asked: Asked) => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (config: Record<string, unknown>) => api.put<TenantHost>(pathOf(asked), { config }),
    onSettled: () => cache.invalidateQueries(tenantHosts(asked.tenantId)),
  })
}
export const useRemoveHost = (asked: Asked) => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => api.delete(pathOf(asked)),
    onSettled: () => cache.invalidateQueries(tenantHosts(asked.tenantId)),
  })
}
export const useTestHost = (asked: Asked) => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () =>
      api.post<z.output<typeof integrationTest>>(`${pathOf(asked)}/test`, {}, { timeoutMs: testTimeoutMs }),
    onSettled: () => cache.invalidateQueries(tenantHosts(asked.tenantId)),
  })
}
