import { type HubKind, hubKindNames } from '@balcao/contract/channels/hub.ts'
import { scopedId } from '@balcao/contract/channels/index.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import { foldPhone } from '../../kit/phone-numbers.ts'
import type { InboundEvent, InboundMessage, JournalPiece } from '../adapter.ts'
import { fingerprint } from '../fingerprint.ts'
import { contentOf } from './content.ts'

const name = z.string().min(1).max(300)
const moment = loose(z.iso.datetime({ offset: true }).transform((at) => new Date(at)))
const receipt = z.object({
  type: z.literal('MESSAGE_STATUS'),
  messageId: name,
  contentIndex: z.int().default(0).catch(0),
  messageStatus: z.object({ code: z.string().max(60), description: loose(z.string()), cause: loose(z.string()) }),
})
const message = z.object({
  id: name,
  from: loose(name),
  to: loose(name),
  channel: loose(z.string()),
  direction: loose(z.string()),
  visitor: loose(z.object({ name: loose(z.string()), firstName: loose(z.string()), lastName: loose(z.string()) })),
  contents: z.array(z.unknown()).max(50),
})
const told = z.object({
  type: z.literal('MESSAGE'),
  timestamp: moment,
  channel: loose(z.string()),
  direction: loose(z.string()),
  message,
})
type Told = z.output<typeof told>

const isOut = ({ direction, message: { direction: own } }: Told) => (direction ?? own) === 'OUT'
const personIn = (one: Told) => (isOut(one) ? one.message.to : one.message.from)

/** One event a call; the same one comes twice where the subscription has a second address. */
export const split = (body: unknown): JournalPiece[] => {
  const status = receipt.safeParse(body).data
  if (status) {
    const { messageId, contentIndex, messageStatus } = status
    return [{ key: `status:${messageId}:${contentIndex}:${messageStatus.code}`, payload: body }]
  }
  const said = told.safeParse(body).data
  if (!said) return [{ key: `unknown:${fingerprint(body)}`, payload: body }]
  return [{ key: `message:${said.message.id}`, payload: withoutToken(body, said), conversation: personIn(said) }]
}

/** The channel is named by its token, which opens it at the hub. */
const withoutToken = (body: unknown, said: Told): unknown => {
  const whole = z.looseObject({ message: z.record(z.string(), z.unknown()) }).parse(body)
  const { [isOut(said) ? 'from' : 'to']: _, ...rest } = whole.message
  return { ...whole, message: rest }
}

export const parse = (payload: unknown): InboundEvent[] => {
  const status = receipt.safeParse(payload).data
  if (status) return [statusEvent(status)]
  const said = told.safeParse(payload).data
  return said ? messageEvents(said) : []
}

const messageEvents = (one: Told): InboundEvent[] => {
  const { timestamp = new Date(), channel, message: said } = one
  const kind = hubKindNames.find((known) => known === (channel ?? said.channel))
  const person = personIn(one)
  const identity = kind && person ? identityOf(kind, person) : undefined
  if (!identity) return []
  const fromMe = isOut(one)
  return said.contents.map(
    (content, at): InboundMessage => ({
      kind: 'message',
      // Several contents in one message: the first has its name.
      providerId: at ? `${said.id}#${at + 1}` : said.id,
      from: { identities: [identity], ...(!fromMe && { name: nameOf(said) }) },
      fromMe,
      timestamp,
      content: contentOf(content),
    }),
  )
}

const nameOf = ({ visitor }: z.output<typeof message>): string | undefined =>
  visitor?.name?.trim() || [visitor?.firstName, visitor?.lastName].filter(Boolean).join(' ').trim() || undefined

/** Whom a channel calls so: by phone or mail where it has those, else somebody of this kind of channel. */
export const identityOf = (kind: HubKind, id: string): Identity | undefined => {
  if (kind === 'email') return { kind: 'email', value: id.trim().toLowerCase() }
  if (kind !== 'whatsapp' && kind !== 'sms' && kind !== 'rcs') return { kind: 'hub', value: scopedId(kind, id) }
  const digits = id.replace(/\D/g, '')
  return digits.length >= 8 && digits.length <= 15 ? { kind: 'phone', value: foldPhone(digits) } : undefined
}

const statusEvent = ({ messageId: providerId, messageStatus }: z.output<typeof receipt>): InboundEvent => {
  switch (messageStatus.code.toUpperCase()) {
    case 'SENT':
      return { kind: 'status', providerId, status: 'sent' }
    case 'DELIVERED':
      return { kind: 'status', providerId, status: 'delivered' }
    case 'READ':
      return { kind: 'status', providerId, status: 'read' }
    case 'REJECTED':
    case 'NOT_DELIVERED': {
      const why = (messageStatus.cause ?? messageStatus.description ?? '').slice(0, 200)
      return {
        kind: 'status',
        providerId,
        status: 'failed',
        error: `O canal não entregou a mensagem${why && ` (${why})`}.`,
      }
    }
    default:
      return { kind: 'nothing' }
  }
}
