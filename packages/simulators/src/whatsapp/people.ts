import { randomBytes, randomInt } from 'node:crypto'
import type { Line, Media } from '../handset.ts'
import type { SimulatorCore } from '../simulator.ts'
import { type CustomerWorld, type Profile, WhatsAppCustomer } from './customer.ts'
import type { Led } from './group-acts.ts'

export type Group = Led<WhatsAppCustomer> & { jid: string }
/** A message of either side, as it stands in the gateway's own database. */
export type Known = {
  line: Line
  chat: string
  customer: WhatsAppCustomer
  media?: Media
  mentioned?: string[]
  trackId?: string
}

export const newId = () => `3EB0${randomBytes(9).toString('hex').toUpperCase()}`
export const newLid = () => String(randomInt(10_000_000_000, 99_999_999_999)).padStart(14, '7')
/** Of all groups there are, whichever number made them; in the order they were made. */
export const newGroupId = () => {
  made += 1
  return `1203630${String(made).padStart(5, '0')}${randomInt(100_000, 999_999)}`
}
let made = 0
/** WhatsApp knows old Brazilian accounts without the ninth digit. */
export const shortForm = (phone: string) => phone.replace(/^55(\d{2})9(\d{8})$/, '55$1$2')

/** Whom a number talks to, and what was said. */
export const createCrowd = () => ({
  customers: [] as WhatsAppCustomer[],
  groups: [] as Group[],
  known: new Map<string, Known>(),
})
export type Crowd = ReturnType<typeof createCrowd>

export type People = ReturnType<typeof createPeople>

/** The people and groups a number talks to, whichever gateway has it. */
export const createPeople = (core: SimulatorCore, { customers, groups, known }: Crowd, world: CustomerWorld) => {
  const customer = (profile: Profile = {}): WhatsAppCustomer => {
    const met = customers.find((one) => one.phone === profile.phone || one.lid === profile.lid)
    if (met) return met
    const made = new WhatsAppCustomer(world, profile)
    customers.push(made)
    core.changed()
    return made
  }
  /** By digits or by any address; whoever is not known is met now. */
  const reached = (number: string): WhatsAppCustomer => {
    const user = number.split('@', 1).join()
    return number.endsWith('@lid') ? customer({ lid: user }) : customer({ phone: user.replace(/\D/g, '') })
  }
  return {
    customer,
    reached,
    newCustomer: ({ name, handle }: { name: string; handle?: string }) => {
      const digits = handle?.replace(/\D/g, '')
      return customer({ name, phone: digits && digits.length <= 11 ? `55${digits}` : digits || undefined })
    },
    group: (subject: string, members: WhatsAppCustomer[], ours?: Group['ours']): Group => {
      const made: Group = {
        jid: `${newGroupId()}@g.us`,
        subject,
        members: members.map((one, at) => ({ customer: one, isAdmin: at === 0 && ours !== 'admin' })),
        ours,
      }
      groups.push(made)
      return made
    },
    groupBy: (jid: string | undefined) => groups.find((one) => one.jid === jid),
    mentionedIn: ({ jid }: Group) => [...known.values()].findLast((one) => one.chat === jid)?.mentioned ?? [],
    /** What the business says reaches a person, or everybody of a group. */
    say: (
      to: string,
      message: object,
      shown: Pick<Line, 'type'> & Partial<Line>,
      more: Pick<Known, 'mentioned' | 'trackId'> = {},
    ) => {
      const group = groups.find((one) => one.jid === to)
      const [first] = group?.members ?? []
      const person = first?.customer ?? reached(to)
      const line: Line = {
        id: newId(),
        from: 'business',
        at: core.now(),
        ...shown,
        reactions: {},
        state: 'sent',
        payload: message,
      }
      const chat = group?.jid ?? person.jid
      known.set(line.id, { line, chat, customer: person, media: line.media, ...more })
      for (const one of group?.members.map((member) => member.customer) ?? [person]) {
        one.receive(line)
        if (one.autoRead) void one.read()
      }
      core.changed()
      return { line, chat, customer: person, group }
    },
  }
}
