import type { Card, HandsetCustomer, Line, Media, MediaKind, Place, Poll } from '../handset.ts'
import { sampleMedia } from '../samples.ts'
import { findLine } from '../simulator.ts'
import type { State } from './state.ts'

export type PageProfile = { id?: string; name?: string; username?: string }

const typingLastsMs = 20_000
const keptLines = 2_000
const types = {
  image: 'image',
  sticker: 'image',
  video: 'video',
  audio: 'audio',
  voice: 'audio',
  document: 'file',
} as const

/** A person with the app on her phone. Every send returns the mid once the webhook was posted the first time. */
export class PageCustomer implements HandsetCustomer {
  readonly id: string
  readonly name: string
  readonly username: string | undefined
  autoRead = false
  /** False: sends to her are refused with 551. */
  isAvailable = true
  /** When she last wrote: both windows count from here. */
  lastInboundAt: number | undefined
  readonly transcript: Line[] = []
  readonly #state: State
  #typingUntil = 0

  constructor(state: State, profile: PageProfile) {
    this.#state = state
    this.id = profile.id ?? state.newPersonId()
    this.name = profile.name ?? `Cliente ${this.id.slice(-4)}`
    this.username = profile.username
  }

  get handle(): string {
    return this.username ? `@${this.username}` : this.id
  }
  get inbox(): Line[] {
    return this.transcript.filter((line) => line.from === 'business')
  }
  get isBusinessTyping(): boolean {
    return this.#typingUntil > this.#state.core.now()
  }
  showTyping() {
    this.#typingUntil = this.#state.core.now() + typingLastsMs
  }

