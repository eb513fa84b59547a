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
import { type Group, newId, newLid } from './state.ts'

/** `hidesPhone`: WhatsApp tells only the id that stands for her. */
export type ZapiProfile = {
  phone?: string
  lid?: string
  name?: string
  isOnWhatsApp?: boolean
  hidesPhone?: boolean
}
export type Said = { replyTo?: string; group?: Group; isHidden?: boolean }

/** What a customer needs from the service around her. */
export type CustomerWorld = {
  now(): number
  keepFile(media: Media): string
  tell(from: ZapiCustomer, id: string, parts: object, line: Line | undefined, said: Said): Promise<string>
  tellStatus(lines: Line[], status: 'READ' | 'PLAYED'): Promise<void>
  tellTyping(from: ZapiCustomer, isTyping: boolean): Promise<void>
}

/** A person with WhatsApp on her phone. */
export class ZapiCustomer implements HandsetCustomer {
  readonly phone: string
  readonly lid: string
  readonly name: string
  isOnWhatsApp: boolean
  hidesPhone: boolean
  autoRead = false
  /** Lets nobody add them to a group. */
  refusesGroups = false
  readonly isBusinessTyping = false
  readonly transcript: Line[] = []
  readonly #world: CustomerWorld

  constructor(world: CustomerWorld, profile: ZapiProfile) {
    this.#world = world
    this.phone = profile.phone ?? `55119${randomInt(60_000_000, 99_999_999)}`
    this.lid = profile.lid ?? newLid()
    this.name = profile.name ?? `Cliente ${this.phone.slice(-4)}`
    this.isOnWhatsApp = profile.isOnWhatsApp ?? true
    this.hidesPhone = profile.hidesPhone ?? false
  }

  get id(): string {
    return this.phone
  }
  get handle(): string {
    return `+${this.phone}`
  }
  /** What Z-API calls her in `phone`. */
  get shownPhone(): string {
    return this.hidesPhone ? `${this.lid}@lid` : this.phone
  }
  get inbox(): Line[] {
    return this.transcript.filter((line) => line.from === 'business')
  }
  receive(line: Line) {
    this.transcript.push(line)
    if (this.transcript.length > 4_000) this.transcript.splice(0, 2_000)
  }

  sendText(text: string, said: Said = {}) {
    return this.send({ text: { message: text } }, { type: 'text', text }, said)
  }
  sendMedia(kind: MediaKind, media: Media, caption?: string, said: Said = {}) {
    const name = kind === 'voice' ? 'audio' : kind
    const part = {
      [`${name}Url`]: this.#world.keepFile(media),
      mimeType: media.mimeType,
      ...(caption && { caption }),
      ...(kind === 'voice' && { ptt: true }),
      ...(kind === 'document' && { fileName: media.filename, title: media.filename, pageCount: 1 }),
    }
    return this.send({ [name]: part }, { type: kind, media, text: caption }, said)
  }
  sendPlace({ latitude, longitude, name, address }: Place) {
    const location = { latitude, longitude, name, address, url: '' }
    return this.send({ location }, { type: 'location', place: { latitude, longitude, name, address } })
  }
  sendCard({ name, phone }: Card) {
    const vCard = `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nTEL;type=CELL;waid=${phone.replace(/\D/g, '')}:${phone}\nEND:VCARD`
    return this.send({ contact: { displayName: name, vCard } }, { type: 'contact', cards: [{ name, phone }] })
  }
  /** An empty emoji takes the reaction back. */
  async react(lineId: string, emoji: string) {
    const line = findLine(this.transcript, lineId)
    if (line) line.reactions.customer = emoji || undefined
    const referencedMessage = { messageId: lineId, fromMe: line?.from === 'business', phone: this.phone }
    const reaction = { value: emoji, time: this.#world.now(), reactionBy: this.phone, referencedMessage }
    return this.#world.tell(this, newId(), { reaction }, undefined, {})
  }
  sendPoll(poll: Poll, said: Said = {}) {
    return this.send({ poll: pollPart(poll) }, shownPoll(poll), said)
  }
  vote(lineId: string, options: number[], said: Said = {}) {
    const voted = noteVote(findLine(this.transcript, lineId), this.id, options)
    const pollVote = { pollMessageId: lineId, options: voted.map((name) => ({ name })) }
    return this.#world.tell(this, newId(), { pollVote }, undefined, said)
  }
  /** No buttons are sent by this channel. */
  async press() {
    return undefined
  }
  /** She corrects what she wrote. */
  edit(lineId: string, text: string) {
    Object.assign(findLine(this.transcript, lineId) ?? {}, { text, isEdited: true })
    return this.#world.tell(this, lineId, { isEdit: true, text: { message: text } }, undefined, {})
  }
  /** She takes it back for everyone. */
  takeBack(lineId: string) {
    Object.assign(findLine(this.transcript, lineId) ?? {}, { isDeleted: true })
    return this.#world.tell(this, lineId, { notification: 'REVOKE', notificationParameters: [] }, undefined, {})
  }
  call(notification: 'CALL_VOICE' | 'CALL_MISSED_VOICE', callId: string) {
    return this.#world.tell(this, `${callId}-${notification.length}`, { notification, callId }, undefined, {})
  }
  types(isTyping = true) {
    return this.#world.tellTyping(this, isTyping)
  }
  async read() {
    const fresh = this.inbox.filter((line) => !line.isRead && line.state !== 'failed')
    for (const line of fresh) line.isRead = true
    if (fresh.length) await this.#world.tellStatus(fresh, 'READ')
  }

  send(parts: object, shown: Pick<Line, 'type'> & Partial<Line>, said: Said = {}): Promise<string> {
    const line: Line = {
      id: newId(),
      from: 'customer',
      at: this.#world.now(),
      ...shown,
      replyTo: said.replyTo,
      reactions: {},
      state: 'sent',
      payload: parts,
    }
    if (!said.group) this.receive(line)
    return this.#world.tell(this, line.id, parts, line, said)
  }
}

/** A poll as Z-API writes it. */
export const pollPart = ({ question, options, isMultiple }: Poll) => ({
  question,
  pollMaxOptions: isMultiple ? options.length : 1,
  options: options.map((name) => ({ name })),
})
