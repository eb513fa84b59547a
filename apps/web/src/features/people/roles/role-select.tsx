import { type Role, roleResource } from '@balcao/contract/people/roles.ts'
import { type Permission, permissionsOf, rightsOf } from '@balcao/contract/permissions.ts'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { allRows } from '../../../kit/resource-api.ts'
import { profileLabels } from '../users/profiles.ts'

const profiles = ['user', 'super', 'admin'] as const
type Chosen = { profile: (typeof profiles)[number]; roleId: string | null }

export const useRoles = () => useQuery(allRows<Role>(roleResource)).data ?? []

/** What a choice grants, before menus are hidden. */
export const rightsOfChoice = ({ profile, roleId }: Chosen, roles: readonly Role[]): readonly Permission[] => {
  const role = roles.find(({ id }) => id === roleId)
  return role ? rightsOf({ profile, isSupport: false, role: role.permissions }) : permissionsOf[profile]
}

type Props = { value: Chosen; onChange: (chosen: Chosen) => void; error?: string }

/** One of the three profiles that everybody has, or one that the company made. */
export const RoleSelect = ({ value: { profile, roleId }, onChange, error }: Props) => {
  const roles = useRoles()
  const builtIn = profiles.map((value) => ({ value: value as string, label: profileLabels[value].name }))
  const own = roles.map(({ id, name }) => ({ value: id, label: name }))
  const choose = (next: string | null) => {
    const chosen = profiles.find((one) => one === next)
    if (chosen) onChange({ profile: chosen, roleId: null })
    else if (next) onChange({ profile, roleId: next })
  }
  return (
    <Select
      label="Perfil"
      required
      description={roleId ? 'Um perfil da sua empresa: veja o que ele pode em “Perfis”.' : profileLabels[profile].can}
      data={
        own.length
          ? [
              { group: 'Padrão', items: builtIn },
              { group: 'Da empresa', items: own },
            ]
          : builtIn
      }
      searchable={own.length > 6}
      allowDeselect={false}
      value={roleId ?? profile}
      onChange={choose}
      error={error}
    />
  )
}
