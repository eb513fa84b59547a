import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { InboundEvent } from '../adapter.ts'
import { disconnectOf } from '../whatsapp/disconnects.ts'
import {
  eventsOf,
  groupEvent,
  historyOf,
  nothing,
  standingEvents,
  statusEvents,
  type Told,
} from '../whatsapp/events.ts'
import { isGroup } from '../whatsapp/jids.ts'
import type { SourceOf } from '../whatsapp/message.ts'
import { moment, oneSpelling } from '../whatsapp/proto.ts'
import { callEvents, flag, groupEvents, words } from '../whatsapp/whatsmeow.ts'

const text = z.string()
const piece = z.looseObject({ type: text, event: z.unknown().optional() })

const message = z.object({
  Info: z.object({
    ID: text.min(1).max(200),
    Chat: text,
    Sender: words,
    SenderAlt: words,
    RecipientAlt: words,
    IsFromMe: flag,
    PushName: words,
    Timestamp: moment,
  }),
  Message: z.unknown(),
})
const vote = loose(z.object({ selectedOptions: z.array(text), selectedHashesB64: z.array(text).nullable() }))
const receipt = z.object({ MessageIDs: z.array(text).min(1), IsFromMe: flag })
const picture = z.object({ JID: text, Timestamp: moment })
/** As the phone keeps it; the names of its fields in one spelling. */
const kept = z.object({
  chat: text,
  key: z.object({ id: text.min(1).max(200), fromMe: flag, participant: words }),
  message: z.unknown(),
  messageTimestamp: moment,
  participant: words,
  pushName: words,
})

/** One piece of `split`. */
export const parse = (payload: unknown): InboundEvent[] => {
  const told = piece.safeParse(payload).data
  if (!told) return []
  const { type, event, state } = told
  switch (type) {
    case 'Message':
      return messageEvents(event, told.pollVote)
    case 'ReadReceipt':
      return receiptEvents(event, state)
    case 'HistorySync':
      return historyOf(z.array(z.unknown()).catch([]).parse(told.messages).flatMap(oldEvents))
    case 'GroupInfo':
      return groupEvents(event)
    case 'JoinedGroup':
    case 'CallAccept':
      return nothing
    case 'Picture':
      return pictureEvents(event)
    case 'CallOffer':
    case 'CallOfferNotice':
    case 'CallTerminate':
      return callEvents(event, type)
    case 'LoggedOut':
      return goneEvents(told.reason)
    case 'Connected':
    case 'PairSuccess':
      return standingEvents(type === 'Connected')
    default:
      return accountTypes.has(type) ? standingEvents(false) : []
  }
}
const accountTypes = new Set([
  'Disconnected',
  'ConnectFailure',
  'StreamError',
  'StreamReplaced',
  'ClientOutdated',
  'TemporaryBan',
  'KeepAliveTimeout',
  'KeepAliveRestored',
  'PairError',
  'QR',
  'QRTimeout',
  'QRScannedWithoutMultidevice',
])

const messageEvents = (event: unknown, pollVote: unknown): InboundEvent[] => {
  const one = message.safeParse(event).data
  if (!one) return []
  const {
    ID: id,
    Chat: chat,
    Sender,
    SenderAlt,
    RecipientAlt,
    IsFromMe: fromMe = false,
    PushName,
    Timestamp,
  } = one.Info
  const told: Told = {
    id,
    chat,
    chatAlt: fromMe ? RecipientAlt : SenderAlt,
    member: Sender,
    memberAlt: SenderAlt,
    fromMe,
    name: PushName,
    at: Timestamp,
    message: withVote(unfolded(one.Message), pollVote),
  }
  return eventsOf(told, sourceOf)
}

/** A choice between kinds is one level more in this library's JSON. */
const unfolded = (whole: unknown): unknown => {
  if (typeof whole !== 'object' || whole === null) return whole
  return Object.fromEntries(
    Object.entries(whole).map(([name, part]) => {
      const { Response, InteractiveResponseMessage, ...rest }: Record<string, unknown> = Object(part)
      const choice = Response ?? InteractiveResponseMessage
      return [name, typeof part === 'object' && choice ? { ...rest, ...Object(choice) } : part]
    }),
  )
}

/** It opens votes, and knows the words only of polls sent since it was started: the digests of what was chosen stay. */
const withVote = (whole: unknown, pollVote: unknown): unknown => {
  const { pollUpdateMessage }: { pollUpdateMessage?: object } = Object(whole)
  const told = vote.parse(pollVote)
  if (!pollUpdateMessage || !told) return whole
  const { selectedOptions, selectedHashesB64 } = told
  const selectedHashes = (selectedHashesB64 ?? []).map((one) => Buffer.from(one, 'base64').toString('hex'))
  const opened = selectedHashes.length > selectedOptions.length ? { selectedHashes } : { selectedOptions }
  return { pollUpdateMessage: { ...pollUpdateMessage, vote: opened } }
}

/** WuzAPI keeps no files: it fetches them from WhatsApp, by what the message says of them. */
const sourceOf: SourceOf = (file, kind) => {
  const { url, directPath, mediaKey, fileSha256, fileEncSha256, fileLength, mimetype } = file
  return { kind, directPath: directPath ?? pathOf(url), mediaKey, fileSha256, fileEncSha256, fileLength, mimetype }
}
const pathOf = (url: unknown): string | undefined => {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined
  const { pathname, search } = new URL(url)
  return pathname + search
}

const receiptEvents = (event: unknown, state: unknown): InboundEvent[] => {
  const told = receipt.safeParse(event).data
  if (!told || typeof state !== 'string') return []
  // That a device of ours has it, or has read it, concerns nobody.
  return told.IsFromMe ? nothing : statusEvents(told.MessageIDs, state)
}

const oldEvents = (one: unknown): InboundEvent[] => {
  const told = kept.safeParse(oneSpelling(one)).data
  if (!told) return []
  const { chat, key, messageTimestamp: at, pushName: name } = told
  const { id, fromMe = false } = key
  const member = key.participant ?? told.participant
  return eventsOf({ id, chat, member, fromMe, name, at, message: unfolded(told.message) }, sourceOf)
}

const pictureEvents = (event: unknown): InboundEvent[] => {
  const told = picture.safeParse(event).data
  if (!told) return []
  return isGroup(told.JID) ? groupEvent({ jid: told.JID, at: told.Timestamp }, 'picture') : nothing
}

/** Why a phone is gone is told here alone; asked later, WuzAPI does not know. What passes by itself is asked for. */
const goneEvents = (reason: unknown): InboundEvent[] => {
  const why = disconnectOf(typeof reason === 'number' ? reason : 401)
  return why.isLoggedOut || why.comesBack
    ? standingEvents(false)
    : [{ kind: 'connection', status: 'DISCONNECTED', text: why.text }]
}
