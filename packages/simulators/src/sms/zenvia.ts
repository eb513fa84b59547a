import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { recordOf } from '../simulator.ts'
import { type Dialect, SmsError, type State } from './state.ts'

const onSends = /\/channels\/sms\/messages$/
const send = z.object({
  from: z.string().min(1),
  to: z.string().regex(/^\d{8,15}$/),
  contents: z.array(z.object({ type: z.literal('text'), text: z.string().min(1) })).min(1),
})
const webhook = z.object({ url: z.url(), headers: z.record(z.string(), z.string()).default({}) })
const subscription = z.object({
  eventType: z.enum(['MESSAGE', 'MESSAGE_STATUS']),
  webhook,
  criteria: z.object({ channel: z.string(), direction: z.string().optional() }),
})
const problem = (status: number, code: string, message: string) => new SmsError(status, { code, message })

/** Zenvia's API v2, its SMS channel. */
export const zenviaDialect: Dialect = {
  label: 'Zenvia',
  addRoutes: (state, talk) => {
    const { app } = state.core
    app.addHook('preHandler', async (req) => {
      if (req.url.startsWith('/v2/') && req.headers['x-api-token'] !== state.key)
        throw problem(401, 'AUTHENTICATION_ERROR', 'No authorization token was found')
    })
    app.post('/v2/channels/sms/messages', async (req) => {
      const { from, to, contents } = send.parse(recordOf(req).body)
      const id = randomUUID()
      await talk.accept({ id, phone: to, text: contents.map(({ text }) => text).join('\n'), payload: { from, to } })
      return { id, from, to, direction: 'OUT', channel: 'sms', contents }
    })
    app.get('/v2/subscriptions', () => state.hooks.map(shown))
    app.post('/v2/subscriptions', (req) => {
      const { eventType, webhook: told } = subscription.parse(recordOf(req).body)
      if (state.hooks.some((one) => one.eventType === eventType && one.url === told.url))
        throw problem(409, 'CONFLICT', 'Subscription already exists')
      const made = { id: randomUUID(), eventType, status: 'ACTIVE', ...told }
      state.hooks.push(made)
      return shown(made)
    })
    const hookOf = (id: string) => {
      const found = state.hooks.find((one) => one.id === id)
      if (!found) throw problem(404, 'NOT_FOUND', 'Subscription not found')
      return found
    }
    app.patch<{ Params: { id: string } }>('/v2/subscriptions/:id', (req) => {
      const change = z.object({ webhook: webhook.optional(), status: z.string().optional() }).parse(recordOf(req).body)
      const found = hookOf(req.params.id)
      return shown(Object.assign(found, change.webhook, change.status && { status: change.status }))
    })
    app.delete<{ Params: { id: string } }>('/v2/subscriptions/:id', (req, reply) => {
      state.hooks.splice(state.hooks.indexOf(hookOf(req.params.id)), 1)
      return reply.code(204).send()
    })
  },
  message: (state, customer, id, text) => ({
    id: randomUUID(),
    timestamp: new Date(state.core.now()).toISOString(),
    type: 'MESSAGE',
    subscriptionId: hookFor(state, 'MESSAGE')?.id,
    channel: 'sms',
    direction: 'IN',
    message: {
      id,
      from: customer.phone,
      to: state.from,
      direction: 'IN',
      channel: 'sms',
      contents: [{ type: 'text', text }],
    },
  }),
  receipt: (state, id, _known, receipt) => {
    const code = { sent: 'SENT', delivered: 'DELIVERED', failed: 'NOT_DELIVERED' }[receipt]
    const timestamp = new Date(state.core.now()).toISOString()
    return {
      id: randomUUID(),
      timestamp,
      type: 'MESSAGE_STATUS',
      subscriptionId: hookFor(state, 'MESSAGE_STATUS')?.id,
      channel: 'sms',
      messageId: id,
      contentIndex: 0,
      messageStatus: {
        timestamp,
        code,
        description: code,
        ...(receipt === 'failed' && { cause: 'Absent subscriber' }),
      },
    }
  },
  call: (state, fields, signed) => {
    const { type } = z.object({ type: z.string() }).catch({ type: '' }).parse(fields)
    const hook = hookFor(state, type)
    if (!hook) return undefined
    const said = Object.fromEntries(
      Object.entries(hook.headers).map(([name, value]) => [name, signed === 'wrong' ? `${value}x` : value]),
    )
    const headers = { 'content-type': 'application/json', ...(signed !== 'missing' && said) }
    return { url: hook.url, body: JSON.stringify(fields), headers }
  },
  faults: [
    {
      id: 'token',
      label: '401 · token trocado',
      fault: { status: 401, body: { code: 'AUTHENTICATION_ERROR', message: 'Invalid token' }, match: onSends },
    },
    {
      id: 'credit',
      label: '400 · sem créditos',
      fault: { status: 400, body: { code: 'INSUFFICIENT_BALANCE', message: 'Insufficient balance' }, match: onSends },
    },
  ],
}

const hookFor = ({ hooks }: State, type: string) =>
  hooks.find(({ eventType, status }) => eventType === type && status === 'ACTIVE') ?? hooks[0]
const shown = ({ id, eventType, status, url, headers }: State['hooks'][number]) => ({
  id,
  eventType,
  status,
  webhook: { url, headers },
  criteria: { channel: 'sms' },
})
