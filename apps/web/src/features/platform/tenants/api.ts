import type { Page } from '@balcao/contract/common.ts'
import {
  type impersonateAnswer,
  type Tenant,
  type TenantUpdate,
  tenant,
  tenantUpdate,
} from '@balcao/contract/platform/tenants.ts'
import { resource } from '@balcao/contract/resource.ts'
import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'

export type TenantFilter = { searchParam: string; status?: Tenant['status'] }
export type Impersonation = z.output<typeof impersonateAnswer>

/** Companies as ResourceScreen handles them; the server serves them by hand. */
export const tenantResource = resource({
  path: '/tenants',
  event: 'tenant',
  label: { one: 'Empresa', many: 'Empresas', feminine: true },
  row: tenant,
  write: tenantUpdate,
  fields: { name: 'Empresa', identity: 'CNPJ ou CPF', status: 'Situação' },
  sort: ['name'],
  can: { read: 'tenants.read', write: 'tenants.write' },
})

/** The companies of the installation, by name. */
export const tenantList = (filter: TenantFilter) => ({
  ...pagedList<Page<Tenant>>(
    ['resource', 'tenant', 'list', filter],
    '/tenants',
    { ...filter, limit: pageSize },
    { counts: true },
  ),
  placeholderData: keepPreviousData,
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
    onSuccess: () => cache.invalidateQueries({ queryKey: ['resource', 'tenant'] }),
  })
}

export const useUpdateTenant = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...change }: TenantUpdate & { id: number }) => api.put<Tenant>(`/tenants/${id}`, change),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['resource', 'tenant'] }),
  })
}

export const useImpersonate = () =>
  useMutation({
    mutationFn: ({ id, reason }: { id: number; reason: string }) =>
      api.post<Impersonation>(`/tenants/${id}/impersonate`, { reason }),
  })
