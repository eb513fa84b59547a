import type { InboundEvent, Sender, Speaker } from '../adapter.ts'
import { identitiesOf, isGroup, isIgnored, mentionsOf } from './jids.ts'
import { readMessage, type Said, type SourceOf } from './message.ts'
import { statusOf } from './states.ts'

/** One message as a library of WhatsApp Web tells it, whatever it calls its fields. */
export type Told = {
  id: string
  /** The address of the conversation and, where it is known by two, the other. */
  chat: string
  chatAlt?: string
  /** In a group: who wrote, by up to two addresses. */
  member?: string
  memberAlt?: string
  fromMe: boolean
  /** What whoever wrote calls themselves. */
  name?: string
  /** What the group is called, where the event says it. */
  groupName?: string
  at: Date
  message: unknown
}

/** Our events of one message; none when its kind is none we know, `nothing` when it concerns nobody. */
export const eventsOf = (told: Told, sourceOf: SourceOf): InboundEvent[] => {
  if (isIgnored(told.chat)) return nothing
  const said = readMessage(told.message, sourceOf)
  return said ? eventsOfSaid(told, said) : []
}
export const nothing: InboundEvent[] = [{ kind: 'nothing' }]

export const eventsOfSaid = (told: Omit<Told, 'message'>, said: Said): InboundEvent[] => {
  const { id: providerId, fromMe, at } = told
  const from = senderOf(told)
  if (!from) return []
  const author = speakerOf(told)
  switch (said.does) {
    case 'nothing':
      return nothing
    case 'edit':
      return [{ kind: 'edit', providerId: said.providerId, body: said.body, at: said.at ?? at }]
    case 'delete':
      return [{ kind: 'delete', providerId: said.providerId }]
    case 'react': {
      const { targetProviderId, emoji } = said
      return [{ kind: 'reaction', targetProviderId, from, author, fromMe, emoji, at }]
    }
    case 'vote': {
      const { pollProviderId, chosen } = said
      return [
        { kind: 'vote', poll: { providerId: pollProviderId }, from, voter: author, fromMe, chosen, at: said.at ?? at },
      ]
    }
    case 'say': {
      const { quotedProviderId } = said
      const mentions = from.isGroup ? mentionsOf(said.content.body) : []
      const content = mentions.length ? { ...said.content, mentions } : said.content
      return [{ kind: 'message', providerId, from, author, fromMe, timestamp: at, content, quotedProviderId }]
    }
  }
}

type Names = Pick<Told, 'chat' | 'chatAlt' | 'member' | 'memberAlt' | 'fromMe' | 'name' | 'groupName'>

/** Whose conversation it is: the group, or the other side of it. */
export const senderOf = ({ chat, chatAlt, fromMe, name, groupName }: Names): Sender | undefined => {
  const [first, ...rest] = isGroup(chat) ? identitiesOf(chat) : identitiesOf(chat, chatAlt)
  if (!first) return undefined
  if (isGroup(chat)) return { identities: [first], name: groupName ?? 'Grupo do WhatsApp', isGroup: true }
  return { identities: [first, ...rest], name: fromMe ? undefined : name || undefined }
}

const speakerOf = ({ chat, member, memberAlt, fromMe, name }: Names): Speaker | undefined =>
  isGroup(chat) && !fromMe ? speakerBy({ name }, member, memberAlt) : undefined

/** Somebody by the addresses they are known by; nobody by none. */
export const speakerBy = ({ name }: { name?: string }, ...jids: (string | undefined)[]): Speaker | undefined => {
  const [first, ...rest] = identitiesOf(...jids)
  return first && { identities: [first, ...rest], name: name || undefined }
}

/** A phone and the id that hides it, told to be one person. */
export const unitedBy = (jid: string | undefined, other: string | undefined): InboundEvent[] => {
  const [from, to] = identitiesOf(jid, other)
  return from && to ? [{ kind: 'identity', from, to }] : []
}

type Change = Extract<InboundEvent, { kind: 'group' }>['change']
/** What happened in a group, or to somebody there. */
export const groupEvent = (
  { jid, name, subject, by, at }: { jid: string; name?: string; subject?: string; by?: Speaker; at: Date },
  change: Change,
  members: Speaker[] = [],
): InboundEvent[] => {
  const group = senderOf({ chat: jid, fromMe: false, groupName: subject ?? name })
  const names = members.map(({ identities }) => identities[0].value).toSorted()
  const providerId = [jid, change, at.getTime(), ...names].join(':').slice(0, 400)
  const isRemoval = change === 'left' && by !== undefined && members.every((one) => isAnother(one, by))
  return group
    ? [{ kind: 'group', providerId, group, change, members, ...(isRemoval && { isRemoval }), subject, at }]
    : []
}
/** Certainly: by the same sort of id they have different ones. */
const isAnother = (one: Speaker, by: Speaker) =>
  one.identities.some(({ kind }) => by.identities.some((other) => other.kind === kind)) &&
  !one.identities.some(({ kind, value }) => by.identities.some((other) => other.kind === kind && other.value === value))

/** What was said before, of events that tell it as if it were said now. */
export const historyOf = (events: InboundEvent[]): InboundEvent[] => {
  const messages = events.flatMap((event) => {
    if (event.kind !== 'message') return []
    const { kind: _, ...said } = event
    return [said]
  })
  return messages.length ? [{ kind: 'history', messages }] : nothing
}

/** Somebody who gave up on the channel is not asked how it stands; that it works again is told. */
export const standingEvents = (isLinked: boolean): InboundEvent[] => {
  const standing = { kind: 'standing' } as const
  return isLinked ? [{ kind: 'connection', status: 'CONNECTED', text: 'Conectado ao WhatsApp.' }, standing] : [standing]
}

/** A message of ours came so far; nothing when the word for it is none we tell. */
export const statusEvents = (ids: string[], state: string): InboundEvent[] => {
  if (state.toUpperCase() === 'DELETED') return ids.map((providerId) => ({ kind: 'delete', providerId }))
  const status = statusOf(state)
  if (!status) return nothing
  const error =
    status === 'failed' ? 'O WhatsApp não aceitou esta mensagem. Confira o número e tente de novo.' : undefined
  return ids.map((providerId) => ({ kind: 'status', providerId, status, error }))
}

/** Of a conversation with one person alone. */
export const typingEvents = (chat: string, isTyping: boolean): InboundEvent[] => {
  const from = isGroup(chat) || isIgnored(chat) ? undefined : senderOf({ chat, fromMe: false })
  return from ? [{ kind: 'typing', from, isTyping }] : nothing
}
