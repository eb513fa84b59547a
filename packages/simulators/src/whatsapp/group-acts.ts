import { randomBytes } from 'node:crypto'

type Person = { isOnWhatsApp: boolean; refusesGroups: boolean }
export type Led<P extends Person> = {
  subject: string
  members: { customer: P; isAdmin: boolean }[]
  description?: string
  isAdminsOnly?: boolean
  picture?: string
  /** What the number of the business is there; not given: an administrator of whom no list tells. */
  ours?: 'admin' | 'member'
  invite?: string
}

/** Whoever does not lead a group changes nothing of it: what the gateway answers then. */
export const requireLeader = <P extends Person>(group: Led<P>, refuse: () => Error) => {
  if (group.ours === 'member') throw refuse()
}

/** As WhatsApp answers for each person: 200 done, 403 lets nobody add them, 404 not there, 409 is there already. */
export const changePeople = <P extends Person>(group: Led<P>, act: string, people: P[]): number[] =>
  people.map((customer) => {
    const member = group.members.find((one) => one.customer === customer)
    if (act === 'add') {
      if (member) return 409
      if (!customer.isOnWhatsApp) return 404
      if (customer.refusesGroups) return 403
      group.members.push({ customer, isAdmin: false })
      return 200
    }
    if (!member) return 404
    if (act === 'remove') group.members = group.members.filter((one) => one !== member)
    else member.isAdmin = act === 'promote'
    return 200
  })

export const inviteOf = <P extends Person>(group: Led<P>, isRenewed: boolean): string => {
  if (isRenewed || !group.invite) group.invite = randomBytes(11).toString('base64url')
  return group.invite
}
