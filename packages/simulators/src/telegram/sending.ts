import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { type Button, type Line, type Media, shownPoll, type TextEntity } from '../handset.ts'
import type { RecordedRequest } from '../simulator.ts'
import type { Chats } from './chats.ts'
import { type Chat, pollOf, type RawMessage } from './customer.ts'
import { TelegramError, tooManyRequests } from './errors.ts'
import type { FileKind } from './files.ts'
import { albumItem, entityList, flag, parse, type Send, send, sendCaption } from './params.ts'
import type { Method, Methods, State } from './state.ts'
import { parseFormatted } from './text.ts'

export type Sending = ReturnType<typeof createSending>

/** What the bot says: checked, put into its chat, shown on the phones there. */
export const createSending = (state: State, chats: Chats) => {
  const { core } = state
  let sentAt: number[] = []
  const lastInChat = new Map<number, number>()

  const checkRates = (chat: Chat) => {
    const now = core.now()
    sentAt = sentAt.filter((at) => at > now - 1_000)
    if (state.limits.perSecond > 0 && sentAt.length >= state.limits.perSecond) throw tooManyRequests(1)
    const waitMs = (lastInChat.get(chat.id) ?? Number.NEGATIVE_INFINITY) + state.limits.perChatMs - now
    if (state.limits.perChatMs > 0 && waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / 1000))
    if (state.limits.perSecond > 0) sentAt.push(now)
    lastInChat.set(chat.id, now)
  }

  const say = (p: Send, content: object, shown: Pick<Line, 'type'> & Partial<Line>): RawMessage => {
    const chat = chats.reach(p.chat_id)
    checkRates(chat)
    const { message_thread_id: thread } = p
    if (thread !== undefined && !chat.topics?.has(thread))
      throw new TelegramError(400, 'Bad Request: message thread not found')
    const replied = p.reply_parameters ? chat.messages.get(p.reply_parameters.message_id) : undefined
    if (p.reply_parameters && !replied && !p.reply_parameters.allow_sending_without_reply) {
      throw new TelegramError(400, 'Bad Request: message to be replied not found')
    }
    const repliedRaw = replied && { ...replied.raw, reply_to_message: undefined }
    const raw = chats.newMessage(chat, state.bot, {
      ...(thread !== undefined && { message_thread_id: thread, is_topic_message: true }),
      ...(replied && { reply_to_message: repliedRaw }),
      ...content,
      ...(p.reply_markup?.inline_keyboard && { reply_markup: p.reply_markup }),
    })
    const line: Line = {
      id: String(raw.message_id),
      from: 'business',
      at: core.now(),
      ...shown,
      buttons: buttonsOf(p.reply_markup),
      replyTo: replied?.line.id,
      reactions: {},
      state: 'delivered',
      payload: raw,
    }
    chat.messages.set(raw.message_id, { raw, line, isOurs: true })
    for (const member of chat.members) {
      member.receive(line)
      if (member.autoRead) void member.read()
    }
    core.changed()
    return raw
  }

  const fileOf = async (
    value: string | undefined,
    field: string,
    uploads: RecordedRequest['files'],
    kind: FileKind,
  ) => {
    const uploaded = value?.startsWith('attach://') ? uploads[value.slice(9)] : uploads[field]
    if (uploaded) return state.files.add(kind, checkSize(kind, uploaded))
    if (!value) throw new TelegramError(400, `Bad Request: there is no ${field} in the request`)
    if (/^https?:/.test(value)) return state.files.add(kind, checkSize(kind, await download(value, core.closing)))
    const known = state.files.find(value)
    if (!known) throw new TelegramError(400, 'Bad Request: wrong file identifier/HTTP URL specified')
    return known
  }

  const captionOf = (p: { caption?: string; parse_mode?: string; caption_entities?: TextEntity[] }) => {
    if (p.caption === undefined) return { content: {}, shown: {} }
    const { text, entities } = p.caption_entities
      ? { text: p.caption, entities: p.caption_entities }
      : parseFormatted(p.caption, p.parse_mode)
    if (text.length > 1024) throw new TelegramError(400, 'Bad Request: message caption is too long')
    return {
      content: { caption: text, ...(entities.length > 0 && { caption_entities: entities }) },
      shown: { text, entities },
    }
  }

  const sendFile =
    (kind: FileKind, field: string): Method =>
    async (params, uploads) => {
      const p = parse(sendCaption, params)
      chats.reach(p.chat_id)
      const value = params[field]
      const file = await fileOf(typeof value === 'string' ? value : undefined, field, uploads, kind)
      const caption = captionOf(p)
      const content = { ...state.files.describe(kind, file), ...caption.content }
      return say(p, content, { type: kind, media: file, ...caption.shown })
    }

  const textOf = (p: { text: string; parse_mode?: string; entities?: TextEntity[] }) => {
    const formatted = p.entities ? { text: p.text, entities: p.entities } : parseFormatted(p.text, p.parse_mode)
    if (formatted.text.trim() === '') throw new TelegramError(400, 'Bad Request: message text is empty')
    if (formatted.text.length > 4096) throw new TelegramError(400, 'Bad Request: message is too long')
    return formatted
  }

  const methods: Methods = {
    sendmessage: (params) => {
      const p = parse(
        send.extend({ text: z.string().default(''), parse_mode: z.string().optional(), entities: entityList }),
        params,
      )
      const { text, entities } = textOf(p)
      return say(p, { text, ...(entities.length > 0 && { entities }) }, { type: 'text', text, entities })
    },
    sendphoto: sendFile('image', 'photo'),
    sendvideo: sendFile('video', 'video'),
    sendaudio: sendFile('audio', 'audio'),
    sendvoice: sendFile('voice', 'voice'),
    senddocument: sendFile('document', 'document'),
    sendsticker: sendFile('sticker', 'sticker'),
    sendvideonote: sendFile('video_note', 'video_note'),
    sendmediagroup: async (params, uploads) => {
      const p = parse(send.extend({ media: z.array(albumItem) }), params)
      if (p.media.length < 2 || p.media.length > 10) {
        throw new TelegramError(400, 'Bad Request: wrong number of media: an album takes 2 to 10')
      }
      const kinds = new Set(p.media.map(({ type }) => type))
      if (kinds.size > 1 && (kinds.has('document') || kinds.has('audio')))
        throw new TelegramError(400, "Bad Request: document and audio can't be mixed with other media types")
      chats.reach(p.chat_id)
      const mediaGroupId = String(13_000_000_000_000_000n + BigInt(randomInt(1_000_000_000)))
      const found = await Promise.all(
        p.media.map(async (item) => {
          const kind: FileKind = item.type === 'photo' ? 'image' : item.type
          return { kind, file: await fileOf(item.media, 'media', uploads, kind), caption: captionOf(item) }
        }),
      )
      return found.map(({ kind, file, caption }, index) => {
        const content = { media_group_id: mediaGroupId, ...state.files.describe(kind, file), ...caption.content }
        if (index > 0) lastInChat.delete(Number(p.chat_id))
        return say(p, content, { type: kind, media: file, ...caption.shown })
      })
    },
    sendlocation: (params) => {
      const p = parse(send.extend({ latitude: z.coerce.number(), longitude: z.coerce.number() }), params)
      const location = { latitude: p.latitude, longitude: p.longitude }
      return say(p, { location }, { type: 'location', place: location })
    },
    sendvenue: (params) => {
      const shape = {
        latitude: z.coerce.number(),
        longitude: z.coerce.number(),
        title: z.string(),
        address: z.string(),
      }
      const p = parse(send.extend(shape), params)
      const location = { latitude: p.latitude, longitude: p.longitude }
      const venue = { location, title: p.title, address: p.address }
      return say(
        p,
        { location, venue },
        { type: 'location', place: { ...location, name: p.title, address: p.address } },
      )
    },
    sendpoll: (params) => {
      const shape = {
        question: z.string().min(1).max(300),
        options: z
          .array(z.object({ text: z.string().min(1).max(100) }))
          .min(2)
          .max(12),
        is_anonymous: flag,
        allows_multiple_answers: flag,
      }
      const {
        question,
        options,
        is_anonymous = true,
        allows_multiple_answers = false,
        ...p
      } = parse(send.extend(shape), params)
      const poll = { question, options: options.map(({ text }) => text), isMultiple: allows_multiple_answers }
      return say(p, { poll: { ...pollOf(poll), is_anonymous } }, shownPoll(poll))
    },
    sendcontact: (params) => {
      const shape = {
        phone_number: z.string(),
        first_name: z.string(),
        last_name: z.string().optional(),
        vcard: z.string().optional(),
      }
      const { phone_number, first_name, last_name, vcard, ...p } = parse(send.extend(shape), params)
      const name = last_name ? `${first_name} ${last_name}` : first_name
      const contact = { phone_number, first_name, last_name, vcard }
      return say(p, { contact }, { type: 'contact', cards: [{ name, phone: phone_number }] })
    },
  }

  return { methods, say, textOf, captionOf }
}

