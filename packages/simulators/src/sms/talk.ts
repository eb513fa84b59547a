import type { Line, Media } from '../handset.ts'
import { SmsCustomer, type SmsProfile } from './customer.ts'
import { type Dialect, type Known, newNumber, type Receipt, type State, segmentsOf } from './state.ts'

export type Talk = ReturnType<typeof createTalk>
type Given = {
  id: string
  phone: string
  text: string
  media?: Media
  refer?: string
  callback?: string
  payload: unknown
}

/** The phones of customers, and what passes between them and the business. */
export const createTalk = (state: State, dialect: Dialect) => {
  const { core } = state

  const emit = (fields: object, callback?: string, onAccepted?: () => void): Promise<void> => {
    const told = dialect.call(state, fields, core.delivery.badSignature ? 'wrong' : 'right', callback)
    return told ? core.deliver({ ...told, onAccepted }) : Promise.resolve()
  }
  const heard = async (from: SmsCustomer, line: Line): Promise<string> => {
    const id = newNumber()
    Object.assign(line, { id, at: core.now() })
    const fields = dialect.message(state, from, id, line.text ?? '', line.media)
    line.payload = fields
    from.receive(line)
    core.changed()
    await emit(fields, undefined, () => {
      line.state = 'delivered'
      core.changed()
    })
    return id
  }
  const tell = async (id: string, known: Known, receipt: Receipt) => {
    await emit(dialect.receipt(state, id, known, receipt), known.callback)
    known.line.state = receipt
    core.changed()
  }
  /** Networks tell when they know, in whatever order that is. */
  const tellLife = async (id: string, known: Known) => {
    const life: Receipt[] = ['sent', known.customer.isReachable ? 'delivered' : 'failed']
    const told = core.delivery.skipDelivered ? life.slice(0, 1) : life
    const isScrambled = core.delivery.reorder || Array.isArray(core.delivery.delayMs)
    if (isScrambled) return void (await Promise.all(told.map((one) => tell(id, known, one))))
    for (const one of told) await tell(id, known, one)
  }

  const customer = (profile: SmsProfile = {}): SmsCustomer => {
    const found = state.customers.find(({ phone }) => phone === profile.phone)
    if (found) return found
    const made = new SmsCustomer(heard, profile, dialect.hasFiles)
    state.customers.push(made)
    core.changed()
    return made
  }

  return {
    customer,
    /** A message of ours reaches its phone; its receipts follow the answer, unless they are to be faster. */
    accept: async ({ id, phone, text, media, refer, callback, payload }: Given): Promise<Known> => {
      const who = customer({ phone })
      const line: Line = {
        id,
        from: 'business',
        at: core.now(),
        type: media ? 'image' : 'text',
        text,
        ...(media && { media }),
        reactions: {},
        state: 'sending',
        payload,
      }
      const known: Known = { line, customer: who, refer, callback, segments: segmentsOf(text) }
      state.known.set(id, known)
      state.credits -= known.segments
      who.receive(line)
      core.changed()
      const life = core.track(core.delivery.statusBeforeAnswer ? tellLife(id, known) : later(() => tellLife(id, known)))
      if (core.delivery.statusBeforeAnswer) await life
      return known
    },
    emit,
  }
}

const later = (work: () => Promise<void>): Promise<void> =>
  new Promise((resolve) => setTimeout(() => resolve(work()), 5))
