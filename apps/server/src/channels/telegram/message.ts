import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { Content, Mention, Sender, Speaker } from '../adapter.ts'
import { cardOf, placeOf, pollOf } from '../content.ts'

const text = z.string()
/** What is not as the provider documents it is left out; the rest of the message still arrives. */
/** Unix seconds. */
const seconds = z.int().min(0).max(99_999_999_999)
const file = z.object({
  file_id: text,
  file_size: loose(z.number()),
  file_name: loose(text),
  mime_type: loose(text),
})
type TgFile = z.output<typeof file>

export const chat = z.object({
  id: z.int(),
  type: text,
  title: loose(text),
  username: loose(text),
  first_name: loose(text),
  last_name: loose(text),
})
export type TgChat = z.output<typeof chat>
export const person = z.object({ id: z.int(), first_name: loose(text), last_name: loose(text) })
export type TgPerson = z.output<typeof person>

const entities = loose(
  z.array(z.object({ type: text, offset: z.int().min(0), length: z.int().min(0), user: loose(person) })),
)

const topic = loose(z.object({ name: text }))
/** Of a message in a topic of a forum; other groups number their threads of answers so, too. */
export const inTopic = { message_thread_id: loose(z.int()), is_topic_message: loose(z.boolean()) }
export const tgMessage = z.object({
  ...inTopic,
  message_id: z.int(),
  date: seconds,
  edit_date: loose(seconds),
  chat,
  from: loose(person),
  sender_chat: loose(chat),
  text: loose(text),
  entities,
  caption: loose(text),
  caption_entities: entities,
  photo: loose(z.array(file.extend({ width: z.number() }))),
  voice: loose(file),
  audio: loose(file),
  video: loose(file),
  video_note: loose(file),
  animation: loose(file),
  document: loose(file),
  sticker: loose(file.extend({ emoji: loose(text) })),
  location: loose(z.object({ latitude: z.number(), longitude: z.number() })),
  venue: loose(z.object({ title: loose(text), address: loose(text) })),
  contact: loose(z.object({ phone_number: text, first_name: text, last_name: loose(text), user_id: loose(z.int()) })),
  poll: loose(
    z.object({
      question: text,
      options: z.array(z.object({ text })),
      allows_multiple_answers: loose(z.boolean()),
    }),
  ),
  dice: loose(z.object({ emoji: text, value: z.number() })),
  reply_to_message: loose(z.object({ message_id: z.int(), forum_topic_created: topic })),
  forum_topic_created: topic,
  forum_topic_edited: topic,
  media_group_id: loose(text),
  forward_origin: z.unknown().optional(),
  new_chat_members: loose(z.array(person)),
  left_chat_member: loose(person),
  new_chat_title: loose(text),
  new_chat_photo: loose(z.array(z.unknown())),
  migrate_to_chat_id: loose(z.int()),
  migrate_from_chat_id: loose(z.int()),
})
export type TgMessage = z.output<typeof tgMessage>

const fullName = (one: { first_name?: string; last_name?: string } | undefined) =>
  [one?.first_name, one?.last_name].filter(Boolean).join(' ')

/** A topic of a forum, by the message that began it. */
export type Topic = { id: number; name: string | undefined }
export const topicOf = (one: {
  message_thread_id?: number
  is_topic_message?: boolean
  reply_to_message?: { forum_topic_created?: { name: string } }
  forum_topic_created?: { name: string }
  forum_topic_edited?: { name: string }
}): Topic | undefined => {
  if (!one.is_topic_message || one.message_thread_id === undefined) return undefined
  const { name } = one.forum_topic_created ?? one.forum_topic_edited ?? one.reply_to_message?.forum_topic_created ?? {}
  return { id: one.message_thread_id, name }
}

/** In private chats the chat is the person; a group, and each topic of a forum, is one contact of its own. */
export const senderOf = (where: TgChat, from: TgPerson | undefined, topic?: Topic): Sender => {
  const isGroup = isGroupChat(where)
  const name = isGroup ? where.title : fullName(from) || fullName(where)
  if (topic)
    return { identities: [placeOfTopic(where.id, topic)], name: `${name} › ${topic.name ?? topic.id}`, isGroup }
  return { identities: [{ kind: 'telegram', value: String(where.id) }], name: name || where.username, isGroup }
}
const placeOfTopic = (chatId: number, { id }: Topic) => ({ kind: 'telegram' as const, value: `${chatId}/${id}` })

