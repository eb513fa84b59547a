import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { JournalPiece } from '../adapter.ts'
import { fingerprint } from '../fingerprint.ts'
import { withoutSecrets as kept } from '../whatsapp/journal.ts'

const text = z.string()
const words = loose(text)
const envelope = z.looseObject({ type: text })
const received = z.object({
  messageId: text.min(1),
  phone: text,
  chatLid: words,
  fromMe: loose(z.boolean()),
  isEdit: loose(z.boolean()),
  waitingMessage: loose(z.boolean()),
  notification: words,
})
const states = z.object({ status: text, ids: z.array(text).min(1) })
const handed = z.object({ messageId: text.min(1) })

/** One call tells one event, or one state of several messages. */
export const split = (body: unknown): JournalPiece[] => {
  const told = envelope.safeParse(body).data
  if (!told) return [{ key: `unknown:${fingerprint(body)}`, payload: kept(body) }]
  switch (told.type) {
    case 'ReceivedCallback':
      return [receivedPiece(body)]
    case 'MessageStatusCallback':
      return statusPieces(told)
    case 'DeliveryCallback':
      return [deliveryPiece(told)]
    default:
      return [ordinary(told.type, body)]
  }
}

/** The same message is told once more when it is edited, taken back, or when it can be read at last. */
const receivedPiece = (body: unknown): JournalPiece => {
  const told = received.safeParse(body).data
  if (!told) return ordinary('ReceivedCallback', body)
  const { messageId, fromMe = false, isEdit, waitingMessage, notification } = told
  const name = notification ?? (isEdit ? `edit:${fingerprint(kept(body))}` : waitingMessage ? 'waiting' : 'message')
  const conversation = told.chatLid ?? told.phone
  return { key: `${name}:${fromMe}:${messageId}`.slice(0, 500), payload: kept(body), conversation }
}

const statusPieces = (told: z.output<typeof envelope>): JournalPiece[] => {
  const { status, ids } = states.safeParse(told).data ?? {}
  if (!status || !ids) return [ordinary(told.type, told)]
  return ids.map((id) => ({ key: statusKey(id, status), payload: { ...told, ids: [id] } }))
}

/** Handed to WhatsApp is what the first of the states says too. */
const deliveryPiece = (told: z.output<typeof envelope>): JournalPiece => {
  const id = handed.safeParse(told).data?.messageId
  if (!id || told.error) return ordinary(told.type, told)
  return { key: statusKey(id, 'SENT'), payload: kept(told) }
}
const statusKey = (id: string, status: string) => `status:${id}:${status}`.slice(0, 500)

const ordinary = (type: string, body: unknown): JournalPiece => ({
  key: `${type.slice(0, 60)}:${fingerprint(body)}`,
  payload: kept(body),
})
