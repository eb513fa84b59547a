import type { Handset } from './handset.ts'
import { HubCustomer, type HubProfile, messageOf, statusOf } from './hub/customer.ts'
import { addRoutes } from './hub/routes.ts'
import { createState, type HubOptions, type Subscription } from './hub/state.ts'
import { createSimulator, type DeliveredWebhook } from './simulator.ts'
import type { TemplateInput } from './waba/templates.ts'

export type { HubCustomer } from './hub/customer.ts'
export type { HubChannel } from './hub/state.ts'

export type HubSimulator = Handset & {
  readonly customers: HubCustomer[]
  readonly subscriptions: Subscription[]
  /** Finds by id on a channel (the first where none is named), or creates. */
  customer(profile?: HubProfile): HubCustomer
  newCustomer(customer: { name: string; handle?: string }): HubCustomer
  addTemplate(input: TemplateInput): void
  setToken(token: string): void
  /** Another system of the company sends to her. */
  sendElsewhere(to: HubCustomer, text: string): Promise<string>
  /** Her channel could not deliver a message of ours. */
  fail(to: HubCustomer, messageId: string, cause: string): Promise<void>
  /** Calls an address as it is. */
  postRaw(body: string, url: string): Promise<DeliveredWebhook>
}

const match = ({ path }: { path: string }) => path.endsWith('/messages')
const refuse = (status: number, message: string) => ({ status, body: { message }, match })

/** An account at NotificaMe with its channels, and who writes to them. */
export const startHubSimulator = async (options: HubOptions): Promise<HubSimulator> => {
  const core = await createSimulator(options)
  const state = createState(core, options)
  const [first] = state.channels
  if (!first) throw new Error('an account without channels')

  const find = (id: string | undefined, channelId: string) =>
    state.customers.find((one) => one.id === id && one.channel.id === channelId)
  const make = (profile: HubProfile, channelId: string) => {
    const made = new HubCustomer(state, state.channelOf(channelId), profile)
    state.customers.push(made)
    core.changed()
    return made
  }
  const customer = ({ channel = first.id, ...profile }: HubProfile = {}) =>
    find(profile.id, channel) ?? make(profile, channel)
  /** By a phone or an address anybody may be written to first. */
  const reached = (id: string, channelId: string) => {
    const { channel } = state.channelOf(channelId)
    const isOpen = ['whatsapp', 'sms', 'rcs', 'email'].includes(channel)
    return find(id, channelId) ?? (isOpen ? make({ id }, channelId) : undefined)
  }
  addRoutes(state, reached)
  await core.listen()
  const { requests, faults, delivery, webhooks, idle, onChange, close } = core
  return {
    ...{ requests, faults, delivery, webhooks, idle, onChange, close },
    get url() {
      return core.url
    },
    channel: 'hub',
    businessName: options.businessName ?? 'Loja',
    businessHandle: state.channels.map(({ name }) => name).join(', '),
    customers: state.customers,
    subscriptions: state.subscriptions,
    knownFaults: [
      { id: '401', label: '401 · token revogado', fault: refuse(401, 'Invalid token') },
      { id: 'window', label: '400 · fora da janela de 24 h', fault: refuse(400, 'Message outside the 24 hour window') },
      { id: '429', label: '429 · pedidos demais', fault: refuse(429, 'Too many requests') },
      { id: '502', label: '502 · fora do ar', fault: { status: 502, body: 'Bad Gateway', match } },
      { id: 'accepted', label: 'aceitar e cair sem responder', fault: { afterAccepting: true, match } },
    ],
    customer,
    /** On the channel whose name stands as her handle. */
    newCustomer: ({ name, handle }) => {
      const on = state.channels.find((one) => one.name.toLowerCase() === handle?.toLowerCase()) ?? first
      return make({ name }, on.id)
    },
    addTemplate: state.addTemplate,
    setToken: (token) => {
      state.token = token
    },
    sendElsewhere: async (to, text) => {
      const id = state.newId()
      const contents = [{ type: 'text', text }]
      to.receive({
        id,
        from: 'business',
        at: core.now(),
        type: 'text',
        text,
        reactions: {},
        state: 'sent',
        payload: contents,
      })
      await state.tell(to.channel, messageOf(state, to, 'OUT', id, contents))
      return id
    },
    fail: async (to, messageId, cause) => {
      await state.tell(to.channel, statusOf(state, messageId, 'NOT_DELIVERED', cause))
    },
    postRaw: async (body, url) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(url, { method: 'POST', headers, body })
      await answer.arrayBuffer()
      const log: DeliveredWebhook = { at: Date.now(), body, attempts: 1, status: answer.status }
      core.webhooks.push(log)
      return log
    },
  }
}
