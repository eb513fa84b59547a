import type { WACallEvent, WAMessage } from '@whiskeysockets/baileys'
import type { JournalPiece } from '../adapter.ts'
import { fingerprint } from '../fingerprint.ts'
import { isGroup, isIgnored } from '../whatsapp/jids.ts'
import { messageKeyOf } from './keys.ts'
import type { BaileysEvents } from './port.ts'

/** What each piece of the journal says; everything else the library tells is of no conversation. */
export type Piece =
  | { is: 'message'; message: unknown; groupName?: string }
  | { is: 'status'; id: string; status: number; code?: string }
  | { is: 'receipt'; id: string; status: number }
  | { is: 'edit' | 'delete'; id: string; message?: unknown; at?: number }
  | { is: 'call'; call: unknown }
  | { is: 'mapping'; lid: string; pn: string }
  | { is: 'typing'; chat: string; isTyping: boolean; member?: string }
  | { is: 'history'; messages: unknown[]; percent?: number }

const piece = (key: string, payload: Piece, conversation?: string): JournalPiece => ({ key, payload, conversation })

/** Cuts what the library told into what concerns somebody, as JSON. */
export const piecesOf = (events: BaileysEvents, groupNameOf: (jid: string) => string | undefined): JournalPiece[] => [
  ...(events['lid-mapping.update'] ? mappingPieces(events['lid-mapping.update']) : []),
  ...(events['messages.upsert']?.messages ?? []).flatMap((message) => messagePieces(message, groupNameOf)),
  ...(events['messages.update'] ?? []).flatMap(updatePieces),
  ...(events['message-receipt.update'] ?? []).flatMap(receiptPieces),
  ...(events.call ?? []).flatMap(callPieces),
  ...(events['presence.update'] ? typingPieces(events['presence.update']) : []),
]

/** Both addresses of somebody belong to one conversation. */
const chatOf = ({ remoteJid, remoteJidAlt }: { remoteJid?: string | null; remoteJidAlt?: string | null }) =>
  [remoteJid, remoteJidAlt].find((jid) => jid?.endsWith('@lid')) ?? remoteJid ?? undefined

const mappingPieces = ({ lid, pn }: { lid: string; pn: string }) => [
  piece(`mapping:${lid}:${pn}`, { is: 'mapping', lid, pn }, lid),
]

/** Undecipherable ones are asked for again by the library, and told once more when they can be read. */
const messagePieces = (message: WAMessage, groupNameOf: (jid: string) => string | undefined): JournalPiece[] => {
  const jid = message.key.remoteJid
  if (!jid || !message.key.id || isIgnored(jid)) return []
  if (!message.message && !isGroupNotice(message)) return []
  const groupName = isGroup(jid) ? groupNameOf(jid) : undefined
  const said: Piece = { is: 'message', message: plain(message), groupName }
  return [piece(messageKeyOf(message.key), said, chatOf(message.key)), ...fatePieces(message)]
}
/** Told together with the message of ours itself, what became of it is told nowhere else. */
const fatePieces = ({ key: { id, fromMe }, status, userReceipt }: WAMessage): JournalPiece[] => {
  if (!id || !fromMe) return []
  if (userReceipt?.length) return [piece(`receipt:${id}`, { is: 'receipt', id, status: 3 })]
  return status && status > 2 ? [piece(`status:${id}:${status}`, { is: 'status', id, status })] : []
}
const isGroupNotice = ({ messageStubType: type, key }: WAMessage) =>
  typeof type === 'number' && type > 2 && isGroup(key.remoteJid ?? '')

const updatePieces = ({ key, update }: { key: WAMessage['key']; update: Partial<WAMessage> }): JournalPiece[] => {
  const { id } = key
  if (!id || isIgnored(key.remoteJid ?? '')) return []
  const edited = update.message?.editedMessage?.message
  if (edited) {
    const at = Number(plain(update.messageTimestamp)) || undefined
    return [
      piece(`edit:${id}:${fingerprint(plain(edited))}`, { is: 'edit', id, message: plain(edited), at }, chatOf(key)),
    ]
  }
  // The key names whoever deleted; the id, what they deleted.
  if (update.message === null) return [piece(`delete:${id}`, { is: 'delete', id }, chatOf(key))]
  const { status } = update
  if (typeof status !== 'number' || !key.fromMe) return []
  const code = Array.isArray(update.messageStubParameters) ? String(update.messageStubParameters[0] ?? '') : undefined
  return [piece(`status:${id}:${status}${code ? `:${code}` : ''}`, { is: 'status', id, status, code })]
}

/** In a group each member tells for themselves: the first that has it counts as delivered. */
const receiptPieces = ({
  key,
  receipt,
}: NonNullable<BaileysEvents['message-receipt.update']>[number]): JournalPiece[] => {
  if (!key.id || !key.fromMe || !(receipt.receiptTimestamp || receipt.readTimestamp)) return []
  return [piece(`receipt:${key.id}`, { is: 'receipt', id: key.id, status: 3 })]
}

const callPieces = (call: WACallEvent): JournalPiece[] => {
  const told = plain({ ...call, date: new Date(call.date).toISOString() })
  return [piece(`call:${call.id}:${call.status}`, { is: 'call', call: told }, call.chatId)]
}

const typingPieces = ({ id, presences }: NonNullable<BaileysEvents['presence.update']>): JournalPiece[] => {
  if (isGroup(id)) return []
  const [told] = Object.values(presences)
  const isTyping = told?.lastKnownPresence === 'composing' || told?.lastKnownPresence === 'recording'
  return [piece(`typing:${id}:${isTyping}:${Math.floor(Date.now() / 1_000)}`, { is: 'typing', chat: id, isTyping })]
}

const messagesInOne = 50
/** Old messages, so many to a piece, each handled in a transaction of its own, short enough for who writes meanwhile; the last says how much has come by then. */
export const historyPieces = (messages: WAMessage[], percent: number): JournalPiece[] => {
  const said = messages.filter(({ key, message }) => message && key.id && key.remoteJid && !isIgnored(key.remoteJid))
  const pieces: JournalPiece[] = []
  for (let at = 0; at < said.length; at += messagesInOne) {
    const some = said.slice(at, at + messagesInOne)
    const ids = some.map(({ key }) => messageKeyOf(key))
    pieces.push(piece(`history:${fingerprint(ids)}`, { is: 'history', messages: some.map(plain) }))
  }
  return [...pieces, piece(`history:${percent}:${Date.now()}`, { is: 'history', messages: [], percent })]
}

/** Pictures inside messages: the journal keeps what is needed to fetch them, not them. */
const heavy = new Set([
  'jpegThumbnail',
  'pngThumbnail',
  'thumbnail',
  'quotedMessage',
  'scansSidecar',
  'midQualityFileSha256',
  'waveform',
  'userReceipt',
  'reportingTokenInfo',
])
/** As JSON: numbers of 64 bits as numbers, bytes as base64 text, which WhatsApp's own schema reads back. */
export const plain = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? Number(value) : value
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(plain)
  if ('low' in value && 'high' in value) return (Number(value.low) >>> 0) + Number(value.high) * 2 ** 32
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) =>
      heavy.has(name) || typeof one === 'function' || one === undefined || one === null ? [] : [[name, plain(one)]],
    ),
  )
}
