import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { Parts } from '../conformance.stage.ts'

type Person = { phone: string; name: string; refusesGroups: boolean }
type Group<P> = {
  subject: string
  description?: string
  isAdminsOnly?: boolean
  picture?: string
  ours?: 'admin' | 'member'
  members: { customer: P; isAdmin: boolean }[]
}
/** What the stand-ins of WhatsApp's gateways have in common. */
type Simulator<P extends Person, G extends Group<P>> = {
  lineOf: (id: string) => { isDeleted?: boolean } | undefined
  customer: (profile: { phone: string; name: string }) => P
  group: (subject: string, members: P[], ours?: 'admin' | 'member') => G
}

/** A group that our number leads, for the conformance suite; `groups` is every group there is, `idOf` how we call one. */
export const ledGroupOf = <P extends Person, G extends Group<P>>(
  simulator: Simulator<P, G>,
  { groups, idOf }: { groups: () => readonly G[]; idOf: (group: G) => string },
): Parts['ledGroup'] => {
  const [member, other, outsider, closed] = ['5511944440001', '5511944440002', '5511944440003', '5511944440004'].map(
    (phone, at) => simulator.customer({ phone, name: `Vizinho ${at}` }),
  ) as [P, P, P, P]
  closed.refusesGroups = true
  const group = simulator.group('Bairro', [other, member], 'admin')
  const identityOf = ({ phone }: P): Identity => ({ kind: 'phone', value: phone })
  const known = (one: G): Identity => ({ kind: 'group', value: idOf(one) })
  return {
    to: [known(group)],
    shown: () => ({
      title: group.subject,
      description: group.description ?? '',
      isAdminsOnly: group.isAdminsOnly ?? false,
      hasPicture: Boolean(group.picture),
      members: group.members.map(({ customer }) => identityOf(customer)),
      admins: group.members.flatMap(({ customer, isAdmin }) => (isAdmin ? [identityOf(customer)] : [])),
    }),
    isDeleted: (id) => simulator.lineOf(id)?.isDeleted ?? false,
    rank: (ours) => {
      group.ours = ours
    },
    member: [identityOf(member)],
    outsider: [identityOf(outsider)],
    closed: [identityOf(closed)],
    made: (asked) => {
      const found = groups().find((one) => idOf(one) === asked?.value)
      return found && { title: found.subject, members: found.members.map(({ customer }) => identityOf(customer)) }
    },
  }
}
