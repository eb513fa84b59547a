import { z } from 'zod'
import { hashToken, isSame } from '../../kit/crypto.ts'
import { ChannelError, type InboundEvent } from '../adapter.ts'
import { badNumber, noCredit, type Provider, reach, refusalOf } from './api.ts'
import { type Context, heard, hookKeyOf, nothing, phoneIn, type SmsDriver } from './driver.ts'

const zenviaApi: Provider = {
  label: 'Zenvia',
  url: 'https://api.zenvia.com',
  rules: [
    [/balance|credit|saldo/i, noCredit],
    [/invalid (phone|recipient|destination)|['"]?to['"]? .*invalid/i, badNumber],
  ],
}
/** The header we ask them to send: they sign nothing. */
const keyHeader = 'x-balcao-key'

/** Zenvia's API v2; it is told by subscriptions where to call, with which headers. */
export const zenvia: SmsDriver = {
  verify: ({ headers }, { hookSecret }) => isSame(String(headers[keyHeader] ?? ''), hookKeyOf(hookSecret)),
  send: async ({ phone, text }, context) => {
    const json = { from: context.config.zenviaFrom, to: phone, contents: [{ type: 'text', text }] }
    const answer = await call(context, '/v2/channels/sms/messages', { method: 'POST', json }, false)
    const told = made.safeParse(answer.json()).data
    if (answer.status < 300 && told) return told.id
    throw refused(context, answer, false)
  },
  register: async (context) => {
    const known = await subscriptions(context)
    const webhook = { url: context.webhookUrl, headers: { [keyHeader]: hookKeyOf(context.hookSecret) } }
    for (const eventType of ['MESSAGE', 'MESSAGE_STATUS'] as const) {
      const ours = known.find((one) => one.eventType === eventType && one.webhook.url === context.webhookUrl)
      if (ours) {
        await change(context, `/v2/subscriptions/${encodeURIComponent(ours.id)}`, {
          method: 'PATCH',
          json: { webhook, status: 'ACTIVE' },
        })
        continue
      }
      const criteria = { channel: 'sms', ...(eventType === 'MESSAGE' && { direction: 'IN' }) }
      await change(context, '/v2/subscriptions', { method: 'POST', json: { eventType, webhook, criteria } })
    }
  },
  check: async (context) => {
    await subscriptions(context)
    return {}
  },
  disconnect: async (context) => {
    for (const { id, webhook } of await subscriptions(context))
      if (webhook.url === context.webhookUrl)
        await change(context, `/v2/subscriptions/${encodeURIComponent(id)}`, { method: 'DELETE' })
  },
  accountOf: ({ zenviaToken, zenviaFrom }) =>
    zenviaToken && zenviaFrom
      ? { id: `zenvia/${hashToken(zenviaToken)}/${zenviaFrom}`, field: 'zenviaFrom' }
      : undefined,
  split: (told) => {
    const status = receipt.safeParse(told).data
    if (status) {
      const { messageId, contentIndex, messageStatus } = status
      return { key: `zenvia:${messageId}:${contentIndex}:${messageStatus.code}`.slice(0, 500), payload: told }
    }
    const said = incoming.safeParse(told).data
    return said && { key: `zenvia:${said.message.id}`, payload: told, conversation: said.message.from }
  },
  parse: (told) => {
    const status = receipt.safeParse(told).data
    if (status) return [statusEvent(status)]
    const said = incoming.safeParse(told).data
    if (!said) return []
    const { direction, timestamp: at, message } = said
    if (direction === 'OUT') return [nothing]
    const phone = phoneIn(message.from)
    if (!phone) return []
    const texts = message.contents.flatMap((one) => (one.type === 'text' && one.text ? one.text : []))
    if (texts.length) return [heard({ providerId: message.id, phone, body: texts.join('\n'), at })]
    const body = 'Enviou algo que o SMS não traz até aqui.'
    return [heard({ providerId: message.id, phone, body, at, isUnsupported: true })]
  },
}

const name = z.string().min(1).max(200)
const moment = z.iso
  .datetime({ offset: true })
  .transform((at) => new Date(at))
  .optional()
  .catch(undefined)
const made = z.object({ id: name })
const subscription = z.object({ id: name, eventType: z.string(), webhook: z.object({ url: z.string() }) })
const receipt = z.object({
  type: z.literal('MESSAGE_STATUS'),
  messageId: name,
  contentIndex: z.int().default(0).catch(0),
  messageStatus: z.object({
    code: z.string(),
    description: z.string().optional().catch(undefined),
    cause: z.string().optional().catch(undefined),
  }),
})
const incoming = z.object({
  type: z.literal('MESSAGE'),
  timestamp: moment,
  direction: z.string().optional().catch(undefined),
  message: z.object({
    id: name,
    from: name,
    contents: z.array(z.object({ type: z.string(), text: z.string().optional().catch(undefined) })).max(50),
  }),
})

const statusEvent = ({ messageId: providerId, messageStatus }: z.output<typeof receipt>): InboundEvent => {
  switch (messageStatus.code) {
    case 'SENT':
      return { kind: 'status', providerId, status: 'sent' }
    case 'DELIVERED':
      return { kind: 'status', providerId, status: 'delivered' }
    case 'READ':
      return { kind: 'status', providerId, status: 'read' }
    case 'REJECTED':
    case 'NOT_DELIVERED': {
      const why = (messageStatus.cause ?? messageStatus.description ?? '').slice(0, 200)
      const error = `A operadora não entregou o SMS${why && ` (${why})`}.`
      return { kind: 'status', providerId, status: 'failed', error }
    }
    default:
      return nothing
  }
}

const call = (context: Context, path: string, more: Parameters<typeof reach>[3], isHarmless: boolean) =>
  reach(context, zenviaApi, path, { ...more, headers: { 'x-api-token': context.config.zenviaToken ?? '' } }, isHarmless)

const subscriptions = async (context: Context) => {
  const answer = await call(context, '/v2/subscriptions', {}, true)
  const told = z.array(z.unknown()).safeParse(answer.json()).data
  if (answer.status === 200 && told) return told.flatMap((one) => subscription.safeParse(one).data ?? [])
  throw refused(context, answer, true)
}

const change = async (context: Context, path: string, more: Parameters<typeof reach>[3]) => {
  const answer = await call(context, path, more, true)
  if (answer.status === 409)
    throw new ChannelError('final', 'A Zenvia já avisa outro sistema dos SMS desta conta.', {
      forAdmin: {
        text: 'Já existe um webhook de SMS igual nesta conta da Zenvia. Apague-o em Tokens e webhooks e toque em Testar.',
      },
    })
  if (answer.status >= 300 || (more.method !== 'DELETE' && !made.safeParse(answer.json()).success))
    throw refused(context, answer, true)
}

const problem = z.object({ code: z.string().default('').catch(''), message: z.string().default('').catch('') })
const refused = (context: Context, answer: Awaited<ReturnType<typeof reach>>, isHarmless: boolean) => {
  const { code = '', message = '' } = problem.safeParse(answer.json()).data ?? {}
  return refusalOf(context, zenviaApi, answer, [code, message].filter(Boolean).join(' '), isHarmless)
}
