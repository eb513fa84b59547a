import { createHmac, randomUUID } from 'node:crypto'
import type { EventName } from '@balcao/contract/events.ts'
import { EgressError } from '../../kit/egress.ts'
import { type Heard, type IntegrationAdapter, type IntegrationContext, IntegrationError } from '../adapter.ts'

const timeoutMs = 10_000

/** What each switch of the form stands for. */
const topics = {
  messages: ['message.created', 'message.updated', 'message.removed', 'message.status'],
  tickets: ['ticket.created', 'ticket.updated'],
  contacts: ['contact.updated', 'contact.deleted', 'contact.merged'],
  channels: ['connection.updated', 'connection.deleted'],
  tasks: ['task.created', 'task.updated', 'task.deleted', 'task.due'],
  ratings: ['rating.updated'],
} as const satisfies Record<string, EventName[]>
const switches = Object.keys(topics) as (keyof typeof topics)[]

export const webhook: IntegrationAdapter<'webhook'> = {
  test: async (context) => {
    const heard = await post(context, { id: randomUUID(), topic: 'webhook.test', at: new Date(), payload: {} })
    if (heard === 'delivered') return { text: 'O endereço aceitou o aviso de teste.' }
    throw new IntegrationError(heard === 'gone' ? 'O endereço respondeu que não existe mais (410).' : heard.failed)
  },
  hears: {
    topics: (config) => switches.flatMap((name) => (config[name] ? topics[name] : [])),
    tell: (told, context) => post(context, told),
  },
}

type Notice = { id: string; topic: string; at: Date; payload: unknown }

const post = async (
  { config: { url, secret }, egress }: IntegrationContext<'webhook'>,
  { id, topic, at, payload }: Notice,
): Promise<Heard> => {
  const body = JSON.stringify({ id, type: topic, timestamp: at.toISOString(), data: payload })
  const sentAt = String(Math.floor(Date.now() / 1_000))
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': sentAt,
    'webhook-signature': `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${sentAt}.${body}`).digest('base64')}`,
  }
  try {
    const { status, headers: said } = await egress.http(url, {
      method: 'POST',
      headers,
      body,
      timeoutMs,
      maxBytes: 64_000,
    })
    if (status >= 200 && status < 300) return 'delivered'
    if (status === 410) return 'gone'
    return { failed: `O endereço respondeu ${status}.`, againInS: Number(said['retry-after']) || 0 }
  } catch (error) {
    if (error instanceof EgressError) return { failed: 'O endereço não respondeu a tempo.' }
    throw error
  }
}

/** One made by a library begins with `whsec_` and is base64; one that a person made up is its letters. */
const keyOf = (secret: string) =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
