import { randomInt } from 'node:crypto'
import type { Card, HandsetCustomer, Line, Media, MediaKind, Place } from '../handset.ts'
import { sampleMedia } from '../samples.ts'
import { findLine } from '../simulator.ts'
import type { HubChannel, State } from './state.ts'

export type HubProfile = { id?: string; name?: string; channel?: string }
const fileKinds = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  voice: 'audio',
  document: 'document',
  sticker: 'sticker',
}
const unknownHere = () => Promise.reject(new Error('O hub não leva isto.'))

/** Somebody on the other side of one of the hub's channels. */
export class HubCustomer implements HandsetCustomer {
  readonly id: string
  readonly name: string
  readonly channel: HubChannel
  readonly transcript: Line[] = []
  readonly isBusinessTyping = false
  readonly quotesNothing = true
  autoRead = false
  isReachable = true
  lastInboundAt: number | undefined
  readonly #state: State

  constructor(state: State, channel: HubChannel, profile: HubProfile) {
    this.#state = state
    this.channel = channel
    const byPhone = ['whatsapp', 'sms', 'rcs'].includes(channel.channel)
    this.id =
      profile.id ?? (byPhone ? `55119${randomInt(60_000_000, 99_999_999)}` : String(randomInt(10 ** 9, 10 ** 10)))
    this.name = profile.name ?? `Cliente ${this.id.slice(-4)}`
  }

  get handle(): string {
    return `${this.channel.name} · ${this.id}`
  }
  get inbox(): Line[] {
    return this.transcript.filter((line) => line.from === 'business')
  }
  receive(line: Line) {
    this.transcript.push(line)
    if (this.transcript.length > 4_000) this.transcript.splice(0, 2_000)
  }

  sendText(text: string) {
    return this.send([{ type: 'text', text }], { type: 'text', text })
  }
  sendMedia(kind: MediaKind, media: Media = sampleMedia(kind), caption?: string) {
    const file = {
      type: 'file',
      fileUrl: this.#state.keep(media),
      // One word, or a MIME type: it writes either.
      fileMimeType: kind === 'sticker' || kind === 'document' ? fileKinds[kind] : media.mimeType,
      ...(media.filename && { fileName: media.filename }),
      ...(caption && { fileCaption: caption }),
    }
    return this.send([file], { type: kind, media, text: caption })
  }
  sendPlace({ latitude, longitude, name, address }: Place) {
    const place = { latitude, longitude, name, address }
    return this.send([{ type: 'location', ...place }], { type: 'location', place })
  }
  sendCard({ name, phone }: Card) {
    const contacts = [{ name: { formattedName: name }, phones: [{ phone }] }]
    return this.send([{ type: 'contacts', contacts }], { type: 'contacts', cards: [{ name, phone }] })
  }
  async press(lineId: string, buttonId: string): Promise<string | undefined> {
    const button = findLine(this.transcript, lineId)?.buttons?.find(({ id }) => id === buttonId)
    if (!button || button.url) return undefined
    const { title, id } = button
    return this.send([{ type: 'text', text: title, payload: id }], { type: 'text', text: title })
  }
  /** Reads everything the business sent. */
  async read() {
    for (const line of this.inbox.filter(({ isRead }) => !isRead)) {
      Object.assign(line, { isRead: true, state: 'read' })
      await this.#state.tell(this.channel, statusOf(this.#state, line.id, 'READ'))
    }
    this.#state.core.changed()
  }
  react = unknownHere
  sendPoll = unknownHere
  vote = unknownHere

  async send(contents: object[], shown: Pick<Line, 'type'> & Partial<Line>): Promise<string> {
    const { core, newId, known, tell } = this.#state
    const id = newId()
    this.lastInboundAt = core.now()
    const line: Line = {
      id,
      from: 'customer',
      at: core.now(),
      reactions: {},
      state: 'sent',
      payload: contents,
      ...shown,
    }
    this.receive(line)
    known.set(id, { customer: this, line })
    core.changed()
    await tell(this.channel, messageOf(this.#state, this, 'IN', id, contents), () => {
      line.state = 'delivered'
      core.changed()
    })
    return id
  }
}

/** A message as the hub tells of it, whichever way it went. */
export const messageOf = (
  { newId, core }: State,
  { id: person, name, channel }: HubCustomer,
  direction: 'IN' | 'OUT',
  id: string,
  contents: object[],
) => ({
  type: 'MESSAGE',
  id: newId(),
  timestamp: new Date(core.now()).toISOString(),
  channel: channel.channel,
  direction,
  message: {
    id,
    from: direction === 'IN' ? person : channel.id,
    to: direction === 'IN' ? channel.id : person,
    direction,
    channel: channel.channel,
    ...(direction === 'IN' && { visitor: { name, picture: `${core.url}/faces/${encodeURIComponent(name)}` } }),
    contents,
  },
})
export const statusOf = ({ newId, core }: State, messageId: string, code: string, cause?: string) => {
  const timestamp = new Date(core.now()).toISOString()
  return {
    type: 'MESSAGE_STATUS',
    id: newId(),
    timestamp,
    messageId,
    contentIndex: 0,
    messageStatus: { timestamp, code, ...(cause && { cause }) },
  }
}
