import { randomInt } from 'node:crypto'
import { z } from 'zod'
import type { Button, Card, HandsetCustomer, Line, Media, MediaKind, Place, Poll } from '../handset.ts'
import { sampleMedia } from '../samples.ts'
import { findLine } from '../simulator.ts'

/** A webhook change: `field` and its value. Several may travel in one POST. */
export type Item =
  | { kind: 'message' | 'status'; contact?: object; payload: object }
  | { kind: 'change'; field: string; value: object }

export type CustomerProfile = {
  /** Phone as WhatsApp writes it; left out together with `userId`, a Brazilian one is made up. */
  waId?: string
  /** Business-scoped id (BSUID). Alone, the customer never shows a phone. */
  userId?: string
  name?: string
  username?: string
  /** False: sends fail later with 131026. */
  isOnWhatsApp?: boolean
}

export type MessageOptions = {
  /** Quotes this message. */
  replyTo?: string
  isForwarded?: boolean
  groupId?: string
  referral?: object
  /** Merged into the message object as it is. */
  extra?: object
}

/** What a customer needs from the simulator around her. */
export type CustomerWorld = {
  businessPhone: string
  now(): number
  newId(waId: string | undefined): string
  storeInbound(media: Media): { id: string; sha256: string }
  emit(item: Item, onAccepted?: () => void): Promise<void>
  emitStatus(line: Line, status: 'delivered' | 'read' | 'played'): Promise<void>
  remember(id: string, customer: WabaCustomer, line: Line): void
  renamed(customer: WabaCustomer, before: string): void
  changed(): void
}

const typingLastsMs = 25_000
const keptLines = 2_000

/** A person with WhatsApp on her phone. Every send returns the wamid once the webhook was posted the first time. */
export class WabaCustomer implements HandsetCustomer {
  waId: string | undefined
  userId: string | undefined
  name: string
  username: string | undefined
  isOnWhatsApp: boolean
  autoRead = false
  hasStoppedMarketing = false
  /** When she last wrote: the 24 h window counts from here. */
  lastInboundAt: number | undefined
  readonly transcript: Line[] = []
  readonly #world: CustomerWorld
  #typingUntil = 0

  constructor(world: CustomerWorld, profile: CustomerProfile) {
    this.#world = world
    this.waId = profile.waId ?? (profile.userId ? undefined : `55119${randomInt(10_000_000, 99_999_999)}`)
    this.userId = profile.userId
    this.name = profile.name ?? `Cliente ${(this.waId ?? this.userId ?? '').slice(-4)}`
    this.username = profile.username
    this.isOnWhatsApp = profile.isOnWhatsApp ?? true
  }

