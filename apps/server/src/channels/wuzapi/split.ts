import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { JournalPiece } from '../adapter.ts'
import { fingerprint } from '../fingerprint.ts'
import { fileKeys, inChunks, withoutSecrets } from '../whatsapp/journal.ts'

const text = z.string()
const envelope = z.looseObject({ type: text.min(1).max(60), event: z.unknown().optional(), state: loose(text) })
const message = z.looseObject({
  Info: z.looseObject({ ID: text.min(1), Chat: text, IsFromMe: loose(z.boolean()) }),
  Message: z.unknown(),
})
const receipt = z.object({ MessageIDs: z.array(text) })
const history = z.object({
  Data: z.object({
    conversations: z.array(
      z.object({ ID: loose(text), messages: loose(z.array(z.object({ message: z.looseObject({}) }))) }),
    ),
  }),
})

/** What changed at the account is asked of it: of a code that links a phone it is kept that it came. */
const aboutAccount = new Set([
  'Connected',
  'Disconnected',
  'LoggedOut',
  'ConnectFailure',
  'StreamError',
  'StreamReplaced',
  'ClientOutdated',
  'TemporaryBan',
  'KeepAliveTimeout',
  'KeepAliveRestored',
  'PairSuccess',
  'PairError',
  'QR',
  'QRTimeout',
  'QRScannedWithoutMultidevice',
])
/** Who is there, who types, marks and lists of the phone: nobody needs one. A message that could not be read comes again. */
const isOfNoUse =
  /^(Presence|ChatPresence|AppState.*|Offline.*|Label.*|Privacy.*|PushName.*|User.*|Blocklist.*|Identity.*|Newsletter.*|MediaRetry|UndecryptableMessage|CATRefreshError|FBMessage|CallRelayLatency)$/

/** One call tells one event, as JSON or with its JSON in a form. Files that come along are not kept: they are fetched. */
export const split = (body: unknown): JournalPiece[] => {
  const whole = typeof body === 'string' ? inForm(body) : body
  const { data: told } = envelope.safeParse(whole)
  if (!told) return [{ key: `unknown:${fingerprint(whole)}`, payload: withoutSecrets(whole) }]
  const { type, event, state } = told
  if (isOfNoUse.test(type)) return []
  if (aboutAccount.has(type))
    return [{ key: `${type}:${fingerprint(whole)}`, payload: { type, reason: reasonIn(event) } }]
  // Beside each event of a call stands one of its own voice service, which knows less.
  if (type.startsWith('Call') && typeof event !== 'object') return []
  switch (type) {
    case 'Message':
      return [messagePiece(event, told.pollVote)]
    case 'ReadReceipt': {
      const ids = receipt.safeParse(event).data?.MessageIDs ?? event
      return [{ key: `status:${state}:${fingerprint(ids)}`.slice(0, 500), payload: { type, state, event } }]
    }
    case 'HistorySync':
      return historyPieces(event)
    default:
      return [{ key: `${type}:${fingerprint(event)}`, payload: { type, event: withoutSecrets(withoutNodes(event)) } }]
  }
}

const inForm = (body: string): unknown => {
  try {
    return JSON.parse(new URLSearchParams(body).get('jsonData') ?? '')
  } catch {
    return body
  }
}
const reasonIn = (event: unknown) => z.object({ Reason: z.int() }).safeParse(event).data?.Reason

const messagePiece = (event: unknown, pollVote: unknown): JournalPiece => {
  const { data: said } = message.safeParse(event)
  if (!said) return { key: `Message:${fingerprint(event)}`, payload: { type: 'Message', event: withoutSecrets(event) } }
  const { Info: info, Message: content } = said
  return {
    key: `message:${info.IsFromMe === true}:${info.ID}`.slice(0, 500),
    payload: { type: 'Message', event: { Info: info, Message: withoutSecrets(content, fileKeys) }, pollVote },
    conversation: info.Chat,
  }
}

const historyPieces = (event: unknown): JournalPiece[] => {
  const { data } = history.safeParse(event)
  const all = data?.Data.conversations.flatMap(({ ID: chat, messages = [] }) =>
    messages.map((one) => ({ chat, ...one.message })),
  )
  return inChunks(all).map((messages) => ({
    key: `history:${fingerprint(messages)}`,
    payload: { type: 'HistorySync', messages: withoutSecrets(messages, fileKeys) },
  }))
}

const node = z.looseObject({ Data: z.looseObject({ Content: z.array(z.looseObject({ Tag: text })) }) })
/** Of the raw node of a call it is kept whether it is one with pictures. */
const withoutNodes = (event: unknown): unknown => {
  const { data } = node.safeParse(event)
  if (!data) return event
  const { Data, ...rest } = data
  return { ...rest, isVideo: Data.Content.some((one) => one.Tag === 'video') }
}
