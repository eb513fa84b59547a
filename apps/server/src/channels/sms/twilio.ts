import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { isSame } from '../../kit/crypto.ts'
import { ChannelError, type InboundEvent, type RawRequest } from '../adapter.ts'
import { fileAt } from '../file-at.ts'
import { noAnswer } from '../http-errors.ts'
import { badNumber, keyRefused, optedOut, type Provider, reach, refusalOf } from './api.ts'
import {
  type Context,
  heard,
  hookUrl,
  isOurAddress,
  type Media,
  nothing,
  phoneIn,
  type SmsDriver,
  type Told,
} from './driver.ts'

const twilioApi: Provider = {
  label: 'Twilio',
  url: 'https://api.twilio.com',
  rules: [
    [/^(20003|20404)\b/, keyRefused],
    [/^(21211|21614)\b/, badNumber],
    [/^21610\b/, optedOut],
    [
      /^21609\b/,
      () =>
        new ChannelError('final', 'A Twilio não alcança este servidor. Avise o administrador.', {
          isConnectionBroken: true,
          forAdmin: {
            text: 'A Twilio só avisa endereços públicos. Quem cuida da instalação define o endereço em PUBLIC_URL.',
          },
        }),
    ],
  ],
}

/** Twilio's Programmable Messaging; statuses and answers are signed with the account's token. */
export const twilio: SmsDriver = {
  verify: (request, context) => {
    const url = isOurAddress(request, context) ? hookUrl(context) : context.webhookUrl
    const given = request.headers['x-twilio-signature']
    return isSame(String(given ?? ''), signatureOf(context.config.authToken ?? '', url, request.rawBody.toString()))
  },
  send: async ({ phone, text, picture }, context) => {
    const { twilioFrom: from = '' } = context.config
    const sender: Record<string, string> = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from }
    const form: Record<string, string> = {
      To: `+${phone}`,
      ...sender,
      ...((text || !picture) && { Body: text }),
      ...(picture && { MediaUrl: picture }),
      StatusCallback: hookUrl(context),
    }
    const answer = await call(context, 'Messages.json', { method: 'POST', form }, false)
    const told = made.safeParse(answer.json()).data
    if (answer.status < 300 && told) return told.sid
    throw refused(context, answer, false)
  },
  check: async (context) => {
    const { accountSid } = context.config
    const answer = await call({ ...context }, '', {}, true)
    if (answer.status === 200 && made.safeParse(answer.json()).data?.sid === accountSid) return {}
    throw refused(context, answer, true)
  },
  accountOf: ({ accountSid, twilioFrom }) =>
    accountSid && twilioFrom ? { id: `twilio/${accountSid}/${twilioFrom}`, field: 'twilioFrom' } : undefined,
  split: (told) => {
    const status = receipt.safeParse(told).data
    if (status?.MessageStatus)
      return { key: `twilio:${status.MessageSid}:${status.MessageStatus}`.slice(0, 500), payload: told }
    const said = incoming.safeParse(told).data
    return said && { key: `twilio:${said.MessageSid}`, payload: told, conversation: said.From }
  },
  parse: (told) => {
    const status = receipt.safeParse(told).data
    if (status) return [statusEvent(status)]
    const said = incoming.safeParse(told).data
    const phone = phoneIn(said?.From ?? '')
    if (!said || !phone) return []
    const { MessageSid: providerId, Body: body } = said
    const files = filesIn(told)
    if (!files.length) return [heard({ providerId, phone, body })]
    // Several files in one message: the first has its name and its words.
    return files.map((media, at) =>
      heard({ providerId: at ? `${providerId}#${at + 1}` : providerId, phone, body: at ? '' : body, media }),
    )
  },
  fetchMedia: async (url, context) => {
    const { config, egress } = context
    if (new URL(url).origin !== new URL(config.baseUrl || twilioApi.url).origin) return fileAt(url, egress, gone)
    const limits = { timeoutMs: 60_000, maxBytes: 20_000_000 }
    const headers = { authorization: basic(context) }
    const answer = await egress.http(url, { ...limits, headers }).catch((error: unknown) => {
      throw noAnswer(error, true)
    })
    // It lies elsewhere, and opens there without a key.
    const elsewhere = answer.status >= 301 && answer.status <= 308 ? answer.headers.location : undefined
    if (elsewhere) return fileAt(new URL(elsewhere, url).href, egress, gone)
    if (answer.status === 200) return { bytes: answer.bytes, mime: answer.headers['content-type'] }
    throw answer.status === 429 || answer.status >= 500
      ? new ChannelError('retry', 'A Twilio não entregou o arquivo agora.')
      : gone()
  },
}

