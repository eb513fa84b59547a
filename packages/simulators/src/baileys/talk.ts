import { randomBytes } from 'node:crypto'
import { type Card, type Line, type Media, shownPoll } from '../handset.ts'
import { findLine, type SimulatorCore } from '../simulator.ts'
import { type CustomerWorld, type Profile, pollMessage, type WhatsAppCustomer } from '../whatsapp/customer.ts'
import { createCrowd, createPeople, type Group, newId } from '../whatsapp/people.ts'
import type { createFiles } from './files.ts'
import { sealVote } from './votes.ts'

type Events = Record<string, unknown>
type Given = {
  core: SimulatorCore
  files: ReturnType<typeof createFiles>
  tell: (events: Events) => void
  ourPhone: string
}
type Content = Record<string, unknown> & {
  text?: string
  edit?: { id: string }
  delete?: { id: string }
  react?: { text: string; key: { id: string } }
  mentions?: string[]
  poll?: { name: string; values: string[]; selectableCount?: number }
}
type Options = { messageId?: string; quoted?: { key?: { id?: string } } }

/** The people a linked phone talks to: what they say as the library tells it, and what reaches them. */
export const createTalk = ({ core, files, tell, ourPhone }: Given) => {
  const crowd = createCrowd()
  /** Whom somebody plays: their phones answer. */
  const played = new Set<WhatsAppCustomer>()
  /** What seals the votes of a poll, by its id. */
  const seals = new Map<string, { secret: Buffer; creator: string }>()
  const sealed = (id: string, creator: string, poll: object) => {
    const secret = randomBytes(32)
    seals.set(id, { secret, creator })
    return { ...poll, messageContextInfo: { messageSecret: secret } }
  }
  const calls = { rejected: [] as string[], ringing: new Map<string, WhatsAppCustomer>() }
  const nowS = () => Math.floor(core.now() / 1_000)

  /** By the policy: more than once, or backwards. */
  let held: Events[] = []
  const deliver = (events: Events): Promise<void> => {
    const { duplicate, reorder } = core.delivery
    const copies = Array.from({ length: duplicate + 1 }, () => events)
    if (!reorder) {
      copies.forEach(tell)
      return Promise.resolve()
    }
    held.push(...copies)
    if (held.length > copies.length) return Promise.resolve()
    return core.track(
      new Promise((resolve) =>
        setTimeout(() => {
          held.reverse().forEach(tell)
          held = []
          resolve()
        }, reorderWindowMs),
      ),
    )
  }

  const world: CustomerWorld = {
    now: core.now,
    changed: core.changed,
    tell: async (from, said, line, { group, pushName, isHidden, voted }) => {
      const id = line?.id ?? newId()
      const message = voted
        ? withVote(from, said, voted)
        : 'pollCreationMessageV3' in said
          ? sealed(id, lidOf(from), said)
          : said
      if (line) crowd.known.set(id, { line, chat: group?.jid ?? lidOf(from), customer: from, media: line.media })
      const who = group
        ? { remoteJid: group.jid, participant: lidOf(from), participantAlt: isHidden ? undefined : from.jid }
        : { remoteJid: lidOf(from), remoteJidAlt: from.jid }
      const told = {
        key: { ...who, id, fromMe: false },
        message: files.withFile(id, message, line?.media),
        messageTimestamp: nowS(),
        pushName: pushName === null ? undefined : from.name,
      }
      core.changed()
      await deliver({ 'messages.upsert': { messages: [told], type: 'notify' } })
      return id
    },
    tellStatus: async (line, status) => {
      line.state = status === 'READ' ? 'read' : 'played'
      core.changed()
      const known = crowd.known.get(line.id)
      if (known) await tellState(line, known.chat, status === 'READ' ? 4 : 5)
    },
    tellEdit: async (from, id, text) => {
      const protocolMessage = { key: { id }, type: 14, editedMessage: { conversation: text }, timestampMs: core.now() }
      await world.tell(from, { protocolMessage }, undefined, {})
    },
    tellRevoke: async (from, id) => {
      await world.tell(from, { protocolMessage: { key: { id }, type: 0 } }, undefined, {})
    },
  }
  const withVote = (from: WhatsAppCustomer, said: object, titles: string[]) => {
    const { pollUpdateMessage: update }: { pollUpdateMessage?: { pollCreationMessageKey: { id: string } } } = said
    const pollId = update?.pollCreationMessageKey.id ?? ''
    const seal = seals.get(pollId)
    if (!seal) return said
    return { pollUpdateMessage: { ...update, vote: sealVote({ ...seal, pollId, voter: lidOf(from) }, titles) } }
  }
  const tellState = ({ id }: Pick<Line, 'id'>, chat: string, status: number) =>
    deliver(
      chat.endsWith('@g.us')
        ? {
            'message-receipt.update': [
              { key: { remoteJid: chat, id, fromMe: true }, receipt: { readTimestamp: nowS() } },
            ],
          }
        : { 'messages.update': [{ key: { remoteJid: chat, id, fromMe: true }, update: { status } }] },
    )
  const people = createPeople(core, crowd, world)
  const playing = (profile: Profile = {}) => {
    const one = people.customer(profile)
    played.add(one)
    return one
  }

  /** What was said reaches a phone that somebody plays. */
  const tellLife = async (line: Line, chat: string, customer: WhatsAppCustomer) => {
    if (!played.has(customer) || core.delivery.skipDelivered) return
    if (line.state === 'sent') line.state = 'delivered'
    await tellState(line, chat, 3)
  }
  const lineOf = (id: string | undefined) => {
    for (const one of crowd.customers) {
      const line = findLine(one.transcript, id ?? '')
      if (line) return line
    }
    return crowd.known.get(id ?? '')?.line
  }

  return {
    ...people,
    customers: crowd.customers,
    groups: crowd.groups,
    ...calls,
    customer: playing,
    newCustomer: (given: { name: string; handle?: string }) => {
      const one = people.newCustomer(given)
      played.add(one)
      return one
    },
    lineOf,
    /** Of a group somebody has made here, as the library tells of it. */
    metadataOf: (jid: string) => {
      const group = people.groupBy(jid)
      return (
        group && {
          id: jid,
          subject: group.subject,
          desc: group.description,
          announce: group.isAdminsOnly ?? false,
          participants: [
            ...group.members.map(({ customer, isAdmin }, at) => ({
              id: lidOf(customer),
              phoneNumber: customer.jid,
              notify: customer.name,
              admin: at === 0 && isAdmin ? 'superadmin' : isAdmin ? 'admin' : null,
            })),
            ...(group.ours
              ? [{ id: `${ourPhone}@s.whatsapp.net`, admin: group.ours === 'admin' ? 'admin' : null }]
              : []),
          ],
        }
      )
    },
    /** What we say is shown where it goes; twice the same id is one message. */
    take: (jid: string, content: Content, { messageId, quoted, creator = '' }: Options & { creator?: string }) => {
      const [changed, change] = changeOf(content)
      const line = change && lineOf(changed)
      if (change) change(line)
      const id = messageId ?? newId()
      if (!change && !crowd.known.has(id)) {
        const more = { mentioned: content.mentions?.map((one) => one.split('@', 1).join()) }
        const shown = { ...shownOf(content), id, replyTo: quoted?.key?.id }
        const said = people.say(jid, Object(content), shown, more)
        const life = () => tellLife(said.line, jid, said.customer)
        void core.track(new Promise((resolve) => setTimeout(resolve, 5)).then(life))
      }
      core.changed()
      const poll = content.poll && sealed(id, creator, pollMessage(pollIn(content.poll)))
      return { id, isChange: Boolean(change), message: poll ?? { conversation: content.text ?? '' } }
    },
    /** The owner writes on the phone itself. */
    ownPhone: async (to: WhatsAppCustomer, text: string) => {
      const message = { conversation: text }
      const { line } = people.say(lidOf(to), message, { type: 'text', text })
      const key = { remoteJid: lidOf(to), remoteJidAlt: to.jid, id: line.id, fromMe: true }
      await deliver({ 'messages.upsert': { messages: [{ key, message, messageTimestamp: nowS() }], type: 'append' } })
      return line.id
    },
    /** What was said before, as a phone gives it away once it is linked. */
    tellHistory: (to: WhatsAppCustomer, lines: { text: string; fromMe: boolean; at: Date }[]) => {
      const messages = lines.map(({ text, fromMe, at }) => ({
        key: { remoteJid: lidOf(to), remoteJidAlt: to.jid, id: newId(), fromMe },
        message: { conversation: text },
        messageTimestamp: Math.floor(at.getTime() / 1_000),
        pushName: fromMe ? undefined : to.name,
      }))
      return deliver({ 'messaging-history.set': { chats: [], contacts: [], messages, progress: 100, syncType: 3 } })
    },
    /** What a group tells of itself, by the number WhatsApp has for it. */
    tellGroup: (group: Group, by: WhatsAppCustomer, messageStubType: number, messageStubParameters: string[] = []) => {
      const key = { remoteJid: group.jid, participant: lidOf(by), participantAlt: by.jid, id: newId(), fromMe: false }
      const notice = { key, messageStubType, messageStubParameters, messageTimestamp: nowS() }
      return deliver({ 'messages.upsert': { messages: [notice], type: 'append' } })
    },
    ring: async (from: WhatsAppCustomer, status: 'offer' | 'timeout' = 'offer', id = newId()) => {
      calls.ringing.set(id, from)
      const call = {
        id,
        chatId: lidOf(from),
        from: lidOf(from),
        callerPn: from.jid,
        date: new Date(core.now()),
        status,
      }
      await deliver({ call: [{ ...call, isVideo: false, offline: false }] })
      return id
    },
  }
}
const reorderWindowMs = 40
const lidOf = ({ lid }: WhatsAppCustomer) => `${lid}@lid`

