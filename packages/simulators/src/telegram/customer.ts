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
import { sampleMedia } from '../samples.ts'
import { findLine } from '../simulator.ts'
import type { FileKind, FileStore } from './files.ts'

export type TelegramProfile = {
  id?: number
  firstName?: string
  lastName?: string
  username?: string
  languageCode?: string
  phone?: string
}

/** Telegram's raw message, as far as the simulator itself reads it. */
export type RawMessage = Record<string, unknown> & {
  message_id: number
  date: number
  chat: { id: number; type: string }
}

export type Chat = {
  id: number
  type: 'private' | 'group' | 'supergroup' | 'channel'
  title?: string
  members: TelegramCustomer[]
  lastMessageId: number
  messages: Map<number, { raw: RawMessage; line: Line; isOurs: boolean }>
  migratedTo?: number
  /** Of a forum: names by the message that began each. */
  topics?: Map<number, string>
  hasRemovedBot?: boolean
  /** What the bot is there; not given: an administrator. */
  ours?: 'admin' | 'member'
  description?: string
  isAdminsOnly?: boolean
  hasPhoto?: boolean
  admins?: Set<number>
}

export type TelegramMessageOptions = {
  /** A group instead of the private chat. */
  chat?: Chat
  replyTo?: string
  quote?: string
  isForwarded?: boolean
  extra?: object
}

export type TelegramWorld = {
  now(): number
  files: FileStore
  privateChat(customer: TelegramCustomer): Chat
  emit(kind: string, body: object, onAccepted?: () => void): Promise<number>
  newMessage(chat: Chat, from: object, content: object): RawMessage
  botUser(): object
  changed(): void
}

const typingLastsMs = 5_000
const keptLines = 2_000

/** A person with Telegram. Every send returns `message_id` as text once the webhook was posted the first time. */
export class TelegramCustomer implements HandsetCustomer {
  readonly userId: number
  readonly firstName: string
  readonly lastName: string | undefined
  readonly username: string | undefined
  readonly languageCode: string
  phone: string
  autoRead = false
  hasStarted = false
  hasBlocked = false
  readonly transcript: Line[] = []
  readonly #world: TelegramWorld
  #typingUntil = 0

  constructor(world: TelegramWorld, profile: TelegramProfile) {
    this.#world = world
    this.userId = profile.id ?? 5_000_000_000 + randomInt(2_000_000_000)
    this.firstName = profile.firstName ?? `Cliente ${String(this.userId).slice(-4)}`
    this.lastName = profile.lastName
    this.username = profile.username
    this.languageCode = profile.languageCode ?? 'pt-br'
    this.phone = profile.phone ?? `+55119${randomInt(10_000_000, 99_999_999)}`
  }

