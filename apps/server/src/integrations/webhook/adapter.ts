import { randomUUID } from 'node:crypto'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { IntegrationConfig } from '@balcao/contract/core/integrations/index.ts'
import type { EventName } from '@balcao/contract/events.ts'
import { EgressError } from '../../kit/egress.ts'
import { signedHeaders } from '../../kit/standard-webhooks.ts'
import {
  type Heard,
  type IntegrationAdapter,
  type IntegrationContext,
  IntegrationError,
  type Told,
} from '../adapter.ts'

const timeoutMs = 10_000
/** Letters of an answer. */
const mostKept = 2_000

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

const compose = ({ id, topic, at, payload, url }: Told, config: IntegrationConfig<'webhook'>) => ({
  url: url ?? config.url,
  body: JSON.stringify({ id, type: topic, timestamp: at.toISOString(), data: payload }),
})

export const webhook: IntegrationAdapter<'webhook'> = {
  test: async (context) => {
    const told = { id: randomUUID(), topic: 'webhook.test', at: new Date(), payload: {}, url: null }
    const { is, error } = await post(told, context)
    if (is === 'delivered') return { text: 'O endereço aceitou o aviso de teste.' }
    throw new IntegrationError(error ?? 'O endereço respondeu que não existe mais (410).')
  },
  hears: {
    topics: (config) => switches.flatMap((name) => (config[name] ? topics[name] : [])),
    compose,
    tell: (told, context) => post(told, context),
  },
}

const post = async (told: Told, { config, egress }: IntegrationContext<'webhook'>): Promise<Heard> => {
  const { url, body } = compose(told, config)
  const headers = { 'content-type': 'application/json', ...signedHeaders(config.secret, { id: told.id, body }) }
  const began = performance.now()
  try {
    const reply = await egress.http(url, { method: 'POST', headers, body, timeoutMs, maxBytes: 64_000 })
    const { status } = reply
    const answer = { status, body: readable(reply.bytes.toString('utf8')), ms: Math.round(performance.now() - began) }
    if (status >= 200 && status < 300) return { is: 'delivered', answer }
    if (status === 410) return { is: 'gone', answer }
    const againInS = Number(reply.headers['retry-after']) || 0
    return { is: 'failed', error: `O endereço respondeu ${status}.`, againInS, answer }
  } catch (error) {
    if (error instanceof EgressError) return { is: 'failed', error: 'O endereço não respondeu a tempo.' }
    throw error
  }
}

/** The beginning of an answer, as text that a database takes. */
const readable = (text: string) => cutText(text, mostKept).replaceAll('\u0000', '')
