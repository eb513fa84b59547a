import { type Role, roleRights } from '@balcao/contract/people/roles.ts'
import { type Permission, rightsOf } from '@balcao/contract/permissions.ts'

type Named = Role['permissions']
const grantable = new Set<string>(roleRights.flatMap(({ rights }) => rights.flatMap(({ grants }) => grants)))
const isGrantable = (name: Permission): name is Named[number] => grantable.has(name)

/** These as they work: with what one must see to do them. */
export const asGranted = (named: readonly string[]): Named =>
  rightsOf({ profile: 'user', isSupport: false, role: named }).filter(isGrantable)

export const holds = (named: readonly string[], grants: readonly Permission[]) =>
  grants.every((name) => named.includes(name))

/** The same choice with these granted or not; what stands on something that was taken away goes with it. */
export const withRights = (named: readonly string[], grants: readonly Permission[], isGranted: boolean): Named => {
  if (isGranted) return asGranted([...named, ...grants])
  const left = named.filter((name) => !grants.some((one) => one === name))
  return asGranted(left.filter((name) => asGranted([name]).every((needed) => left.includes(needed))))
}
