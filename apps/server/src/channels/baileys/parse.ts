import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { InboundEvent, InboundMessage, Speaker } from '../adapter.ts'
import { eventsOf, nothing, senderOf, speakerBy, type Told, unitedBy } from '../whatsapp/events.ts'
import { isGroup } from '../whatsapp/jids.ts'
import { readMessage, type SourceOf } from '../whatsapp/message.ts'
import { long, moment } from '../whatsapp/proto.ts'
import { key } from '../whatsapp/shapes.ts'
import { callStateOf, statusOf } from '../whatsapp/states.ts'

const text = z.string()
const waMessage = z.object({
  key,
  message: z.unknown().optional(),
  messageTimestamp: moment,
  pushName: loose(text),
  participant: loose(text),
  messageStubType: loose(z.int()),
  messageStubParameters: loose(z.array(text)),
})
type WaMessage = z.output<typeof waMessage>
const call = z.object({
  id: text,
  from: text,
  chatId: text,
  callerPn: loose(text),
  isVideo: loose(z.boolean()),
  isGroup: loose(z.boolean()),
  status: text,
  date: moment,
})
const piece = z.discriminatedUnion('is', [
  z.object({ is: z.literal('message'), message: waMessage, groupName: loose(text) }),
  z.object({ is: z.literal('status'), id: text, status: z.int(), code: loose(text) }),
  z.object({ is: z.literal('receipt'), id: text, status: z.int() }),
  z.object({ is: z.literal('edit'), id: text, message: z.unknown().optional(), at: loose(moment) }),
  z.object({ is: z.literal('delete'), id: text }),
  z.object({ is: z.literal('call'), call }),
  z.object({ is: z.literal('mapping'), lid: text, pn: text }),
  z.object({ is: z.literal('typing'), chat: text, isTyping: z.boolean() }),
  z.object({ is: z.literal('history'), messages: z.array(z.unknown()), percent: loose(z.number()) }),
])

/** One piece of a session's journal, as our events. */
export const parse = (payload: unknown): InboundEvent[] => {
  const { data } = piece.safeParse(payload)
  switch (data?.is) {
    case undefined:
      return []
    case 'message':
      return messageEvents(data.message, data.groupName)
    case 'status':
    case 'receipt':
      return statusEvents(data)
    case 'edit': {
      const said = readMessage({ editedMessage: { message: data.message } }, () => ({}))
      const body = said?.does === 'say' ? said.content.body : undefined
      return body === undefined ? [] : [{ kind: 'edit', providerId: data.id, body, at: data.at ?? new Date() }]
    }
    case 'delete':
      return [{ kind: 'delete', providerId: data.id }]
    case 'call':
      return callEvents(data.call)
    case 'mapping':
      return unitedBy(data.lid, data.pn)
    case 'typing': {
      const from = senderOf({ chat: data.chat, fromMe: false })
      return from ? [{ kind: 'typing', from, isTyping: data.isTyping }] : []
    }
    case 'history':
      return historyEvents(data.messages, data.percent)
  }
}

const messageEvents = (one: WaMessage, groupName?: string): InboundEvent[] => {
  if (one.messageStubType !== undefined && !one.message) return noticeEvents(one, groupName)
  return eventsOf(toldOf(one, groupName), sourceOf(one))
}

const toldOf = (one: WaMessage, groupName?: string): Told => {
  const { key: named, message, messageTimestamp, pushName, participant } = one
  return {
    id: named.id,
    chat: named.remoteJid ?? '',
    chatAlt: named.remoteJidAlt,
    member: named.participant ?? participant,
    memberAlt: named.participantAlt,
    fromMe: named.fromMe ?? false,
    name: named.fromMe ? undefined : pushName,
    groupName,
    at: messageTimestamp,
    message,
  }
}

/** What a file is deciphered with travels in its message; by the message's key the phone is asked for it again. */
const sourceOf =
  ({ key: { remoteJid, id, fromMe, participant } }: WaMessage): SourceOf =>
  ({ directPath, mediaKey }, kind) => ({ kind, directPath, mediaKey, key: { remoteJid, id, fromMe, participant } })

/** `WebMessageInfo.StubType` of what a group tells of itself. */
const notices: Record<number, Extract<InboundEvent, { kind: 'group' }>['change']> = {
  21: 'subject',
  22: 'picture',
  27: 'joined',
  28: 'left',
  29: 'promoted',
  30: 'demoted',
  31: 'joined',
  32: 'left',
  71: 'joined',
}
const removed = 28
const affected = z.object({
  id: text,
  phoneNumber: loose(text),
  lid: loose(text),
  name: loose(text),
  notify: loose(text),
})

const noticeEvents = (one: WaMessage, groupName?: string): InboundEvent[] => {
  const told = toldOf(one, groupName)
  const change = notices[one.messageStubType ?? 0]
  const group = isGroup(told.chat) ? senderOf(told) : undefined
  if (!change || !group) return nothing
  const [subject] = one.messageStubParameters ?? []
  const members =
    change === 'subject' || change === 'picture' ? [] : (one.messageStubParameters ?? []).flatMap(memberOf)
  return [
    {
      kind: 'group',
      providerId: told.id,
      group,
      change,
      members,
      ...(one.messageStubType === removed && { isRemoval: true }),
      subject: change === 'subject' ? subject : undefined,
      at: told.at,
    },
  ]
}
/** The library writes each as JSON; older ones wrote the address alone. */
const memberOf = (written: string): Speaker[] => {
  const { data } = affected.safeParse(jsonOf(written))
  const who = data
    ? speakerBy({ name: data.name ?? data.notify }, data.id, data.phoneNumber ?? data.lid)
    : speakerBy({}, written)
  return who ? [who] : []
}
const jsonOf = (written: string): unknown => {
  try {
    return JSON.parse(written)
  } catch {
    return undefined
  }
}

const statusEvents = ({ id, status: told, code }: { id: string; status: number; code?: string }): InboundEvent[] => {
  const status = statusOf(told)
  if (!status) return nothing
  return [{ kind: 'status', providerId: id, status, error: status === 'failed' ? whyFailed(code) : undefined }]
}
const whyFailed = (code: string | undefined): string => {
  if (code === '463')
    return 'O WhatsApp não deixa este número começar conversas por enquanto. Quem já conversa com vocês continua recebendo.'
  if (code === '429') return 'O WhatsApp pediu para enviar mais devagar. Espere alguns minutos e tente de novo.'
  return `O WhatsApp não aceitou a mensagem${code ? ` (código ${code})` : ''}.`
}

const callEvents = (one: z.output<typeof call>): InboundEvent[] => {
  const state = callStateOf(one.status)
  const from = one.isGroup ? undefined : senderOf({ chat: one.from, chatAlt: one.callerPn, fromMe: false })
  if (!state || !from) return nothing
  return [{ kind: 'call', providerId: one.id, from, fromMe: false, isVideo: one.isVideo ?? false, state, at: one.date }]
}

/** What was written, without what was reacted, edited or taken back since. */
const historyEvents = (messages: unknown[], percent?: number): InboundEvent[] => {
  const old = messages.flatMap((one): Omit<InboundMessage, 'kind'>[] => {
    const message = waMessage.safeParse(one).data
    const [event] = message ? eventsOf(toldOf(message), sourceOf(message)) : []
    if (event?.kind !== 'message') return []
    const { kind: _, ...said } = event
    return [said]
  })
  return [{ kind: 'history', messages: old, percent }]
}

/** Unix seconds of a message, for who has to choose among many. */
export const timeOf = (seconds: unknown): number => (long.safeParse(seconds).data ?? 0) * 1_000
