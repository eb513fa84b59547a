import { randomInt } from 'node:crypto'
import {
  type Card,
  type HandsetCustomer,
  type Line,
  type Media,
  type MediaKind,
  noteVote,
  type Place,
  type Poll,
  shownPoll,
} from '../handset.ts'
import { findLine } from '../simulator.ts'
import { type Group, newId, newLid } from './people.ts'

export type Profile = { phone?: string; lid?: string; name?: string; isOnWhatsApp?: boolean }
export type Said = {
  replyTo?: string
  group?: Group
  extra?: object
  pushName?: string | null
  isHidden?: boolean
  voted?: string[]
}

/** What a customer needs from the gateway around her; messages are WhatsApp's own, as every library has them. */
export type CustomerWorld = {
  now(): number
  tell(from: WhatsAppCustomer, message: object, line: Line | undefined, said: Said): Promise<string>
  tellStatus(line: Line, status: 'READ' | 'PLAYED'): Promise<void>
  tellEdit(from: WhatsAppCustomer, id: string, text: string): Promise<void>
  tellRevoke(from: WhatsAppCustomer, id: string): Promise<void>
  changed(): void
}

const typingLastsMs = 25_000

/** A person with WhatsApp on her phone. */
export class WhatsAppCustomer implements HandsetCustomer {
  readonly phone: string
  readonly lid: string
  readonly name: string
  isOnWhatsApp: boolean
  autoRead = false
  /** Lets nobody add them to a group. */
  refusesGroups = false
  readonly transcript: Line[] = []
  readonly #world: CustomerWorld
  #typingUntil = 0

  constructor(world: CustomerWorld, profile: Profile) {
    this.#world = world
    this.phone = profile.phone ?? `55119${randomInt(60_000_000, 99_999_999)}`
    this.lid = profile.lid ?? newLid()
    this.name = profile.name ?? `Cliente ${this.phone.slice(-4)}`
    this.isOnWhatsApp = profile.isOnWhatsApp ?? true
  }

  get id(): string {
    return this.phone
  }
  get handle(): string {
    return `+${this.phone}`
  }
  get jid(): string {
    return `${this.phone}@s.whatsapp.net`
  }
  get inbox(): Line[] {
    return this.transcript.filter((line) => line.from === 'business')
  }
  get isBusinessTyping(): boolean {
    return this.#typingUntil > this.#world.now()
  }
  showTyping() {
    this.#typingUntil = this.#world.now() + typingLastsMs
  }
  receive(line: Line) {
    this.transcript.push(line)
    if (this.transcript.length > 4_000) this.transcript.splice(0, 2_000)
    this.#typingUntil = 0
  }

  sendText(text: string, said: Said = {}) {
    const contextInfo = this.#quoting(said)
    const message = contextInfo ? { extendedTextMessage: { text, contextInfo } } : { conversation: text }
    return this.send(message, { type: 'text', text }, said)
  }
  sendMedia(kind: MediaKind, media: Media, caption?: string, said: Said = {}) {
    const part = {
      url: 'https://mmg.whatsapp.net/o1/v/t24/f2/m231/AQO?ccb=9-4',
      mimetype: media.mimeType,
      mediaKey: 'a2V5LW9mLXRoaXMtZmlsZQ==',
      fileLength: { low: media.bytes.length, high: 0, unsigned: true },
      ...(media.filename && kind === 'document' && { fileName: media.filename }),
      ...(caption && { caption }),
      ...(kind === 'voice' && { ptt: true }),
      contextInfo: this.#quoting(said),
    }
    const name = `${kind === 'voice' ? 'audio' : kind}Message`
    return this.send({ [name]: part }, { type: kind, media, text: caption }, said)
  }
  sendPlace({ latitude, longitude, name, address }: Place) {
    const locationMessage = { degreesLatitude: latitude, degreesLongitude: longitude, name, address }
    return this.send({ locationMessage }, { type: 'location', place: { latitude, longitude, name, address } })
  }
  sendCard({ name, phone }: Card) {
    const vcard = `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nTEL;type=CELL;waid=${phone.replace(/\D/g, '')}:${phone}\nEND:VCARD`
    return this.send({ contactMessage: { displayName: name, vcard } }, { type: 'contact', cards: [{ name, phone }] })
  }
  /** An empty emoji takes the reaction back. */
  async react(lineId: string, emoji: string) {
    const line = findLine(this.transcript, lineId)
    if (line) line.reactions.customer = emoji || undefined
    const key = { id: lineId, remoteJid: this.jid, fromMe: line?.from === 'business' }
    return this.#world.tell(this, { reactionMessage: { key, text: emoji } }, undefined, {})
  }
  sendPoll(poll: Poll, said: Said = {}) {
    return this.send(pollMessage(poll), shownPoll(poll), said)
  }
  vote(lineId: string, options: number[], said: Said = {}) {
    const line = findLine(this.transcript, lineId)
    const voted = noteVote(line, this.id, options)
    const pollCreationMessageKey = { id: lineId, remoteJid: this.jid, fromMe: line?.from === 'business' }
    const vote = { encPayload: 'c2VhbGVk', encIv: 'aXY=' }
    const pollUpdateMessage = { pollCreationMessageKey, vote, senderTimestampMs: this.#world.now() }
    return this.#world.tell(this, { pollUpdateMessage }, undefined, { ...said, voted })
  }
  /** Nothing is drawn here that could be pressed. */
  async press() {
    return undefined
  }
  /** She corrects what she wrote. */
  edit(lineId: string, text: string) {
    Object.assign(findLine(this.transcript, lineId) ?? {}, { text, isEdited: true })
    return this.#world.tellEdit(this, lineId, text)
  }
  /** She takes it back for everyone. */
  takeBack(lineId: string) {
    Object.assign(findLine(this.transcript, lineId) ?? {}, { isDeleted: true })
    return this.#world.tellRevoke(this, lineId)
  }
  async read() {
    for (const line of this.inbox) {
      if (line.isRead || line.state === 'failed') continue
      line.isRead = true
      await this.#world.tellStatus(line, 'READ')
    }
  }

  send(message: object, shown: Pick<Line, 'type'> & Partial<Line>, said: Said = {}): Promise<string> {
    const line: Line = {
      id: newId(),
      from: 'customer',
      at: this.#world.now(),
      ...shown,
      replyTo: said.replyTo,
      reactions: {},
      state: 'sent',
      payload: message,
    }
    if (!said.group) this.receive(line)
    return this.#world.tell(this, message, line, said)
  }

  #quoting({ replyTo }: Said) {
    return replyTo ? { stanzaId: replyTo, participant: this.jid, quotedMessage: { conversation: '' } } : undefined
  }
}

/** A poll as WhatsApp writes it. */
export const pollMessage = ({ question: name, options, isMultiple }: Poll) => ({
  pollCreationMessageV3: {
    name,
    options: options.map((optionName) => ({ optionName })),
    selectableOptionsCount: isMultiple ? 0 : 1,
  },
})
