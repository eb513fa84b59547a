import type { UserTenant } from '@balcao/contract/people/user-tenants.ts'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { HandOverChoice } from '../../../features/people/users/hand-over-select.tsx'
import { userTenantWorkQuery } from './user-tenants-api.ts'

type Props = { user: UserTenant; value: string | null; error?: ReactNode; onChange: (userId: string | null) => void }

/** How many conversations stay behind when somebody of a company leaves, and to which colleague they go. */
export const TenantHandOver = ({ user, ...choice }: Props) => {
  const work = useQuery(userTenantWorkQuery(user))
  if (work.isPending) return <Text size="sm">Contando as conversas…</Text>
  if (work.isError)
    return <Text size="sm">Não conseguimos contar as conversas. As que houver voltam para Pendentes.</Text>
  return <HandOverChoice count={work.data.tickets} heirs={work.data.people} {...choice} />
}
