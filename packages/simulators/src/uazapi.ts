import type { Handset, Line } from './handset.ts'
import { createSimulator, type DeliveredWebhook } from './simulator.ts'
import { knownFaults } from './uazapi/faults.ts'
import { createInstances } from './uazapi/instances.ts'
import { addRoutes } from './uazapi/routes.ts'
import { createSending } from './uazapi/sending.ts'
import { createState, type Instance, type UazapiOptions } from './uazapi/state.ts'
import { createTalk } from './uazapi/talk.ts'
import { createWebhooks } from './uazapi/webhooks.ts'
import type { Profile, WhatsAppCustomer } from './whatsapp/customer.ts'
import type { Group } from './whatsapp/people.ts'

export type UazapiSimulator = Handset & {
  readonly customers: WhatsAppCustomer[]
  readonly instances: readonly Instance[]
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
  /** An instance as somebody made it in the panel. */
  init(name: string, token?: string): Instance
  /** Asks for a code, as the panel does. */
  open(instance: string): Promise<void>
  /** The next code, as time would draw it. */
  rotate(instance: string): Promise<void>
  /** Nobody read one in time. */
  expire(instance: string): Promise<void>
  /** Somebody reads the code with the phone; one that is no longer shown is refused. */
  scan(instance: string, code?: string): Promise<void>
  /** The link ends, in uazapi's words for why. */
  drop(instance: string, reason: string): Promise<void>
  /** The owner writes on the phone itself. */
  ownPhone(to: WhatsAppCustomer, text: string): Promise<string>
  tellHistory(customer: WhatsAppCustomer, lines: { text: string; fromMe: boolean; at: Date }[]): Promise<void>
  ring(from: WhatsAppCustomer): Promise<string>
  giveUp(from: WhatsAppCustomer, call: string): Promise<string>
  tellGroup(group: Group, change: object): Promise<void>
  postRaw(url: string, body: string): Promise<DeliveredWebhook>
}

/** uazapiGO v2, with the phones of the people its instances talk to. */
export async function startUazapiSimulator(options: UazapiOptions): Promise<UazapiSimulator> {
  const core = await createSimulator(options)
  const state = createState(core, options)
  const webhooks = createWebhooks(state)
  const talk = createTalk(state, webhooks)
  const instances = createInstances(state, webhooks)
  const sending = createSending(state, talk)
  addRoutes(state, { instances, talk, sending })
  await core.listen()
  const { requests, faults, delivery, webhooks: delivered, idle, onChange, close } = core
  const waiting = () => state.instances.filter(({ status }) => status === 'connecting')
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
    rejected: state.rejected,
    knownFaults,
    customer: talk.customer,
    newCustomer: talk.newCustomer,
    group: talk.group,
    groups: state.groups,
    lineOf: (id) => state.known.get(id)?.line,
    mentionedIn: talk.mentionedIn,
    init: instances.init,
    open: (name) => instances.connect(instances.find(name)),
    rotate: instances.rotate,
    expire: instances.expire,
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
    ring: (from) => talk.tellCall(from, 'CallOffer'),
    giveUp: (from, call) => talk.tellCall(from, 'CallTerminate', call),
    tellGroup: talk.tellGroup,
    postRaw: webhooks.postRaw,
  }
}
