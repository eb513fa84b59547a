import { createHmac } from 'node:crypto'
import { isSame } from '../../kit/crypto.ts'
import { foldPhone } from '../../kit/phone-numbers.ts'
import type { ChannelContext, Content, Fetched, InboundEvent, JournalPiece, RawRequest } from '../adapter.ts'

export type Context = ChannelContext<'sms'>
/** A call of a provider, whether it came as JSON or as a form. */
export type Told = Record<string, unknown>
/** What leaves: `phone` in digits, with the country. */
export type Sms = { id: string; phone: string; text: string /** Where the picture of an MMS lies. */; picture?: string }

/** One provider of SMS. */
export type SmsDriver = {
  /** True only when the provider made this request. */
  verify: (request: RawRequest, context: Context) => boolean
  /** Sends one; resolves with the id by which its receipts name it. */
  send: (sms: Sms, context: Context) => Promise<string>
  /** Registers what must be registered, where that is more than asking (`check`). */
  register?: (context: Context) => Promise<void>
  /** Asks the account with its credentials, changing nothing: how many messages it has left, where it tells. */
  check: (context: Context) => Promise<{ credits?: number }>
  disconnect?: (context: Context) => Promise<void>
  /** Brings a received file; throws ChannelError. */
  fetchMedia?: (url: string, context: Context) => Promise<Fetched>
  /** What is proven with the credentials, and the field that says so. */
  accountOf: (config: Context['config']) => { id: string; field: string } | undefined
  /** Pure; undefined: another provider speaks. */
  split: (told: Told) => JournalPiece | undefined
  /** Pure. */
  parse: (told: Told) => InboundEvent[]
}

/** Whoever cannot sign or send headers of ours calls an address only they know. */
export const hookKeyOf = (hookSecret: string) =>
  createHmac('sha256', hookSecret).update('sms webhook').digest('base64url')
export const hookUrl = ({ webhookUrl, hookSecret }: Pick<Context, 'webhookUrl' | 'hookSecret'>) =>
  `${webhookUrl}?key=${hookKeyOf(hookSecret)}`
export const isOurAddress = ({ query }: RawRequest, { hookSecret }: Context) =>
  isSame(query.key ?? '', hookKeyOf(hookSecret))

/** Digits with the country, from what a provider calls somebody; undefined for a short code or a name. */
export const phoneIn = (said: string): string | undefined => {
  const digits = said.replace(/\D/g, '').replace(/^0+/, '')
  if (!/^\+?[\d\s().-]+$/.test(said.trim()) || digits.length < 8 || digits.length > 15) return undefined
  const isLocal = !said.trim().startsWith('+') && (digits.length === 10 || digits.length === 11)
  return foldPhone(isLocal ? `55${digits}` : digits)
}

/** A file of an MMS, where it lies. */
export type Media = { url: string; mime: string }
type Heard = { providerId: string; phone: string; body: string; at?: Date; isUnsupported?: boolean; media?: Media }
/** An answer of the customer's. */
export const heard = ({ providerId, phone, body, at = new Date(), isUnsupported, media }: Heard): InboundEvent => ({
  kind: 'message',
  providerId,
  from: { identities: [{ kind: 'phone', value: phone }] },
  fromMe: false,
  timestamp: at,
  content: media ? fileOf(body, media) : { type: isUnsupported ? 'unsupported' : 'text', body },
})

const fileKinds = ['image', 'video', 'audio'] as const
const fileOf = (body: string, { url, mime }: Media): Content => ({
  type: fileKinds.find((kind) => mime.startsWith(`${kind}/`)) ?? 'document',
  body,
  media: { source: { url }, mime: mime || undefined },
})

/** Understood, and nobody's concern. */
export const nothing: InboundEvent = { kind: 'nothing' }
/** An id of ours that a provider repeats. */
export const ourId = (said: string | undefined): string | undefined =>
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(said ?? '') ? said : undefined