/**
 * Whose words they are, where several may speak. Who speaks as a chat has one and the same bot in their place
 * everywhere: a channel is itself, an administrator who writes as the group is nobody we know.
 */
export const speakerOf = (where: TgChat, from: TgPerson | undefined, as?: TgChat): Speaker | undefined => {
  if (!isGroupChat(where) || as?.id === where.id) return undefined
  const [who, name] = as ? [as, as.title] : [from, fullName(from)]
  return who && { identities: [{ kind: 'telegram', value: String(who.id) }], name: name || undefined }
}

const isGroupChat = ({ type }: TgChat) => type !== 'private'

/** What a message says, and whom it calls; undefined for what we do not know, and for the notices of a group. */
export const contentOf = (one: TgMessage): Content | undefined => {
  const content = saidIn(one)
  if (!content) return undefined
  const mentions = isGroupChat(one.chat) ? mentionsIn(one) : []
  const album = one.media_group_id
  return {
    ...content,
    ...(mentions.length && { mentions }),
    ...(album && { album }),
    ...(one.forward_origin !== undefined && { isForwarded: true }),
  }
}

/** The text names them already; whoever has no user name is told beside it. */
const mentionsIn = ({ text: words, entities: inText, caption = '', caption_entities: inCaption }: TgMessage) =>
  ((words === undefined ? inCaption : inText) ?? []).flatMap(({ type, offset, length, user }): Mention[] => {
    if (type !== 'mention' && type !== 'text_mention') return []
    const identities = user ? [{ kind: 'telegram' as const, value: String(user.id) }] : []
    return [{ text: (words ?? caption).slice(offset, offset + length), identities }]
  })

const saidIn = (one: TgMessage): Content | undefined => {
  if (one.text !== undefined) return begunIn(one) ?? { type: 'text', body: one.text }
  const body = one.caption ?? ''
  const photo = one.photo?.toSorted((a, b) => a.width - b.width).at(-1)
  if (photo) return { type: 'image', body, media: mediaOf(photo, { mime: 'image/jpeg', name: 'foto.jpg' }) }
  if (one.voice) return { type: 'audio', body, media: mediaOf(one.voice, { name: 'audio.ogg', isVoice: true }) }
  if (one.audio) return { type: 'audio', body, media: mediaOf(one.audio) }
  const video = one.video ?? one.video_note ?? one.animation
  if (video) return { type: 'video', body, media: mediaOf(video, { name: video.file_name ?? 'video.mp4' }) }
  if (one.sticker) return { type: 'sticker', body: one.sticker.emoji ?? '', media: mediaOf(one.sticker) }
  if (one.document) return { type: 'document', body, media: mediaOf(one.document) }
  if (one.location) {
    const location = placeOf({ ...one.location, name: one.venue?.title, address: one.venue?.address })
    return location && { type: 'location', body: '', location }
  }
  if (one.contact) {
    const card = cardOf({ name: fullName(one.contact), phones: [one.contact.phone_number] })
    return { type: 'contact', body: '', contacts: [card] }
  }
  if (one.poll) {
    const { question, options, allows_multiple_answers: isOfSeveral } = one.poll
    return pollOf(
      question,
      options.map((option) => option.text),
      isOfSeveral ? 0 : 1,
    )
  }
  return one.dice && { type: 'text', body: `${one.dice.emoji} ${one.dice.value}` }
}

/** The button with which every conversation with a bot begins; a link of ours (`t.me/bot?start=…`) says which it was. */
const begunIn = ({ chat: where, text: words = '' }: TgMessage): Content | undefined => {
  const [whole, link] = /^\/start(?: (\S+))?$/.exec(words) ?? []
  if (whole === undefined || isGroupChat(where)) return undefined
  return { type: 'text', body: link ? `Iniciou a conversa pelo link “${link}”` : 'Iniciou a conversa', choice: whole }
}

const mediaOf = (part: TgFile, more: { mime?: string; name?: string; isVoice?: boolean } = {}) => ({
  source: { fileId: part.file_id },
  size: part.file_size,
  mime: more.mime ?? part.mime_type,
  name: more.name ?? part.file_name,
  isVoice: more.isVoice,
})
