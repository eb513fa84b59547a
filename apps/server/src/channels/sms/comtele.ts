import { z } from 'zod'
import { hashToken } from '../../kit/crypto.ts'
import { ChannelError, type InboundEvent } from '../adapter.ts'
import { fingerprint } from '../fingerprint.ts'
import { badNumber, noCredit, type Provider, reach, refusalOf } from './api.ts'
import { type Context, heard, isOurAddress, nothing, ourId, phoneIn, type SmsDriver } from './driver.ts'

const comteleApi: Provider = {
  label: 'Comtele',
  url: 'https://sms.comtele.com.br/api/v2',
  rules: [
    [/cr[eé]dito/i, noCredit],
    [/destinat[aá]rio|telefone|phone|n[uú]mero/i, badNumber],
  ],
}

/** Comtele; what it tells names our message by the `Sender` we gave it, which nobody else reads. */
export const comtele: SmsDriver = {
  verify: isOurAddress,
  send: async ({ id, phone, text }, context) => {
    const [, national] = /^55(\d{10,11})$/.exec(phone) ?? []
    if (!national) throw new ChannelError('final', 'A Comtele só envia para números do Brasil.')
    const json = { Sender: id, Receivers: national, Content: text }
    const answer = await call(context, '/send', { method: 'POST', json }, false)
    if (answer.status === 200 && made.safeParse(answer.json()).success) return id
    throw refused(context, answer, false)
  },
  check: async (context) => {
    const answer = await call(context, '/credits', {}, true)
    const told = made.safeParse(answer.json()).data
    if (answer.status === 200 && told) return { credits: z.coerce.number().int().safeParse(told.Object).data }
    throw refused(context, answer, true)
  },
  accountOf: ({ comteleKey }) =>
    comteleKey ? { id: `comtele/${hashToken(comteleKey)}`, field: 'comteleKey' } : undefined,
  split: (told) => {
    const status = receipt.safeParse(told).data
    if (status) {
      const { Sender, PhoneNumber, Status } = status
      return { key: `comtele:${Sender}:${PhoneNumber}:${Status}`.slice(0, 500), payload: told }
    }
    const said = incoming.safeParse(told).data
    return said && { key: `comtele:mo:${fingerprint(told)}`, payload: told, conversation: said.Sender }
  },
  parse: (told) => {
    const status = receipt.safeParse(told).data
    if (status) return [statusEvent(status)]
    const said = incoming.safeParse(told).data
    const phone = phoneIn(said?.Sender ?? '')
    if (!said || !phone) return []
    // An answer has no id of its own.
    return [heard({ providerId: `mo:${fingerprint(told)}`, phone, body: said.ReceivedContent, at: said.ReceiveDate })]
  },
}

const made = z.object({ Success: z.literal(true), Object: z.unknown() })
const words = z.string().max(500)
const receipt = z.object({ Sender: words, Status: words.min(1), PhoneNumber: words })
const incoming = z.object({
  Sender: words,
  ReceivedContent: z.string(),
  ReceiveDate: z.iso
    .datetime({ offset: true })
    .transform((at) => new Date(at))
    .optional()
    .catch(undefined),
})

/** What was sent from its panel is none of ours. */
const statusEvent = ({ Sender, Status }: z.output<typeof receipt>): InboundEvent => {
  const messageId = ourId(Sender)
  if (!messageId) return nothing
  const told = { kind: 'status', providerId: messageId, messageId } as const
  switch (Status.trim().toLowerCase()) {
    case 'delivered':
      return { ...told, status: 'delivered' }
    case 'accepted':
    case 'processed':
      return { ...told, status: 'sent' }
    case 'undelivered':
    case 'expired':
    case 'error':
      return { ...told, status: 'failed', error: 'A operadora não entregou o SMS. Confira o telefone do contato.' }
    case 'rejected':
      return {
        ...told,
        status: 'failed',
        error: 'A operadora recusou o SMS: telefone incorreto ou texto não permitido.',
      }
    default:
      return nothing
  }
}

const call = (context: Context, path: string, more: Parameters<typeof reach>[3], isHarmless: boolean) =>
  reach(context, comteleApi, path, { ...more, headers: { 'auth-key': context.config.comteleKey ?? '' } }, isHarmless)

const problem = z.object({ Success: z.boolean().optional(), Message: z.string().default('').catch('') })
const refused = (context: Context, answer: Awaited<ReturnType<typeof reach>>, isHarmless: boolean) => {
  const { Success, Message = '' } = problem.safeParse(answer.json()).data ?? {}
  return refusalOf(context, comteleApi, answer, Success === true ? '' : Message, isHarmless)
}
