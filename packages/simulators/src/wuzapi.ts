import type { Handset, Line } from './handset.ts'
import { createSimulator, type DeliveredWebhook } from './simulator.ts'
import type { Profile, WhatsAppCustomer } from './whatsapp/customer.ts'
import type { Group } from './whatsapp/people.ts'
import { knownFaults } from './wuzapi/faults.ts'
import { addRoutes } from './wuzapi/routes.ts'
import { createSending } from './wuzapi/sending.ts'
import { createState, type User, type WuzapiOptions } from './wuzapi/state.ts'
import { createTalk } from './wuzapi/talk.ts'
import { createUsers } from './wuzapi/users.ts'
import { createWebhooks } from './wuzapi/webhooks.ts'

export type WuzapiSimulator = Handset & {
  readonly customers: WhatsAppCustomer[]
  readonly users: readonly User[]
  /** Calls that were turned down. */
  readonly rejected: readonly string[]
  /** Finds by phone or lid, or creates. */
  customer(profile?: Profile): WhatsAppCustomer
  newCustomer(customer: { name: string; handle?: string }): WhatsAppCustomer
  /** `ours`: what the number of the business is there. */
  group(subject: string, members: WhatsAppCustomer[], ours?: Group['ours']): Group
  readonly groups: Group[]
  /** Whatever was said by this id, also in a group. */
  lineOf(id: string): Line | undefined
  /** Whom our last message to a group called. */
  mentionedIn(group: Group): readonly string[]
  /** Whose words our last message to a chat said to quote. */
  quotedWriterIn(chat: string): string | undefined
  /** A user as somebody made it in the panel. */
  make(name: string, token: string): User
  /** Begins a session, as the panel does. */
  open(user: string): Promise<void>
  /** The next code, as time would draw it. */
  rotate(user: string): Promise<void>
  /** Nobody read one in time. */
  expire(user: string): Promise<void>
  /** Somebody reads the code with the phone; one that is no longer shown is refused. */
  scan(user: string, code?: string): Promise<void>
  /** The link ends, for one of WhatsApp's reasons. */
  drop(user: string, reason: number): Promise<void>
  /** The connection falls, and comes back by itself. */
  fall(user: string): Promise<void>
  rise(user: string): Promise<void>
  /** WEBHOOK_FORMAT. */
  speak(format: 'json' | 'form'): void
  /** The owner writes on the phone itself. */
  ownPhone(to: WhatsAppCustomer, text: string): Promise<string>
  tellHistory(customer: WhatsAppCustomer, lines: { text: string; fromMe: boolean; at: Date }[]): Promise<void>
  ring(from: WhatsAppCustomer): Promise<string>
  giveUp(from: WhatsAppCustomer, call: string): Promise<string>
  tellGroup(group: Group, change: object): Promise<void>
  sign(body: string, key: string): Record<string, string>
  postRaw(url: string, body: string, headers: Record<string, string>): Promise<DeliveredWebhook>
}

/** WuzAPI, with the phones of the people its users talk to. */
export async function startWuzapiSimulator(options: WuzapiOptions): Promise<WuzapiSimulator> {
  const core = await createSimulator(options)
  const state = createState(core, options)
  const webhooks = createWebhooks(state)
  const talk = createTalk(state, webhooks)
  const users = createUsers(state, webhooks)
  const sending = createSending(state, talk)
  addRoutes(state, { users, talk, sending })
  await core.listen()
  const { requests, faults, delivery, webhooks: delivered, idle, onChange, close } = core
  return {
    requests,
    faults,
    delivery,
    webhooks: delivered,
    idle,
    onChange,
    close,
    url: core.url,
    channel: 'whatsapp',
    businessName: 'Loja de Teste',
    businessHandle: `+${state.phone}`,
    customers: state.customers,
    users: state.users,
    rejected: state.rejected,
    knownFaults,
    customer: talk.customer,
    newCustomer: talk.newCustomer,
    group: talk.group,
    groups: state.groups,
    lineOf: (id) => state.known.get(id)?.line,
    mentionedIn: talk.mentionedIn,
    quotedWriterIn: (chat) => [...state.known.values()].findLast((one) => one.chat === chat)?.trackId,
    make: users.make,
    open: (name) => users.connect(users.find(name), false),
    rotate: users.rotate,
    expire: users.expire,
    scan: users.scan,
    drop: users.drop,
    fall: users.fall,
    rise: users.rise,
    speak: (format) => {
      state.format = format
    },
    ownPhone: talk.ownPhone,
    tellHistory: talk.tellHistory,
    ring: (from) => talk.tellCall(from, 'CallOffer'),
    giveUp: (from, call) => talk.tellCall(from, 'CallTerminate', call),
    tellGroup: talk.tellGroup,
    sign: webhooks.sign,
    postRaw: webhooks.postRaw,
  }
}
