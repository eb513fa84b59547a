import { randomBytes, randomUUID } from 'node:crypto'
import type { Line, Media } from '../handset.ts'
import type { SimulatorCore, SimulatorOptions } from '../simulator.ts'
import { type Template, type TemplateInput, templateInput } from '../waba/templates.ts'
import type { HubCustomer } from './customer.ts'

export type HubChannelKind =
  | 'whatsapp'
  | 'instagram'
  | 'facebook'
  | 'telegram'
  | 'webchat'
  | 'email'
  | 'sms'
  | 'rcs'
  | 'gbm'
  | 'tiktok'
  | 'olx'
  | 'mercadolivre'
/** A channel of the account: by its id it is written from, and that opens it. */
export type HubChannel = { id: string; name: string; channel: HubChannelKind; phone?: string; username?: string }
export type HubOptions = SimulatorOptions & { token: string; channels: HubChannel[]; businessName?: string }

export type Subscription = {
  id: string
  eventType?: 'MESSAGE' | 'MESSAGE_STATUS'
  criteria: { channel: string; direction?: 'IN' | 'OUT' }
  webhook: { url: string; url2?: string }
}

/** A refusal in the hub's own words. */
export class HubError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const windowMs = 24 * 60 * 60_000
const withWindow: readonly HubChannelKind[] = ['whatsapp', 'instagram', 'facebook']
export const hasWindow = (channel: HubChannelKind) => withWindow.includes(channel)

export const createState = (core: SimulatorCore, options: HubOptions) => {
  const files = new Map<string, Media>()
  const state = {
    core,
    token: options.token,
    channels: [...options.channels],
    subscriptions: [] as Subscription[],
    templates: [] as Template[],
    customers: [] as HubCustomer[],
    known: new Map<string, { customer: HubCustomer; line: Line }>(),
  }

  /** To each address that asked for it, and once more to its second. */
  const tell = async (channel: HubChannel, event: { type: string; direction?: string }, onAccepted?: () => void) => {
    const asked = state.subscriptions.filter(
      ({ eventType, criteria }) =>
        criteria.channel === channel.id &&
        (!eventType || eventType === event.type) &&
        (!criteria.direction || !event.direction || criteria.direction === event.direction),
    )
    const calls = asked.flatMap(({ id, webhook: { url, url2 } }) =>
      [url, ...(url2 ? [url2] : [])].map((address) => ({
        url: core.delivery.badSignature ? address.replace(/\?.*$/, '?key=x') : address,
        body: JSON.stringify({ ...event, subscriptionId: id }),
        headers: { 'content-type': 'application/json' },
        onAccepted,
      })),
    )
    for (const one of calls) await core.deliver(one)
  }

  return Object.assign(state, {
    tell,
    newId: () => randomUUID(),
    keep: (media: Media): string => {
      const name = randomBytes(16).toString('hex')
      files.set(name, media)
      return `${core.url}/files/${name}`
    },
    open: (name: string) => files.get(name),
    addTemplate: (input: TemplateInput) => {
      const quality_score = { score: 'UNKNOWN' }
      const made = { id: randomUUID(), status: 'APPROVED' as const, rejected_reason: 'NONE', quality_score }
      state.templates.push({ ...templateInput.parse(input), ...made })
    },
    channelOf: (id: string): HubChannel => {
      const found = state.channels.find((one) => one.id === id)
      if (!found) throw new HubError(400, 'Channel not found or disabled')
      return found
    },
    isOpen: ({ channel, lastInboundAt }: HubCustomer) =>
      !hasWindow(channel.channel) || (lastInboundAt !== undefined && core.now() - lastInboundAt < windowMs),
  })
}
export type State = ReturnType<typeof createState>
