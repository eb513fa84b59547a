import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { InboundEvent, Speaker } from '../adapter.ts'
import { eventsOf, nothing, senderOf, speakerBy, type Told } from '../whatsapp/events.ts'
import { isGroup, isIgnored } from '../whatsapp/jids.ts'
import { moment } from '../whatsapp/proto.ts'
import { statusOf } from '../whatsapp/states.ts'
import { messageOf } from './content.ts'
import { jidOf } from './phones.ts'

const text = z.string()
const words = loose(text)
const flag = loose(z.boolean())
const envelope = z.looseObject({ type: text })

const received = z.looseObject({
  messageId: text.min(1).max(200),
  phone: text,
  chatLid: words,
  senderLid: words,
  participantPhone: words,
  participantLid: words,
  fromMe: flag,
  isGroup: flag,
  isNewsletter: flag,
  isEdit: flag,
  waitingMessage: flag,
  senderName: words,
  chatName: words,
  momment: loose(moment),
  referenceMessageId: words,
  forwarded: loose(z.boolean()),
  editMessageId: words,
  notification: words,
  notificationParameters: loose(z.array(text)),
  callId: words,
})
type Received = z.output<typeof received>
const state = z.object({ status: text, ids: z.array(text) })
const delivery = z.object({ messageId: text.min(1), error: words })
const connected = z.object({ momment: loose(moment) })
const presence = z.object({ phone: text, status: text })

/** One piece of `split`. */
export const parse = (payload: unknown): InboundEvent[] => {
  const told = envelope.safeParse(payload).data
  switch (told?.type) {
    case 'ReceivedCallback':
      return receivedEvents(told)
    case 'MessageStatusCallback':
      return statusEvents(told)
    case 'DeliveryCallback':
      return deliveryEvents(told)
    case 'ConnectedCallback': {
      const at = connected.safeParse(told).data?.momment
      return [{ kind: 'connection', status: 'CONNECTED', text: 'Conectado ao WhatsApp.', at }, { kind: 'standing' }]
    }
    case 'DisconnectedCallback':
      return [{ kind: 'standing' }]
    case 'PresenceChatCallback':
      return typingEvents(told)
    default:
      return []
  }
}

const receivedEvents = (body: unknown): InboundEvent[] => {
  const one = received.safeParse(body).data
  if (!one) return []
  const told = toldOf(one)
  if (one.isNewsletter || isIgnored(told.chat)) return nothing
  if (one.notification) return noticeEvents(one, told, one.notification)
  // What cannot be read yet is told again, by the same id, once it can be.
  if (one.waitingMessage) return nothing
  const events = eventsOf({ ...told, message: messageOf(one) }, ({ url }) => (typeof url === 'string' ? { url } : {}))
  return events.map((event): InboundEvent => {
    if (event.kind !== 'message') return event
    if (one.isEdit) {
      const { content, timestamp: at } = event
      return { kind: 'edit', providerId: one.editMessageId ?? one.messageId, body: content.body, at }
    }
    const content = one.forwarded ? { ...event.content, isForwarded: true } : event.content
    return { ...event, content, quotedProviderId: event.quotedProviderId ?? one.referenceMessageId }
  })
}

/** Of one's own message, who sent it is us: only the chat says whose conversation it is. */
const toldOf = (one: Received): Omit<Told, 'message'> => {
  const { messageId, phone, chatLid, senderLid, fromMe = false } = one
  const chat = jidOf(phone, one.isGroup) ?? ''
  const inGroup = isGroup(chat)
  const lid = jidOf(chatLid ?? (fromMe ? undefined : senderLid))
  return {
    id: messageId,
    chat,
    chatAlt: inGroup || lid?.endsWith('@g.us') ? undefined : asLid(lid),
    member: inGroup ? jidOf(one.participantPhone) : undefined,
    memberAlt: inGroup ? asLid(one.participantLid ?? (fromMe ? undefined : senderLid)) : undefined,
    fromMe,
    name: one.senderName ?? (inGroup ? undefined : one.chatName),
    groupName: inGroup ? one.chatName : undefined,
    at: one.momment ?? new Date(),
  }
}
/** It is told as a whole address, or as its digits alone. */
const asLid = (lid: string | undefined) => lid && `${lid.split('@')[0]}@lid`