const gone = () =>
  new ChannelError('final', 'A Twilio não tem mais este arquivo. Peça ao cliente para enviá-lo de novo.')
const attached = z.object({ url: z.url({ protocol: /^https?$/ }), mime: z.string().max(200).catch('') })
/** `MediaUrl0`, `MediaContentType0` and so on, as many as `NumMedia` says. */
const filesIn = (told: Told): Media[] =>
  Array.from({ length: Math.min(Number(told.NumMedia) || 0, 10) }, (_, at) => at).flatMap((at) => {
    const { data } = attached.safeParse({ url: told[`MediaUrl${at}`], mime: told[`MediaContentType${at}`] })
    return data ? [{ url: data.url, mime: data.mime }] : []
  })

const sid = z.string().min(1).max(100)
const made = z.object({ sid })
const receipt = z.object({ MessageSid: sid, MessageStatus: z.string().min(1), ErrorCode: z.string().optional() })
const incoming = z.object({
  MessageSid: sid,
  From: z.string().min(1).max(200),
  Body: z.string().default(''),
})

const statusEvent = ({
  MessageSid: providerId,
  MessageStatus,
  ErrorCode = '',
}: z.output<typeof receipt>): InboundEvent => {
  switch (MessageStatus) {
    case 'sent':
    case 'partially_delivered':
      return { kind: 'status', providerId, status: 'sent' }
    case 'delivered':
    case 'read':
      return { kind: 'status', providerId, status: MessageStatus }
    case 'failed':
    case 'undelivered':
    case 'canceled': {
      const [error, isUnreachable] = failures[ErrorCode] ?? [
        `A operadora não entregou o SMS (${ErrorCode || MessageStatus}).`,
        false,
      ]
      return { kind: 'status', providerId, status: 'failed', error, isUnreachable }
    }
    default:
      return nothing
  }
}
/** https://www.twilio.com/docs/api/errors, and whether anything more would arrive there. */
const failures: Record<string, [text: string, isUnreachable: boolean]> = {
  30003: ['O celular está desligado ou sem sinal. Tente mais tarde.', false],
  30004: ['O celular ou a operadora bloqueou o SMS.', false],
  30005: ['Este número não existe mais. Confira o telefone do contato.', true],
  30006: ['Este número é fixo ou não recebe SMS.', true],
  30007: ['A operadora filtrou o SMS como indesejado. Mude o texto.', false],
  30008: ['A operadora não entregou o SMS, e não disse por quê.', false],
}

type Call = Parameters<typeof reach>[3]
const call = (context: Context, path: string, more: Call, isHarmless: boolean) => {
  const { accountSid = '' } = context.config
  const authorization = basic(context)
  const account = `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`
  return reach(
    context,
    twilioApi,
    path ? `${account}/${path}` : `${account}.json`,
    { ...more, headers: { authorization } },
    isHarmless,
  )
}

const basic = ({ config: { accountSid = '', authToken = '' } }: Context) =>
  `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`

const problem = z.object({ code: z.number().optional(), message: z.string().default('') })
const refused = (context: Context, answer: Awaited<ReturnType<typeof reach>>, isHarmless: boolean) => {
  const { code, message = '' } = problem.safeParse(answer.json()).data ?? {}
  return refusalOf(context, twilioApi, answer, [code, message].filter(Boolean).join(' '), isHarmless)
}

/** HMAC-SHA1 over the whole address and every parameter in order, whatever parameters there will be. */
export const signatureOf = (authToken: string, url: string, form: RawRequest['rawBody'] | string): string => {
  const params = new URLSearchParams(form.toString())
  const names = [...new Set(params.keys())].toSorted()
  const values = names.flatMap((name) => [...new Set(params.getAll(name))].toSorted().map((value) => name + value))
  return createHmac('sha1', authToken)
    .update(url + values.join(''), 'utf8')
    .digest('base64')
}
