import { knownFaults } from './evolution/faults.ts'
import { createInstances } from './evolution/instances.ts'
import { addRoutes } from './evolution/routes.ts'
import { createSending } from './evolution/sending.ts'
import { createState, type EvolutionOptions, type Instance } from './evolution/state.ts'
import { createTalk } from './evolution/talk.ts'
import { createWebhooks } from './evolution/webhooks.ts'
import type { Handset, Line } from './handset.ts'
import { createSimulator, type DeliveredWebhook } from './simulator.ts'
import type { Profile, WhatsAppCustomer } from './whatsapp/customer.ts'
import type { Group } from './whatsapp/people.ts'

export type EvolutionSimulator = Handset & {
  readonly customers: WhatsAppCustomer[]
  readonly instances: ReadonlyMap<string, Instance>
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
  /** The next code, as time would draw it; at last the refusal. */
  rotate(instance: string): Promise<void>
  /** Somebody reads the code with the phone; one that is no longer shown is refused. */
  scan(instance: string, code?: string): Promise<void>
  /** The link ends for this reason (401 logged out, 403 banned, 428 …). */
  drop(instance: string, reason: number): Promise<void>
  /** The owner writes on the phone itself. */
  ownPhone(to: WhatsAppCustomer, text: string): Promise<string>
  tellHistory(customer: WhatsAppCustomer, lines: { text: string; fromMe: boolean; at: Date }[]): Promise<void>
  /** Any event of an instance, as it is. */
  emit(instance: string, event: string, data: unknown): Promise<void>
  /** The server forgets an instance, as when its database was lost. */
  forget(instance: string): void
  setGlobalKey(key: string): void
  /** Of Meta's API, where files are had. */
  setMetaToken(token: string): void
  /** Meta takes free text no more, until the answer opens the hours again. */
  closeWindow(): () => void
  postRaw(url: string, body: string, headers: Record<string, string>): Promise<DeliveredWebhook>
}

/** Evolution API v2, with the phones of the people its instances talk to. */
export async function startEvolutionSimulator(options: EvolutionOptions): Promise<EvolutionSimulator> {
  const core = await createSimulator(options)
  const state = createState(core, { ...options })
  const webhooks = createWebhooks(state)
  const talk = createTalk(state, webhooks)
  const instances = createInstances(state, webhooks)
  const sending = createSending(state, talk, webhooks)
  addRoutes(state, { instances, talk, sending, webhooks })
  await core.listen()
  const { requests, faults, delivery, webhooks: delivered, idle, onChange, close } = core
  const waiting = () => [...state.instances.values()].filter((one) => one.state === 'connecting')
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
    businessName: state.profileName,
    businessHandle: `+${state.phone}`,
    customers: state.customers,
    instances: state.instances,
    knownFaults,
    customer: talk.customer,
    newCustomer: talk.newCustomer,
    group: talk.group,
    groups: state.groups,
    lineOf: (id) => state.known.get(id)?.line,
    mentionedIn: talk.mentionedIn,
    rotate: instances.rotate,
    scan: instances.scan,
    drop: instances.drop,
    ownPhoneLink: {
      isAwaited: () => waiting().length > 0,
      scan: async () => {
        for (const { name } of waiting()) await instances.scan(name)
      },
    },
    ownPhone: talk.ownPhone,
    tellHistory: talk.tellHistory,
    emit: (name, event, data) => webhooks.emit(instances.find(name), event, data),
    forget: (name) => void state.instances.delete(name),
    setMetaToken: (token) => {
      state.options.metaToken = token
    },
    setGlobalKey: (key) => {
      state.options.globalKey = key
    },
    closeWindow: () => {
      state.isWindowClosed = true
      return () => {
        state.isWindowClosed = false
      }
    },
    postRaw: webhooks.postRaw,
  }
}
