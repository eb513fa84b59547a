import type { Handset, Line } from './handset.ts'
import { createSimulator, type DeliveredWebhook } from './simulator.ts'
import { createCallbacks } from './zapi/callbacks.ts'
import type { ZapiCustomer, ZapiProfile } from './zapi/customer.ts'
import { knownFaults } from './zapi/faults.ts'
import { createInstance } from './zapi/instance.ts'
import { createQueue } from './zapi/queue.ts'
import { addRoutes } from './zapi/routes.ts'
import { createState, type Group, type Instance, type ZapiOptions } from './zapi/state.ts'
import { createTalk } from './zapi/talk.ts'

export type ZapiSimulator = Handset & {
  readonly instance: Readonly<Instance>
  readonly customers: ZapiCustomer[]
  /** Finds by phone or lid, or creates. */
  customer(profile?: ZapiProfile): ZapiCustomer
  newCustomer(customer: { name: string; handle?: string }): ZapiCustomer
  /** `ours`: what the number of the business is there. */
  group(subject: string, members: ZapiCustomer[], ours?: Group['ours']): Group
  readonly groups: Group[]
  /** Whatever was said by this id, also in a group. */
  lineOf(id: string): Line | undefined
  /** Whom our last message to a group called. */
  mentionedIn(group: Group): readonly string[]
  /** The address it calls, for every kind of notice. */
  setWebhooks(url: string): void
  /** The next code, as twenty seconds would draw it. */
  rotate(): void
  /** Somebody reads the code with the phone; one that is no longer shown is refused. What waits in the queue leaves. */
  scan(code?: string): Promise<void>
  /** The phone leaves, or only its session breaks off. */
  drop(how?: 'logout' | 'broken'): Promise<void>
  /** How many messages wait for a phone. */
  readonly queued: number
  /** The owner writes on the phone itself. */
  ownPhone(to: ZapiCustomer, text: string): Promise<string>
  /** The thirty days of every file are over. */
  expireFiles(): void
  setClientToken(token: string): void
  /** The two days of an instance nobody paid for are over. */
  expire(): void
  postRaw(url: string, body: string): Promise<DeliveredWebhook>
}

/** Z-API with one instance, and the phones of the people it talks to. */
export async function startZapiSimulator(options: ZapiOptions): Promise<ZapiSimulator> {
  const core = await createSimulator(options)
  const state = createState(core, { ...options })
  const callbacks = createCallbacks(state)
  const talk = createTalk(state, callbacks)
  const queue = createQueue(state, talk)
  const instance = createInstance(state, callbacks, queue)
  addRoutes(state, { talk, queue, instance, callbacks })
  await core.listen()
  const { requests, faults, delivery, webhooks, idle, onChange, close } = core
  return {
    requests,
    faults,
    delivery,
    webhooks,
    idle,
    onChange,
    close,
    url: core.url,
    channel: 'whatsapp',
    businessName: state.profileName,
    businessHandle: `+${state.phone}`,
    customers: state.customers,
    instance: state.instance,
    knownFaults,
    customer: talk.customer,
    newCustomer: ({ name, handle }) => {
      const digits = handle?.replace(/\D/g, '')
      return talk.customer({ name, phone: digits && digits.length <= 11 ? `55${digits}` : digits || undefined })
    },
    group: talk.group,
    groups: state.groups,
    lineOf: (id) => state.known.get(id)?.line,
    mentionedIn: ({ id }) => [...state.known.values()].findLast((one) => one.chat === id)?.mentioned ?? [],
    setWebhooks: callbacks.setAll,
    rotate: instance.rotate,
    scan: instance.scan,
    drop: instance.drop,
    ownPhoneLink: { isAwaited: () => state.instance.code !== undefined, scan: () => instance.scan() },
    get queued() {
      return queue.length
    },
    ownPhone: talk.ownPhone,
    expireFiles: () => state.files.clear(),
    setClientToken: (token) => {
      state.options.clientToken = token
    },
    expire: () => void Object.assign(state.options, { instanceId: undefined, instanceToken: undefined }),
    postRaw: callbacks.postRaw,
  }
}
