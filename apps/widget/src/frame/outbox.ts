import { isRecord } from '../protocol.ts'
import type { Media, MessageType, NewMessage } from './api.ts'
import { messageTypeOf } from './files.ts'
import { type ThreadMessage, UNSENT_SEQ } from './thread.ts'
import { languageOf } from './words.ts'

/** What was written but not yet accepted, as the host keeps it across a reload. */
export type OutboxEntry = NewMessage & { createdAt: string; media?: Media; replyText?: string }

/** Older ones are not sent by themselves: the visitor may have moved on and decides. */
const FRESH_MS = 10 * 60_000

export const slotOf = (clientId: string): string => `out-${clientId}`

export const readOutbox = (slots: Record<string, string>): OutboxEntry[] =>
  Object.keys(slots)
    .filter((name) => name.startsWith('out-'))
    .map((name) => parseEntry(slots[name] ?? ''))
    .filter((entry) => entry !== undefined)
    .sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1))

export const toUnsent = (entry: OutboxEntry, now: number = Date.now()): ThreadMessage => {
  const isFresh = now - Date.parse(entry.createdAt) < FRESH_MS
  return {
    id: `unsent:${entry.clientId}`,
    seq: UNSENT_SEQ,
    clientId: entry.clientId,
    from: 'visitor',
    type: typeOf(entry),
    text: entry.text ?? '',
    media: entry.media ?? null,
    replyTo: entry.replyTo ? { id: entry.replyTo, text: entry.replyText ?? '' } : null,
    status: 'sent',
    isDeleted: false,
    createdAt: entry.createdAt,
    delivery: isFresh ? 'sending' : 'failed',
  }
}

export const toRequest = ({ clientId, text, mediaId, buttonId, replyTo, offer }: OutboxEntry): NewMessage => ({
  clientId,
  text: text || undefined,
  mediaId,
  buttonId,
  replyTo,
  offer,
})

const typeOf = (entry: OutboxEntry): MessageType => (entry.media ? messageTypeOf(entry.media.mime) : 'text')

const parseEntry = (json: string): OutboxEntry | undefined => {
  const value = attemptParse(json)
  if (!isRecord(value) || typeof value.clientId !== 'string' || typeof value.createdAt !== 'string') return undefined
  const text = (name: string): string | undefined => {
    const field = value[name]
    return typeof field === 'string' ? field : undefined
  }
  return {
    clientId: value.clientId,
    createdAt: value.createdAt,
    text: text('text'),
    mediaId: text('mediaId'),
    buttonId: text('buttonId'),
    replyTo: text('replyTo'),
    replyText: text('replyText'),
    media: parseMedia(value.media),
    offer: parseOffer(value.offer),
  }
}

const parseMedia = (value: unknown): Media | undefined => {
  if (!isRecord(value)) return undefined
  const { url, name, mime, size } = value
  if (typeof url !== 'string' || typeof name !== 'string' || typeof mime !== 'string' || typeof size !== 'number') {
    return undefined
  }
  return { url, name, mime, size }
}

const parseOffer = (value: unknown): NewMessage['offer'] =>
  isRecord(value) && typeof value.id === 'string' && typeof value.key === 'string'
    ? { id: value.id, key: value.key, language: languageOf(String(value.language)) }
    : undefined

const attemptParse = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined // written by an older release
  }
}
