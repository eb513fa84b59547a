import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { InboundEvent } from '../adapter.ts'
import { eventsOfSaid, historyOf, nothing, standingEvents, statusEvents, type Told } from '../whatsapp/events.ts'
import { isIgnored } from '../whatsapp/jids.ts'
import { readMessage, type Said } from '../whatsapp/message.ts'
import { moment } from '../whatsapp/proto.ts'
import { callEvents, flag, groupEvents, words } from '../whatsapp/whatsmeow.ts'
import { asWritten } from './send.ts'

const text = z.string()

const message = z.object({
  messageid: text.min(1).max(200),
  chatid: text,
  chatlid: words,
  sender: words,
  sender_pn: words,
  sender_lid: words,
  senderName: words,
  groupName: words,
  fromMe: flag,
  messageTimestamp: moment,
  messageType: words,
  content: z.unknown().optional(),
  text: words,
  quoted: words,
  edited: words,
  reaction: words,
  vote: words,
  buttonOrListid: words,
})
type Message = z.output<typeof message>
const chat = loose(z.object({ wa_chatlid: words, wa_name: words }))

const piece = z.looseObject({ event: text })
const messagePiece = z.object({ message, chat })
const history = z.object({ messages: z.array(z.unknown()) })
const connection = z.object({ status: text })
const receipt = z.object({
  state: words,
  status: words,
  messageid: words,
  event: loose(z.object({ MessageIDs: loose(z.array(text)), Type: words, IsFromMe: flag })),
})
/** One piece of `split`. */
export const parse = (payload: unknown): InboundEvent[] => {
  const told = piece.safeParse(payload).data
  switch (told?.event) {
    case 'messages':
      return messageEvents(told)
    case 'history':
      return historyEvents(told)
    case 'connection': {
      const { data } = connection.safeParse(told)
      return data ? standingEvents(data.status === 'connected') : [{ kind: 'standing' }]
    }
    case 'messages_update':
      return receiptEvents(told.data)
    case 'groups':
      return groupEvents(told.data)
    case 'call':
      return callEvents(told.data, told.type)
    case 'newsletter_messages':
      return nothing
    default:
      return []
  }
}

const messageEvents = (payload: unknown): InboundEvent[] => {
  const { data } = messagePiece.safeParse(payload)
  if (!data) return []
  const { message: one, chat: about } = data
  if (isIgnored(one.chatid)) return nothing
  const said = saidBy(one)
  return said ? eventsOfSaid(toldBy(one, about), said) : []
}

/** Whoever writes is known by the id that hides their phone, and beside it by the phone. */
const toldBy = (one: Message, about: z.output<typeof chat>): Omit<Told, 'message'> => {
  const { messageid: id, chatid, fromMe = false, sender, sender_pn: phone, sender_lid: lid } = one
  const other = fromMe ? undefined : chatid.endsWith('@lid') ? phone : lid
  const groupName = one.groupName === 'Unknown' ? undefined : one.groupName
  return {
    id,
    chat: chatid,
    chatAlt: one.chatlid ?? about?.wa_chatlid ?? other,
    member: phone ?? sender,
    memberAlt: lid ?? sender,
    fromMe,
    name: one.senderName,
    groupName: groupName ?? about?.wa_name,
    at: one.messageTimestamp,
  }
}

/** uazapi takes WhatsApp's message apart, its kind here and its part there, and says in plain words what it holds. */
const saidBy = (one: Message): Said | undefined => {
  if (one.reaction) return { does: 'react', targetProviderId: bare(one.reaction), emoji: one.text ?? null }
  const said = readMessage(wholeOf(one), () => ({ id: one.messageid }))
  const words = said?.does === 'say' ? said.content.body : one.text
  if (one.edited) return { does: 'edit', providerId: bare(one.edited), body: words ?? '' }
  if (said?.does === 'say')
    return { ...said, quotedProviderId: said.quotedProviderId ?? (one.quoted && bare(one.quoted)) }
  if (said || !one.text) return said
  return {
    does: 'say',
    content: { type: 'text', body: one.text, choice: one.buttonOrListid },
    quotedProviderId: one.quoted && bare(one.quoted),
  }
}
const wholeOf = ({ messageType = 'Conversation', content, text, vote }: Message): unknown => {
  const name = messageType.charAt(0).toLowerCase() + messageType.slice(1)
  const part: object | undefined = typeof content === 'object' && content !== null ? content : undefined
  if (name === 'conversation') return part ? { conversation: text, ...part } : { conversation: content || text }
  // An empty one took the vote back, or could not be opened: then there is none to take back.
  if (name === 'pollUpdateMessage')
    return { [name]: { ...part, vote: { selectedOptions: vote ? [asWritten(vote)] : [] } } }
  return { [name]: part }
}
/** Its own names of messages begin with whose they are. */
const bare = (id: string) => id.slice(id.lastIndexOf(':') + 1)

const historyEvents = (payload: unknown): InboundEvent[] => {
  const { data } = history.safeParse(payload)
  return data ? historyOf(data.messages.flatMap((one) => messageEvents({ message: one }))) : []
}

/** That our own devices have read something concerns nobody. */
const receiptEvents = (data: unknown): InboundEvent[] => {
  const told = receipt.safeParse(data).data
  const { MessageIDs, Type, IsFromMe } = told?.event ?? {}
  const ids = MessageIDs ?? (told?.messageid ? [told.messageid] : [])
  const state = told?.state ?? told?.status ?? Type
  if (!state || !ids.length) return []
  return IsFromMe && /^(delivered|read|played)$/i.test(state) ? nothing : statusEvents(ids.map(bare), state)
}
