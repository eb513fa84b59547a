import type { Page } from '@balcao/contract/common.ts'
import type { impersonateAnswer, Tenant, TenantUpdate } from '@balcao/contract/platform/tenants.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'

export type TenantFilter = { searchParam: string; status?: Tenant['status'] }
export type Impersonation = z.output<typeof impersonateAnswer>

/** The companies of the installation, by name. */
export const tenantList = (filter: TenantFilter) => ({
  ...pagedList<Page<Tenant>>(['tenants', 'list', filter], '/tenants', { ...filter, limit: pageSize }, { counts: true }),
  placeholderData: keepPreviousData,
})

export const tenantRow = (id: string) =>
  queryOptions({
    queryKey: ['tenants', 'row', id],
    queryFn: ({ signal }) => api.get<Tenant>(`/tenants/${id}`, { signal }),
  })

/** What a new company needs, its administrator included; `adminPassword` already sealed. */
export type NewTenant = Omit<TenantUpdate, 'version' | 'status'> & {
  adminName: string
  adminEmail: string
  adminPassword: string
}

export const useCreateTenant = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (company: NewTenant) => api.post<Tenant>('/tenants', company),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['tenants'] }),
  })
}

export const useUpdateTenant = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...change }: TenantUpdate & { id: number }) => api.put<Tenant>(`/tenants/${id}`, change),
    onSuccess: (saved) => {
      cache.setQueryData(tenantRow(String(saved.id)).queryKey, saved)
      void cache.invalidateQueries({ queryKey: ['tenants', 'list'] })
    },
  })
}

export const useImpersonate = () =>
  useMutation({
    mutationFn: ({ id, reason }: { id: number; reason: string }) =>
      api.post<Impersonation>(`/tenants/${id}/impersonate`, { reason }),
  })
