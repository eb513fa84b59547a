import { z } from 'zod'
import type { JournalPiece } from '../adapter.ts'
import { fingerprint } from '../fingerprint.ts'
import { inChunks, withoutSecrets } from '../whatsapp/journal.ts'

const envelope = z.object({ event: z.string(), data: z.unknown(), date_time: z.string().optional().catch(undefined) })
const keyed = z.object({
  key: z.object({ id: z.string(), remoteJid: z.string(), fromMe: z.boolean().optional().catch(undefined) }),
})
const updated = z.object({
  keyId: z.string(),
  status: z.string(),
  fromMe: z.boolean().optional().catch(undefined),
})

const polled = z.object({ keyId: z.string(), remoteJid: z.string(), pollUpdates: z.array(z.unknown()).min(1) })

/** What changed at the account is asked of it: a code that links a phone is kept nowhere. */
const aboutAccount = new Set([
  'qrcode.updated',
  'status.instance',
  'instance.delete',
  'remove.instance',
  'logout.instance',
])
/** Address books and lists of chats, of which there are thousands and nobody needs one. */
const isOfNoUse = /^(contacts|chats|labels|typebot)\.|^(application\.startup|instance\.create|messaging\.history\.set)$/

/** One call tells one event; what it says beside that (keys, our own address) is not kept. */
export const split = (body: unknown): JournalPiece[] => {
  const { data: told } = envelope.safeParse(body)
  if (!told) return [{ key: `unknown:${fingerprint(body)}`, payload: withoutSecrets(body) }]
  const event = told.event.toLowerCase().replaceAll('_', '.').replaceAll('-', '.')
  if (isOfNoUse.test(event)) return []
  const at = told.date_time
  if (aboutAccount.has(event)) return [{ key: `${event}:${at}:${fingerprint(told.data)}`, payload: { event } }]
  if (event === 'messages.set') return historyPieces(told.data)
  const parts = Array.isArray(told.data) && event.startsWith('messages.') ? told.data : [told.data]
  return parts.map((data: unknown) => pieceOf(event, data, at))
}

const pieceOf = (event: string, data: unknown, at: string | undefined): JournalPiece => {
  const payload = { event, data: withoutSecrets(data), at: trueTime(at) }
  const message = keyed.safeParse(data).data?.key
  if (message && (event === 'messages.upsert' || event === 'send.message'))
    return {
      key: `message:${message.fromMe === true}:${message.id}`.slice(0, 500),
      payload,
      conversation: message.remoteJid,
    }
  const vote = event === 'messages.update' ? polled.safeParse(data).data : undefined
  if (vote)
    return { key: `vote:${vote.keyId}:${at}:${fingerprint(data)}`.slice(0, 500), payload, conversation: vote.remoteJid }
  const update = event === 'messages.update' ? updated.safeParse(data).data : undefined
  if (update) return { key: `status:${update.keyId}:${update.status}`.slice(0, 500), payload }
  // The same twice is two events when told at two times; a repeated call says the same time.
  return { key: `${event.slice(0, 60)}:${at?.slice(0, 40)}:${fingerprint(data)}`, payload }
}

const quarterMs = 15 * 60_000
const widestZoneMs = 14 * 60 * 60_000
/** Evolution calls the clock of its server UTC: what it is off from now, in whole quarters of an hour, is that server's zone. */
const trueTime = (told: string | undefined): string | undefined => {
  const at = Date.parse(told ?? '')
  const zoneMs = Math.round((Date.now() - at) / quarterMs) * quarterMs
  return Math.abs(zoneMs) <= widestZoneMs ? new Date(at + zoneMs).toISOString() : told
}

const historyPieces = (data: unknown): JournalPiece[] =>
  inChunks(data).map((chunk) => ({
    key: `history:${fingerprint(chunk)}`,
    payload: { event: 'messages.set', data: withoutSecrets(chunk) },
  }))