  get id(): string {
    return this.waId ?? this.userId ?? ''
  }
  get handle(): string {
    return this.waId ? `+${this.waId}` : this.username ? `@${this.username}` : this.id
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
  hideTyping() {
    this.#typingUntil = 0
  }

  sendText(text: string, options?: MessageOptions) {
    return this.send('text', { body: text }, { text }, options)
  }
  sendImage(media = sampleMedia('image'), caption?: string, options?: MessageOptions) {
    return this.#sendFile('image', media, { caption }, options)
  }
  sendVideo(media = sampleMedia('video'), caption?: string, options?: MessageOptions) {
    return this.#sendFile('video', media, { caption }, options)
  }
  /** A recorded note unless `voice` is false. */
  sendAudio(media?: Media, options: MessageOptions & { voice?: boolean } = {}) {
    const { voice = true, ...rest } = options
    return this.#sendFile('audio', media ?? sampleMedia(voice ? 'voice' : 'audio'), { voice }, rest)
  }
  sendDocument(media = sampleMedia('document'), caption?: string, options?: MessageOptions) {
    return this.#sendFile('document', media, { filename: media.filename ?? 'arquivo', caption }, options)
  }
  sendSticker(media = sampleMedia('sticker'), options?: MessageOptions) {
    return this.#sendFile('sticker', media, { animated: false }, options)
  }
  sendMedia(kind: MediaKind, media: Media, caption?: string) {
    if (kind === 'image') return this.sendImage(media, caption)
    if (kind === 'video') return this.sendVideo(media, caption)
    if (kind === 'sticker') return this.sendSticker(media)
    if (kind === 'document') return this.sendDocument(media, caption)
    return this.sendAudio(media, { voice: kind === 'voice' })
  }
  sendLocation(place: Place, options?: MessageOptions) {
    return this.send('location', place, { place }, options)
  }
  sendPlace(place: Place) {
    return this.sendLocation(place)
  }
  sendContacts(cards: Card[], options?: MessageOptions) {
    const contacts = cards.map(({ name, phone }) => ({
      name: { formatted_name: name, first_name: name.split(' ')[0] },
      phones: [{ phone, wa_id: phone.replace(/\D/g, ''), type: 'CELL' }],
    }))
    return this.send('contacts', contacts, { cards }, options)
  }
  sendCard(card: Card) {
    return this.sendContacts([card])
  }
  replyTo(id: string, text: string) {
    return this.sendText(text, { replyTo: id })
  }

  /** An empty emoji takes the reaction back. */
  react(id: string, emoji: string) {
    const line = findLine(this.transcript, id)
    if (line) line.reactions.customer = emoji || undefined
    return this.#emit('reaction', { message_id: id, ...(emoji && { emoji }) }, undefined, {})
  }
  buttonReply(reply: { id: string; title: string }, options?: MessageOptions) {
    return this.send('interactive', { type: 'button_reply', button_reply: reply }, { text: reply.title }, options)
  }
  listReply(reply: { id: string; title: string; description?: string }, options?: MessageOptions) {
    return this.send('interactive', { type: 'list_reply', list_reply: reply }, { text: reply.title }, options)
  }
  /** The quick-reply button of a template. */
  templateButton(button: { payload: string; text: string }, options?: MessageOptions) {
    return this.send('button', button, { text: button.text }, options)
  }
  flowReply(response: object, options?: MessageOptions) {
    const reply = { name: 'flow', body: 'Sent', response_json: JSON.stringify(response) }
    return this.send('interactive', { type: 'nfm_reply', nfm_reply: reply }, { text: 'Formulário enviado' }, options)
  }
  callPermissionReply(response: 'accept' | 'reject', options?: MessageOptions) {
    const expiration = Math.floor(this.#world.now() / 1000) + 7 * 86_400
    const reply = { response, is_permanent: false, expiration_timestamp: expiration, response_source: 'user_action' }
    return this.send('interactive', { type: 'call_permission_reply', call_permission_reply: reply }, {}, options)
  }
  sendOrder(
    items: { product_retailer_id: string; quantity: number; item_price: number; currency: string }[],
    { text = '', ...options }: MessageOptions & { text?: string } = {},
  ) {
    return this.send('order', { catalog_id: '8800', text, product_items: items }, { text: 'Pedido' }, options)
  }
  requestWelcome() {
    return this.#emit('request_welcome', undefined, undefined, {})
  }
  /** What we cannot be told: polls, edits, pins… */
  /** Meta tells that there was a poll, or a vote, and not what it says. */
  sendPoll(_poll: Poll) {
    return this.unsupported('poll_creation')
  }
  vote(_lineId: string, _options: number[]) {
    return this.unsupported('poll_update')
  }
  unsupported(type = 'poll_creation', code = 131051) {
    const error = {
      code,
      title: 'Message type unknown',
      message: 'Message type unknown',
      error_data: { details: 'Message type is currently not supported.' },
    }
    return this.send('unsupported', { type }, { text: `(${type})` }, { extra: { errors: [error] } })
  }

  /** She moves to another number; her BSUID changes with it. The event carries no `contacts`. */
  async systemNumberChange(newWaId: string): Promise<string> {
    const body = `User ${this.name} changed from ${this.waId} to ${newWaId}`
    const newUserId = this.userId && `BR.${randomInt(1_000_000_000, 9_999_999_999)}`
    const system = { body, type: 'user_changed_number', wa_id: newWaId, ...(newUserId && { user_id: newUserId }) }
    const message = this.#compose('system', system, {})
    const before = this.id
    this.waId = newWaId
    this.userId = newUserId
    this.#world.renamed(this, before)
    await this.#world.emit({ kind: 'message', payload: message })
    return message.id
  }
  /** New phone or reinstalled app: the security code changed. */
  async systemIdentityChange(): Promise<string> {
    const system = { body: `${this.name} changed identity`, type: 'customer_identity_changed', wa_id: this.waId }
    const message = this.#compose('system', system, {})
    await this.#world.emit({ kind: 'message', payload: message })
    return message.id
  }
  stopMarketing() {
    this.hasStoppedMarketing = true
    return this.#preference('stop')
  }
  resumeMarketing() {
    this.hasStoppedMarketing = false
    return this.#preference('resume')
  }

  /** Reads everything the business sent. */
  async read() {
    for (const line of this.inbox) {
      if (line.state === 'failed' || line.isRead) continue
      line.isRead = true
      await this.#world.emitStatus(line, 'read')
    }
  }
  /** Listens to a voice note. */
  async play(id: string) {
    const line = findLine(this.transcript, id)
    if (line) await this.#world.emitStatus(line, 'played')
  }
  /** Touches a button or a row of an interactive or template message. */
  async press(lineId: string, buttonId: string): Promise<string | undefined> {
    const line = findLine(this.transcript, lineId)
    const button = line?.buttons?.find((other) => other.id === buttonId)
    if (!line || !button || button.url) return undefined
    const options = { replyTo: lineId }
    if (line.type === 'template') return this.templateButton({ payload: button.id, text: button.title }, options)
    const answer = this.#answerTo(line, button, options)
    if (answer) return answer
    const reply = { id: button.id, title: button.title }
    const isRow = line.buttons?.some((other) => other.description !== undefined)
    return isRow
      ? this.listReply({ ...reply, description: button.description || undefined }, options)
      : this.buttonReply(reply, options)
  }

  /** What she does when a message asks for one thing: a place, a filled form, an order of one. */
  #answerTo(line: Line, button: Button, options: MessageOptions): Promise<string> | undefined {
    if (button.id === 'place') return this.sendLocation({ latitude: -23.5614, longitude: -46.656 }, options)
    if (button.id === 'flow') {
      const asked = flowSent.safeParse(line.payload).data?.interactive.action.parameters
      return this.flowReply({ screen_0_Nome_0: this.name, screen_0_Quando_1: 'Sábado', ...asked }, options)
    }
    const [, product] = button.id.match(/^product:(.+)$/) ?? []
    if (!product) return undefined
    const item = { product_retailer_id: product, quantity: 1, item_price: 49.9, currency: 'BRL' }
    return this.sendOrder([item], options)
  }

  /** Any message type: `payload` goes under the key `type`, `shown` is what her own phone displays. */
  send(type: string, payload: unknown, shown: Partial<Line>, options: MessageOptions = {}): Promise<string> {
    const line: Line = {
      id: '',
      from: 'customer',
      at: this.#world.now(),
      type,
      ...shown,
      replyTo: options.replyTo,
      reactions: {},
      state: 'sent',
      payload,
    }
    return this.#emit(type, payload, line, options)
  }

  contact() {
    const profile = { name: this.name, ...(this.username && { username: this.username }) }
    return { profile, ...(this.waId && { wa_id: this.waId }), ...(this.userId && { user_id: this.userId }) }
  }

  receive(line: Line) {
    this.transcript.push(line)
    if (this.transcript.length > keptLines * 2) this.transcript.splice(0, keptLines)
    this.hideTyping()
  }

  #sendFile(type: string, media: Media, fields: object, options?: MessageOptions) {
    const stored = this.#world.storeInbound(media)
    const payload = { id: stored.id, mime_type: media.mimeType, sha256: stored.sha256, ...withoutUndefined(fields) }
    const caption = Reflect.get(fields, 'caption')
    const isVoice = Reflect.get(fields, 'voice') === true
    return this.send(type, payload, { media, text: caption, type: isVoice ? 'voice' : type }, options)
  }

