import type { Page } from '@balcao/contract/common.ts'
import { errorCodes } from '@balcao/contract/errors.ts'
import {
  type UserTenant,
  type UserTenantUpdate,
  type UserTenantWork,
  userTenant,
  userTenantUpdate,
} from '@balcao/contract/people/user-tenants.ts'
import { resource } from '@balcao/contract/resource.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { ApiError } from '../../../kit/api-error.ts'
import { readAll } from '../../../kit/resource-api.ts'

/** The people of every company as ResourceScreen handles them, by name. */
export const userTenantResource = resource({
  path: '/userTenants',
  event: 'userTenant',
  label: { one: 'Usuário', many: 'Usuários das empresas' },
  row: userTenant,
  write: userTenantUpdate,
  fields: { name: 'Nome', tenant: 'Empresa', email: 'E-mail', profile: 'Perfil' },
  sort: ['name'],
  can: { read: 'tenants.write', write: 'tenants.write' },
})

/** One person, where the address names them and the list does not show them. */
export const readUserTenant = async (id: string, signal: AbortSignal): Promise<UserTenant> => {
  const [user] = (await api.get<Page<UserTenant>>('/userTenants/', { query: { id }, signal })).items
  if (!user) throw new ApiError({ status: 404, code: 'ERR_NO_USER_FOUND', message: errorCodes.ERR_NO_USER_FOUND.text })
  return user
}

/** What would wait for somebody else if this person left. */
export const userTenantWorkQuery = ({ id, tenantId }: UserTenant) =>
  queryOptions({
    queryKey: ['resource', 'userTenant', 'work', id],
    queryFn: ({ signal }) => api.get<UserTenantWork>(`/userTenants/${id}/work`, { query: { tenantId }, signal }),
    staleTime: 0,
  })

/** Companies to choose from; the first thousands, by name. */
export const companyOptions = queryOptions({
  queryKey: ['resource', 'tenant', 'options'],
  queryFn: async ({ signal }) => {
    const rows = await readAll<{ id: number; name: string }>('/tenants', {}, signal, 5_000)
    return rows.map(({ id, name }) => ({ value: String(id), label: name }))
  },
  staleTime: 60_000,
})

/** What a person needs; the password already sealed, and absent where it stays as it is. */
export type Written = Required<Pick<UserTenantUpdate, 'name' | 'email' | 'profile' | 'isSupport' | 'isBlocked'>> & {
  tenantId: number
  password?: string
  handOverTo: string | null
}

export const useSaveUserTenant = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ row, ...values }: Written & { row: UserTenant | null }) =>
      row
        ? api.put<UserTenant>(`/userTenants/${row.id}`, { ...values, version: row.version })
        : api.post<UserTenant>('/userTenants', values),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['resource', 'userTenant'] }),
  })
}
