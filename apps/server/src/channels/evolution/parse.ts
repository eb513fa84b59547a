import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { InboundEvent, Speaker } from '../adapter.ts'
import {
  eventsOf,
  groupEvent,
  historyOf,
  nothing,
  senderOf,
  speakerBy,
  standingEvents,
  statusEvents,
  type Told,
  typingEvents,
} from '../whatsapp/events.ts'
import { readMessage } from '../whatsapp/message.ts'
import { moment } from '../whatsapp/proto.ts'
import { key } from '../whatsapp/shapes.ts'
import { callStateOf, groupChangeOf } from '../whatsapp/states.ts'

const text = z.string()
const words = loose(text)
const piece = z.object({ event: text, data: z.unknown().optional(), at: loose(moment) })

const message = z.object({
  key: key.extend({ remoteJid: text }),
  pushName: words,
  message: z.unknown(),
  messageTimestamp: moment,
  contextInfo: loose(z.object({ stanzaId: words })),
})
const update = z.object({
  keyId: text,
  fromMe: loose(z.boolean()),
  status: text,
})
/** Votes of a poll that Evolution has opened: of each option, who has chosen it in what is told now. */
const polled = z.object({
  keyId: text,
  remoteJid: text,
  pollUpdates: z.array(z.object({ name: text, voters: z.array(text) })).min(1),
})
const connection = z.object({ state: text })
const participants = z.object({
  id: text,
  author: words,
  action: text,
  participants: z.array(z.union([text, z.object({ id: text, phoneNumber: words })])),
  participantsData: loose(z.array(z.object({ jid: text, phoneNumber: words, name: words }))),
})
const subjects = z.array(z.object({ id: text, subject: words }))
const call = z.object({
  id: text,
  from: text,
  callerPn: words,
  isVideo: loose(z.boolean()),
  status: text,
  date: loose(moment),
})
const presence = z.object({ id: text, presences: z.record(text, z.object({ lastKnownPresence: text })) })

/** One piece of `split`. */
export const parse = (payload: unknown): InboundEvent[] => {
  const told = piece.safeParse(payload).data
  if (!told) return []
  const { event, data, at = new Date() } = told
  switch (event) {
    case 'messages.upsert':
    case 'send.message':
      return messageEvents(data)
    case 'messages.update':
      return voteEvents(data, at) ?? updateEvents(data)
    case 'messages.edited':
      return changeEvents(data, at)
    case 'messages.delete': {
      const gone = key.safeParse(data).data
      return gone ? [{ kind: 'delete', providerId: gone.id }] : []
    }
    case 'messages.set':
      return historyEvents(data)
    case 'connection.update':
      return connectionEvents(data)
    case 'qrcode.updated':
    case 'status.instance':
    case 'instance.delete':
    case 'remove.instance':
    case 'logout.instance':
      return [{ kind: 'standing' }]
    case 'group.participants.update':
      return memberEvents(data, at)
    case 'groups.update':
      return subjectEvents(data, at)
    case 'call':
      return callEvents(data, at)
    case 'presence.update':
      return presenceEvents(data)
    case 'groups.upsert':
    case 'send.message.update':
      return nothing
    default:
      return []
  }
}

const toldOf = (data: unknown): (Told & { quoted?: string }) | undefined => {
  const one = message.safeParse(data).data
  if (!one) return undefined
  const { id, remoteJid, remoteJidAlt, participant, participantAlt, fromMe = false } = one.key
  return {
    id,
    chat: remoteJid,
    chatAlt: remoteJidAlt,
    member: participant,
    memberAlt: participantAlt,
    fromMe,
    name: one.pushName,
    at: one.messageTimestamp,
    message: metaNames(one.message),
    quoted: one.contextInfo?.stanzaId,
  }
}

/** Evolution fetches a file by the id of its message; of a Cloud instance, Meta by the id of the file. */
const messageEvents = (data: unknown): InboundEvent[] => {
  const told = toldOf(data)
  if (!told) return []
  const events = eventsOf(told, (file) => sourceOf(told.id, file))
  return events.map((event) =>
    event.kind === 'message' ? { ...event, quotedProviderId: event.quotedProviderId ?? told.quoted } : event,
  )
}
const sourceOf = (messageId: string, { id, mime_type }: Record<string, unknown>) =>
  typeof id === 'string' && mime_type !== undefined ? { graphId: id } : { id: messageId }

