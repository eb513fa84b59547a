import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { JournalPiece } from '../adapter.ts'
import { fingerprint } from '../fingerprint.ts'
import { inChunks, withoutSecrets } from '../whatsapp/journal.ts'

const text = z.string()
const words = loose(text)
const envelope = z.looseObject({
  EventType: text,
  type: words,
  state: words,
  status: words,
  event: z.unknown().optional(),
})
const message = z.looseObject({ messageid: text.min(1), chatid: words, fromMe: z.unknown().optional() })
const chat = loose(z.object({ wa_chatlid: words, wa_name: words }))
const update = z.object({ MessageIDs: z.array(text) })

/**
 * Address books, lists of chats, marks and the customers uazapi keeps for itself: nobody needs one. That somebody types is
 * told without a time: the second notice could not be known from a repeated first.
 */
const ofNoUse = new Set(['presence', 'contacts', 'chats', 'labels', 'chat_labels', 'blocks', 'leads', 'sender'])

/** One call tells one event; the token and our own address, which it says each time, are not kept. */
export const split = (body: unknown): JournalPiece[] => {
  const { data: told } = envelope.safeParse(body)
  if (!told) return [{ key: `unknown:${fingerprint(body)}`, payload: withoutSecrets(body) }]
  const { EventType: event, type, state, status } = told
  if (ofNoUse.has(event)) return []
  switch (event) {
    case 'messages':
      return [messagePiece(told)]
    case 'history':
      return inChunks(told.messages).map((messages) => ({
        key: `history:${fingerprint(messages)}`,
        payload: { event, messages: withoutSecrets(messages) },
      }))
    case 'connection':
      // Of a code that links a phone it is kept that it came.
      return [{ key: `connection:${fingerprint(told.instance)}`, payload: { event, status: statusIn(told) } }]
    case 'messages_update': {
      const { BaseUrl: _, EventType: __, ...rest } = told
      const payload = { event, data: withoutSecrets(rest) }
      const ids = update.safeParse(told.event).data?.MessageIDs ?? rest
      return [{ key: `status:${state ?? status}:${fingerprint(ids)}`.slice(0, 500), payload }]
    }
    default: {
      const { BaseUrl: _, EventType: __, owner: ___, instanceName: ____, ...rest } = told
      const payload = { event, type, data: withoutSecrets(told.event ?? rest) }
      return [{ key: `${event.slice(0, 60)}:${fingerprint(rest)}`, payload }]
    }
  }
}

/** Of the conversation, which uazapi tells with sixty fields of its own, who it is with. */
const messagePiece = (told: z.output<typeof envelope>): JournalPiece => {
  const said = message.safeParse(told.message ?? told).data
  const kept = { event: 'messages', message: withoutSecrets(told.message ?? told), chat: chat.parse(told.chat) }
  if (!said) return { key: `messages:${fingerprint(told)}`, payload: kept }
  return {
    key: `message:${said.fromMe === true}:${said.messageid}`.slice(0, 500),
    payload: kept,
    conversation: said.chatid,
  }
}

const instance = z.object({ instance: z.object({ status: text }) })
const statusIn = (told: z.output<typeof envelope>) => instance.safeParse(told).data?.instance.status ?? told.status