  sendText(text: string, { replyTo }: { replyTo?: string } = {}) {
    return this.#send({ text, ...(replyTo && { reply_to: { mid: replyTo } }) }, { type: 'text', text, replyTo })
  }
  async sendMedia(kind: MediaKind, media: Media = sampleMedia(kind), caption?: string) {
    const url = this.#state.keep(media)
    const payload = { url, ...(kind === 'sticker' && { sticker_id: 369_239_263_222_822 }) }
    const mid = await this.#send({ attachments: [{ type: types[kind], payload }] }, { type: kind, media })
    if (caption) await this.sendText(caption)
    return mid
  }
  /** Several pictures chosen at once. */
  sendAlbum(pictures: Media[]) {
    const attachments = pictures.map((media) => ({ type: 'image', payload: { url: this.#state.keep(media) } }))
    return this.#send({ attachments }, { type: 'image', media: pictures[0] })
  }
  /** There are no places here: a link to the map is shared. */
  sendPlace({ latitude, longitude, name }: Place) {
    const url = `https://maps.example.com/?q=${latitude},${longitude}`
    return this.share(url, name ?? 'Localização')
  }
  sendCard({ name, phone }: Card) {
    return this.sendText(`${name}: ${phone}`)
  }
  share(url: string, title: string) {
    return this.#send({ attachments: [{ type: 'fallback', payload: { url, title } }] }, { type: 'text', text: title })
  }
  like() {
    return this.#send({ attachments: [{ type: 'like_heart' }] }, { type: 'text', text: '❤️' })
  }
  replyToStory(text: string, story = sampleMedia('image')) {
    const url = this.#state.keep(story)
    return this.#send({ text, reply_to: { story: { id: this.#state.newPersonId(), url } } }, { type: 'text', text })
  }
  mentionInStory(media = sampleMedia('image')) {
    const payload = { url: this.#state.keep(media) }
    return this.#send({ attachments: [{ type: 'story_mention', payload }] }, { type: 'image', media })
  }
  /** In public, under something the account published; told in seconds. */
  async comment(text: string): Promise<string> {
    const { object, core, comments, tell, newPersonId } = this.#state
    const id = newPersonId()
    comments.set(id, { customer: this, isAnswered: false })
    const from = { id: this.id, name: this.name, ...(this.username && { username: this.username }) }
    const created_time = Math.floor(core.now() / 1_000)
    const post = { permalink_url: 'https://www.facebook.com/lojaaurora/posts/1' }
    const feed = {
      item: 'comment',
      verb: 'add',
      comment_id: id,
      post_id: '1_1',
      from,
      message: text,
      created_time,
      post,
    }
    const onInstagram = { id, from, text, media: { id: '1', media_product_type: 'FEED' } }
    const change = object === 'page' ? { field: 'feed', value: feed } : { field: 'comments', value: onInstagram }
    await tell({ time: created_time, changes: [change] })
    return id
  }
  sendPoll(_poll: Poll) {
    return this.unsupported()
  }
  vote(_lineId: string, _options: number[]) {
    return this.unsupported()
  }
  unsupported() {
    return this.#send({ is_unsupported: true }, { type: 'unsupported', text: '(sem suporte)' })
  }

  /** Takes a message of hers back. */
  unsend(mid: string) {
    const line = findLine(this.transcript, mid)
    if (line) line.isDeleted = true
    return this.#tell({ message: { mid, is_deleted: true } })
  }
  edit(mid: string, text: string) {
    const line = findLine(this.transcript, mid)
    if (line) Object.assign(line, { text, isEdited: true })
    return this.#tell({ message_edit: { mid, text, num_edit: 1 } })
  }
  /** An empty emoji takes the reaction back. */
  react(mid: string, emoji: string) {
    const line = findLine(this.transcript, mid)
    if (line) line.reactions.customer = emoji || undefined
    const given = { reaction: emoji === '❤️' ? 'love' : 'other', emoji }
    return this.#tell({ reaction: { mid, action: emoji ? 'react' : 'unreact', ...(emoji && given) } })
  }
  /** A button that stays tells of itself; a quick reply is a message like any other. */
  async press(lineId: string, buttonId: string): Promise<string | undefined> {
    const line = findLine(this.transcript, lineId)
    const button = line?.buttons?.find(({ id }) => id === buttonId)
    if (!line || !button || button.url) return undefined
    const shown = { type: 'text', text: button.title }
    if (line.type !== 'template') return this.#send({ text: button.title, quick_reply: { payload: button.id } }, shown)
    const mid = this.#state.newMid()
    this.lastInboundAt = this.#state.core.now()
    this.#show(mid, shown)
    await this.#tell({ postback: { mid, title: button.title, payload: button.id } })
    return mid
  }
  /** Reads everything the business sent. */
  async read() {
    const unread = this.inbox.filter(({ isRead }) => !isRead)
    for (const line of unread) Object.assign(line, { isRead: true, state: 'read' })
    if (!unread.length) return
    const { object, core } = this.#state
    if (object === 'page') return this.#tell({ read: { watermark: core.now() } })
    for (const { id } of unread) await this.#tell({ read: { mid: id } })
  }

  receive(line: Line) {
    this.transcript.push(line)
    if (this.transcript.length > keptLines * 2) this.transcript.splice(0, keptLines)
    this.#typingUntil = 0
  }

  #show(id: string, shown: Partial<Line> & Pick<Line, 'type'>, payload: unknown = shown): Line {
    const at = this.#state.core.now()
    const line: Line = { id, from: 'customer', at, reactions: {}, state: 'sent', payload, ...shown }
    this.receive(line)
    this.#state.known.set(id, { customer: this, line })
    this.#state.core.changed()
    return line
  }

  async #send(message: object, shown: Partial<Line> & Pick<Line, 'type'>): Promise<string> {
    const mid = this.#state.newMid()
    this.lastInboundAt = this.#state.core.now()
    const line = this.#show(mid, shown, message)
    await this.#tell({ message: { mid, ...message } }, () => {
      if (line.state === 'sent') line.state = 'delivered'
      this.#state.core.changed()
    })
    return mid
  }

  #tell(event: object, onAccepted?: () => void) {
    this.#state.core.changed()
    const parties = { sender: { id: this.id }, recipient: { id: this.#state.options.accountId } }
    return this.#state.emit({ ...parties, ...event }, onAccepted)
  }
}