/** Files of a Cloud instance keep Meta's own names. */
const metaNames = (whole: unknown): unknown => {
  if (typeof whole !== 'object' || whole === null) return whole
  return Object.fromEntries(
    Object.entries(whole).map(([name, part]) => {
      const file: Record<string, unknown> = name.endsWith('Message') ? Object(part) : {}
      if (typeof file.mime_type !== 'string') return [name, part]
      return [name, { ...file, mimetype: file.mime_type, fileName: file.filename, ptt: file.ptt ?? file.voice }]
    }),
  )
}

/** Of messages of ours; that we have read one of theirs we know. */
const updateEvents = (data: unknown): InboundEvent[] => {
  const told = update.safeParse(data).data
  if (!told) return []
  return told.fromMe === false && told.status !== 'DELETED' ? nothing : statusEvents([told.keyId], told.status)
}

const voteEvents = (data: unknown, at: Date): InboundEvent[] | undefined => {
  const told = polled.safeParse(data).data
  if (!told) return undefined
  const { keyId: providerId, remoteJid, pollUpdates } = told
  const from = senderOf({ chat: remoteJid, fromMe: false })
  const voters = [...new Set(pollUpdates.flatMap((one) => one.voters))]
  // Nobody has chosen anything: whose vote was taken back is known where only one person votes.
  const who = voters.length || from?.isGroup ? voters : [remoteJid]
  const votes = who.map((jid): InboundEvent => {
    const chosen = pollUpdates.flatMap((one) => (one.voters.includes(jid) ? one.name : []))
    return { kind: 'vote', poll: { providerId }, from, voter: speakerBy({}, jid), fromMe: jid === 'me', chosen, at }
  })
  return votes.length ? votes : nothing
}

/** An edit or a delete, in WhatsApp's own words for it. */
const changeEvents = (data: unknown, at: Date): InboundEvent[] => {
  const said = readMessage({ protocolMessage: data }, () => ({}))
  if (said?.does === 'edit') return [{ kind: 'edit', providerId: said.providerId, body: said.body, at: said.at ?? at }]
  if (said?.does === 'delete') return [{ kind: 'delete', providerId: said.providerId }]
  return said ? nothing : []
}

const historyEvents = (data: unknown): InboundEvent[] =>
  historyOf(z.array(z.unknown()).catch([]).parse(data).flatMap(messageEvents))

const connectionEvents = (data: unknown): InboundEvent[] => {
  const state = connection.safeParse(data).data?.state
  return state ? standingEvents(state === 'open') : []
}

const memberEvents = (data: unknown, at: Date): InboundEvent[] => {
  const told = participants.safeParse(data).data
  const change = told && groupChangeOf(told.action)
  if (!told || !change) return told ? nothing : []
  const members = told.participants.flatMap((one): Speaker[] => {
    const jid = typeof one === 'string' ? one : one.id
    const known = told.participantsData?.find((other) => other.jid === jid)
    // Of an id that hides a phone, what is called its phone number may be the id once more.
    const phone = (typeof one === 'string' ? undefined : one.phoneNumber) ?? known?.phoneNumber
    const who = speakerBy({ name: known?.name }, jid, phone)
    return who ? [who] : []
  })
  return groupEvent({ jid: told.id, by: speakerBy({}, told.author), at }, change, members)
}

const subjectEvents = (data: unknown, at: Date): InboundEvent[] => {
  const told = subjects.safeParse(data).data
  if (!told) return []
  const events = told.flatMap(({ id, subject }) => (subject ? groupEvent({ jid: id, subject, at }, 'subject') : []))
  return events.length ? events : nothing
}

const callEvents = (data: unknown, at: Date): InboundEvent[] => {
  const told = call.safeParse(data).data
  if (!told) return []
  const state = callStateOf(told.status)
  const from = senderOf({ chat: told.from, chatAlt: told.callerPn, fromMe: false })
  if (!state || !from || from.isGroup) return nothing
  const { id: providerId, isVideo = false, date = at } = told
  return [{ kind: 'call', providerId, from, fromMe: false, isVideo, state, at: date }]
}

const presenceEvents = (data: unknown): InboundEvent[] => {
  const told = presence.safeParse(data).data
  if (!told) return []
  const states = Object.values(told.presences).map((one) => one.lastKnownPresence)
  const isTyping = states.some((state) => state === 'composing' || state === 'recording')
  return states.length ? typingEvents(told.id, isTyping) : nothing
}