const checkSize = (kind: FileKind, media: Media): Media => {
  const limit = kind === 'image' ? 10 : 50
  if (media.bytes.length > limit * 1024 * 1024) throw new TelegramError(413, 'Request Entity Too Large')
  if (media.bytes.length === 0) throw new TelegramError(400, 'Bad Request: file must be non-empty')
  return { bytes: media.bytes, mimeType: media.mimeType, filename: media.filename }
}

const download = async (url: string, closing: AbortSignal): Promise<Media> => {
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([closing, AbortSignal.timeout(10_000)]) })
    if (!answer.ok) throw new Error(String(answer.status))
    const mimeType = answer.headers.get('content-type') ?? 'application/octet-stream'
    return {
      bytes: Buffer.from(await answer.arrayBuffer()),
      mimeType,
      filename: new URL(url).pathname.split('/').at(-1),
    }
  } catch {
    throw new TelegramError(400, 'Bad Request: failed to get HTTP URL content')
  }
}

export const buttonsOf = (markup: Send['reply_markup']): Button[] | undefined => {
  const inline = markup?.inline_keyboard
    ?.flat()
    .map(({ text, callback_data, url }) => ({ id: callback_data ?? url ?? text, title: text, url }))
  const keyboard = markup?.keyboard?.flat().map(({ text, request_contact }) => ({
    id: `${request_contact ? 'contact' : 'keyboard'}:${text}`,
    title: text,
  }))
  return inline ?? keyboard
}