type Change = (line: Line | undefined) => void
/** What is done to a message that was said before, and which. */
const changeOf = ({ text, edit, delete: gone, react }: Content): [string?, Change?] => {
  if (edit) return [edit.id, (line) => Object.assign(line ?? {}, { text, isEdited: true })]
  if (gone) return [gone.id, (line) => Object.assign(line ?? {}, { isDeleted: true })]
  if (react)
    return [react.key.id, (line) => line && Object.assign(line.reactions, { business: react.text || undefined })]
  return []
}

const pollIn = ({ name, values, selectableCount }: NonNullable<Content['poll']>) => ({
  question: name,
  options: values,
  isMultiple: selectableCount !== 1,
})

const fileKinds = ['image', 'video', 'audio', 'document', 'sticker'] as const
type Shown = Pick<Line, 'type'> & Partial<Line>
const shownOf = (content: Content): Shown => {
  const kind = fileKinds.find((one) => content[one] !== undefined)
  if (kind) {
    const { mimetype, fileName, caption, ptt } = content as Record<string, string | undefined>
    const media: Media = {
      bytes: Buffer.from(content[kind] as Uint8Array),
      mimeType: mimetype ?? 'application/octet-stream',
      filename: fileName,
    }
    return { type: ptt ? 'voice' : kind, media, text: caption }
  }
  if (content.poll) return shownPoll(pollIn(content.poll))
  if (content.location) {
    const { degreesLatitude, degreesLongitude, name, address } = Object(content.location)
    return { type: 'location', place: { latitude: degreesLatitude, longitude: degreesLongitude, name, address } }
  }
  if (content.contacts) {
    const { contacts }: { contacts: { displayName: string; vcard: string }[] } = Object(content.contacts)
    const cards = contacts.flatMap(({ displayName: name, vcard }): Card[] =>
      [...vcard.matchAll(/^TEL[^:]*:(.*)$/gm)].map(([, phone = '']) => ({ name, phone })),
    )
    return { type: 'contact', cards }
  }
  return { type: 'text', text: content.text ?? '' }
}