  get id(): string {
    return String(this.userId)
  }
  get name(): string {
    return this.lastName ? `${this.firstName} ${this.lastName}` : this.firstName
  }
  get handle(): string {
    return this.username ? `@${this.username}` : this.id
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
  user() {
    return {
      id: this.userId,
      is_bot: false,
      first_name: this.firstName,
      ...(this.lastName && { last_name: this.lastName }),
      ...(this.username && { username: this.username }),
      language_code: this.languageCode,
    }
  }

  /** Presses Start, with the payload of a deep link. */
  start(payload?: string) {
    return this.sendText(payload ? `/start ${payload}` : '/start')
  }
  sendText(text: string, options?: TelegramMessageOptions) {
    const command = /^\/\w+/.exec(text)
    const entities = command ? { entities: [{ type: 'bot_command', offset: 0, length: command[0].length }] } : {}
    return this.send({ text, ...entities }, { type: 'text', text }, options)
  }
  sendPhoto(media = sampleMedia('image'), caption?: string, options?: TelegramMessageOptions) {
    return this.#sendFile('image', media, caption, options)
  }
  sendVideo(media = sampleMedia('video'), caption?: string, options?: TelegramMessageOptions) {
    return this.#sendFile('video', media, caption, options)
  }
  sendVideoNote(media = sampleMedia('video'), options?: TelegramMessageOptions) {
    return this.#sendFile('video_note', media, undefined, options)
  }
  sendVoice(media = sampleMedia('voice'), options?: TelegramMessageOptions) {
    return this.#sendFile('voice', media, undefined, options)
  }
  sendAudio(media = sampleMedia('audio'), caption?: string, options?: TelegramMessageOptions) {
    return this.#sendFile('audio', media, caption, options)
  }
  sendDocument(media = sampleMedia('document'), caption?: string, options?: TelegramMessageOptions) {
    return this.#sendFile('document', media, caption, options)
  }
  sendSticker(media = sampleMedia('sticker'), options?: TelegramMessageOptions) {
    return this.#sendFile('sticker', media, undefined, options)
  }
  sendMedia(kind: MediaKind, media: Media, caption?: string) {
    return this.#sendFile(kind, media, caption)
  }
  /** Several pictures: as many messages as files, tied by `media_group_id`. */
  sendAlbum(files: Media[], caption?: string): Promise<string[]> {
    const mediaGroupId = String(13_000_000_000_000_000n + BigInt(randomInt(1_000_000_000)))
    const extra = { media_group_id: mediaGroupId }
    return Promise.all(
      files.map((media, index) => this.#sendFile('image', media, index === 0 ? caption : undefined, { extra })),
    )
  }
  sendLocation(place: Place, options?: TelegramMessageOptions) {
    const location = { latitude: place.latitude, longitude: place.longitude }
    const venue = place.name ? { venue: { location, title: place.name, address: place.address ?? '' } } : {}
    return this.send({ location, ...venue }, { type: 'location', place }, options)
  }
  sendPlace(place: Place) {
    return this.sendLocation(place)
  }
  sendContact(card: Card & { userId?: number }, options?: TelegramMessageOptions) {
    const [first_name = '', ...rest] = card.name.split(' ')
    const contact = {
      phone_number: card.phone,
      first_name,
      ...(rest.length > 0 && { last_name: rest.join(' ') }),
      ...(card.userId && { user_id: card.userId }),
    }
    return this.send({ contact }, { type: 'contact', cards: [card] }, options)
  }
  sendCard(card: Card) {
    return this.sendContact(card)
  }
  sendPoll(poll: Poll, options?: TelegramMessageOptions) {
    return this.send({ poll: { ...pollOf(poll), is_anonymous: false } }, shownPoll(poll), options)
  }
  /** The bot hears of votes in polls of its own alone, and of none that are anonymous. */
  async vote(id: string, options: number[]) {
    const line = findLine(this.transcript, id)
    noteVote(line, this.id, options)
    this.#world.changed()
    const { poll }: { poll?: { id: string; is_anonymous: boolean } } = Object(line?.payload)
    if (line?.from !== 'business' || !poll || poll.is_anonymous) return undefined
    return this.#world.emit('poll_answer', { poll_id: poll.id, user: this.user(), option_ids: options })
  }
  /** Answers a `request_contact` button: the only way a bot learns a phone. */
  sharePhone() {
    return this.sendContact({ name: this.name, phone: this.phone, userId: this.userId })
  }
  replyTo(id: string, text: string) {
    return this.sendText(text, { replyTo: id })
  }

  /** Returns the update id; only told when `allowed_updates` names message_reaction. An empty emoji takes it back. */
  react(id: string, emoji: string) {
    const line = findLine(this.transcript, id)
    const before = line?.reactions.customer
    if (line) line.reactions.customer = emoji || undefined
    const listed = (one: string | undefined) => (one ? [{ type: 'emoji', emoji: one }] : [])
    this.#world.changed()
    return this.#world.emit('message_reaction', {
      chat: this.#chatObject(),
      message_id: Number(id),
      user: this.user(),
      date: this.#seconds(),
      old_reaction: listed(before),
      new_reaction: listed(emoji),
    })
  }
  async editText(id: string, text: string): Promise<number> {
    const known = this.#world.privateChat(this).messages.get(Number(id))
    if (!known) throw new Error(`no message ${id} to edit`)
    const field = 'caption' in known.raw ? 'caption' : 'text'
    Object.assign(known.raw, { [field]: text, edit_date: this.#seconds() })
    Object.assign(known.line, { text, isEdited: true })
    this.#world.changed()
    return this.#world.emit('edited_message', known.raw)
  }
  /** Touches a button: inline ones give a callback query, keyboard ones a text or the phone. Returns the update or message id. */
  async press(lineId: string, buttonId: string): Promise<string | number | undefined> {
    const line = findLine(this.transcript, lineId)
    const button = line?.buttons?.find((other) => other.id === buttonId)
    if (!line || !button || button.url) return undefined
    if (buttonId.startsWith('keyboard:')) return this.sendText(button.title)
    if (buttonId.startsWith('contact:')) return this.sharePhone()
    const known = this.#world.privateChat(this).messages.get(Number(lineId))
    return this.callback(buttonId, known?.raw)
  }
  callback(data: string, message?: RawMessage): Promise<number> {
    const id = String(4_000_000_000_000_000_000n + BigInt(randomInt(2_000_000_000)))
    return this.#world.emit('callback_query', { id, from: this.user(), message, chat_instance: '-42', data })
  }
  block() {
    return this.#membership('member', 'kicked')
  }
  unblock() {
    return this.#membership('kicked', 'member')
  }
  /** Telegram tells bots nothing of this; only the phone shows it. */
  async read() {
    for (const line of this.inbox) {
      line.isRead = true
      if (line.state !== 'failed') line.state = 'read'
    }
    this.#world.changed()
  }

  /** Any message: `content` is merged into Telegram's message, `shown` is what her phone displays. */
  async send(
    content: object,
    shown: Pick<Line, 'type'> & Partial<Line>,
    options: TelegramMessageOptions = {},
  ): Promise<string> {
    this.hasStarted = true
    const chat = options.chat ?? this.#world.privateChat(this)
    const replied = options.replyTo ? chat.messages.get(Number(options.replyTo)) : undefined
    const raw = this.#world.newMessage(chat, this.user(), {
      ...(replied && { reply_to_message: withoutReply(replied.raw) }),
      ...(options.quote && { quote: { text: options.quote, position: 0, is_manual: true } }),
      ...(options.isForwarded && {
        forward_origin: { type: 'hidden_user', sender_user_name: 'Outra pessoa', date: this.#seconds() },
      }),
      ...content,
      ...options.extra,
    })
    const line: Line = {
      id: String(raw.message_id),
      from: 'customer',
      at: this.#world.now(),
      ...shown,
      replyTo: options.replyTo,
      reactions: {},
      state: 'sent',
      payload: raw,
    }
    chat.messages.set(raw.message_id, { raw, line, isOurs: false })
    this.receive(line)
    this.#world.changed()
    await this.#world.emit('message', raw, () => {
      line.state = 'read'
      this.#world.changed()
    })
    return line.id
  }

  receive(line: Line) {
    this.transcript.push(line)
    if (this.transcript.length > keptLines * 2) this.transcript.splice(0, keptLines)
    this.hideTyping()
  }

  #sendFile(kind: FileKind, media: Media, caption?: string, options?: TelegramMessageOptions) {
    const content = this.#world.files.describe(kind, this.#world.files.add(kind, media))
    return this.send({ ...content, ...(caption && { caption }) }, { type: kind, media, text: caption }, options)
  }

  #membership(before: string, after: string): Promise<number> {
    this.hasBlocked = after === 'kicked'
    const user = this.#world.botUser()
    const member = (status: string) => ({ user, status, ...(status === 'kicked' && { until_date: 0 }) })
    this.#world.changed()
    return this.#world.emit('my_chat_member', {
      chat: this.#chatObject(),
      from: this.user(),
      date: this.#seconds(),
      old_chat_member: member(before),
      new_chat_member: member(after),
    })
  }

  #chatObject() {
    const { id, first_name, username } = { username: undefined, ...this.user() }
    return { id, type: 'private', first_name, ...(username && { username }) }
  }
  #seconds() {
    return Math.floor(this.#world.now() / 1000)
  }
}

const withoutReply = ({ reply_to_message: _, ...raw }: RawMessage) => raw

/** A poll as Telegram writes it. */
export const pollOf = ({ question, options, isMultiple }: Poll) => ({
  id: String(5_100_000_000_000_000_000n + BigInt(randomInt(1_000_000_000))),
  question,
  options: options.map((text) => ({ text, voter_count: 0 })),
  total_voter_count: 0,
  is_closed: false,
  is_anonymous: true,
  type: 'regular',
  allows_multiple_answers: isMultiple,
})