  async #emit(type: string, payload: unknown, line: Line | undefined, options: MessageOptions): Promise<string> {
    const message = this.#compose(type, payload, options)
    this.lastInboundAt = this.#world.now()
    if (line) {
      line.id = message.id
      line.payload = message
      this.receive(line)
      this.#world.remember(message.id, this, line)
    }
    const tick = () => {
      if (line?.state === 'sent') line.state = 'delivered'
      this.#world.changed()
    }
    this.#world.changed()
    await this.#world.emit({ kind: 'message', contact: this.contact(), payload: message }, tick)
    return message.id
  }

  #compose(type: string, payload: unknown, options: MessageOptions): { id: string } {
    const message: { id: string } & Record<string, unknown> = {
      id: this.#world.newId(this.waId),
      timestamp: String(Math.floor(this.#world.now() / 1000)),
      type,
    }
    if (this.waId) message.from = this.waId
    if (this.userId) message.from_user_id = this.userId
    if (payload !== undefined) message[type] = payload
    if (options.replyTo) message.context = { from: this.#authorOf(options.replyTo), id: options.replyTo }
    if (options.isForwarded) message.context = { forwarded: true }
    if (options.groupId) message.group_id = options.groupId
    if (options.referral) message.referral = options.referral
    return options.extra ? Object.assign(message, options.extra) : message
  }

  #authorOf(id: string): string | undefined {
    return findLine(this.transcript, id)?.from === 'business' ? this.#world.businessPhone : this.waId
  }

  #preference(value: 'stop' | 'resume') {
    const preference = {
      ...(this.waId && { wa_id: this.waId }),
      ...(this.userId && { user_id: this.userId }),
      detail: `User requested to ${value} marketing messages`,
      category: 'marketing_messages',
      value,
      timestamp: Math.floor(this.#world.now() / 1000),
    }
    const value_ = { messaging_product: 'whatsapp', contacts: [this.contact()], user_preferences: [preference] }
    return this.#world.emit({ kind: 'change', field: 'user_preferences', value: value_ })
  }
}

const flowSent = z.object({
  interactive: z.object({ action: z.object({ parameters: z.object({ flow_token: z.string() }) }) }),
})

const withoutUndefined = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
