import { randomInt } from 'node:crypto'
import type { Line } from '../handset.ts'
import { type CustomerProfile, WabaCustomer } from './customer.ts'
import { newWamid } from './envelope.ts'
import { inboundLifeMs } from './media.ts'
import type { State, WabaStatus } from './state.ts'
import type { Webhooks } from './webhooks.ts'

export type People = ReturnType<typeof createPeople>

/** Who has WhatsApp, found by phone or by business-scoped id, or made on the spot. */
export const createPeople = (state: State, webhooks: Webhooks) => {
  const { core } = state
  const byKey = new Map<string, WabaCustomer>()

  const customer = (profile: CustomerProfile = {}): WabaCustomer => {
    const found = findCustomer(profile.waId) ?? findCustomer(profile.userId)
    if (found) return found
    const made = new WabaCustomer(world, profile)
    state.customers.push(made)
    index(made)
    core.changed()
    return made
  }
  const index = (made: WabaCustomer) => {
    if (made.waId) byKey.set(phoneKey(made.waId), made)
    if (made.userId) byKey.set(made.userId, made)
  }
  const findCustomer = (key: string | undefined) => (key ? (byKey.get(phoneKey(key)) ?? byKey.get(key)) : undefined)

  const world = {
    businessPhone: state.businessPhone,
    now: core.now,
    newId: newWamid,
    storeInbound: (file: Line['media'] & object) => state.media.add(file, inboundLifeMs),
    emit: webhooks.emit,
    emitStatus: (line: Line, status: WabaStatus) => webhooks.emitStatus(line.id, status),
    remember: (id: string, who: WabaCustomer, line: Line) => void state.known.set(id, { customer: who, line }),
    renamed: (who: WabaCustomer, before: string) => {
      byKey.delete(phoneKey(before))
      index(who)
      core.changed()
    },
    changed: core.changed,
  }

  return {
    customer,
    find: findCustomer,
    newCustomer: ({ name, handle }: { name: string; handle?: string }) => {
      const digits = handle?.replace(/\D/g, '')
      if (handle && !digits)
        return customer({
          name,
          userId: `BR.${randomInt(1_000_000_000, 9_999_999_999)}`,
          username: handle.replace('@', ''),
        })
      return customer({ name, waId: digits ? (digits.length <= 11 ? `55${digits}` : digits) : undefined })
    },
  }
}

/** Brazilian mobiles are one person with and without the ninth digit. */
const phoneKey = (phone: string) => phone.replace(/^55(\d{2})9(\d{8})$/, '55$1$2')