const calls: Record<string, { isVideo: boolean; state: 'ringing' | 'missed' }> = {
  CALL_VOICE: { isVideo: false, state: 'ringing' },
  CALL_VIDEO: { isVideo: true, state: 'ringing' },
  CALL_MISSED_VOICE: { isVideo: false, state: 'missed' },
  CALL_MISSED_VIDEO: { isVideo: true, state: 'missed' },
}
const changes: Record<string, Extract<InboundEvent, { kind: 'group' }>['change']> = {
  GROUP_PARTICIPANT_ADD: 'joined',
  GROUP_PARTICIPANT_INVITE: 'joined',
  GROUP_PARTICIPANT_LEAVE: 'left',
  GROUP_PARTICIPANT_REMOVE: 'left',
  GROUP_PARTICIPANT_PROMOTE: 'promoted',
  GROUP_PARTICIPANT_DEMOTE: 'demoted',
  GROUP_CHANGE_SUBJECT: 'subject',
  GROUP_CHANGE_ICON: 'picture',
}

/** Everything else WhatsApp writes between the messages is nobody's concern. */
const noticeEvents = (one: Received, told: Omit<Told, 'message'>, notification: string): InboundEvent[] => {
  const { at, fromMe } = told
  if (notification === 'REVOKE') return [{ kind: 'delete', providerId: one.referenceMessageId ?? one.messageId }]
  const from = senderOf(told)
  const call = calls[notification]
  if (call && from && !from.isGroup)
    return [{ kind: 'call', providerId: one.callId ?? one.messageId, from, fromMe, ...call, at }]
  const change = changes[notification]
  if (!change || !from?.isGroup) return nothing
  const named = one.notificationParameters ?? []
  const subject = change === 'subject' ? named[0] : undefined
  const isOfMembers = change !== 'subject' && change !== 'picture'
  const members = isOfMembers ? membersOf(named, told) : []
  if ((change === 'subject' && !subject) || (isOfMembers && !members.length)) return nothing
  const providerId = `${one.messageId}:${notification}`
  const removal = notification === 'GROUP_PARTICIPANT_REMOVE' ? { isRemoval: true } : {}
  return [{ kind: 'group', providerId, group: from, change, members, ...removal, subject, at }]
}

/** Those it names, or whoever the notice is of. */
const membersOf = (named: string[], { member, memberAlt }: Omit<Told, 'message'>): Speaker[] => {
  const members = named.flatMap((phone) => speakerBy({}, jidOf(phone)) ?? [])
  if (members.length) return members
  const author = speakerBy({}, member, memberAlt)
  return author ? [author] : []
}

/** Of messages of ours; that we have read one of theirs we know. */
const statusEvents = (body: unknown): InboundEvent[] => {
  const told = state.safeParse(body).data
  if (!told) return []
  const status = statusOf(told.status)
  return status ? told.ids.map((providerId) => ({ kind: 'status', providerId, status })) : nothing
}

const deliveryEvents = (body: unknown): InboundEvent[] => {
  const told = delivery.safeParse(body).data
  if (!told) return []
  const { messageId: providerId, error } = told
  if (!error) return [{ kind: 'status', providerId, status: 'sent' }]
  const isUnreachable = /exist|whatsapp/i.test(error)
  const said = isUnreachable
    ? 'Este número não tem WhatsApp. Confira o número do contato.'
    : 'O WhatsApp não aceitou esta mensagem. Confira o número e tente de novo.'
  return [{ kind: 'status', providerId, status: 'failed', error: said, isUnreachable }]
}

const typingEvents = (body: unknown): InboundEvent[] => {
  const told = presence.safeParse(body).data
  if (!told) return []
  const chat = jidOf(told.phone) ?? ''
  const from = isGroup(chat) || isIgnored(chat) ? undefined : senderOf({ chat, fromMe: false })
  return from ? [{ kind: 'typing', from, isTyping: /^(COMPOSING|RECORDING)$/.test(told.status) }] : nothing
}
