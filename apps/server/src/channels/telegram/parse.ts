import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { z } from 'zod'
import type { InboundEvent, JournalPiece } from '../adapter.ts'
import { fingerprint } from '../fingerprint.ts'
import {
  chat,
  contentOf,
  inTopic,
  person,
  senderOf,
  speakerOf,
  type TgMessage,
  type TgPerson,
  tgMessage,
  topicOf,
} from './message.ts'

const text = z.string()
const button = z.object({ text, callback_data: text.optional() })
const keyboard = z.object({ inline_keyboard: z.array(z.array(button)) })
const pressed = z.object({
  id: text,
  from: person,
  data: text.optional(),
  message: z.object({
    ...inTopic,
    message_id: z.int(),
    chat,
    reply_markup: keyboard.optional().catch(undefined),
  }),
})
const reacted = z.object({
  chat,
  message_id: z.int(),
  date: z.int(),
  user: person.optional(),
  new_reaction: z.array(z.object({ type: text, emoji: text.optional() })),
})
const voted = z.object({
  poll_id: text,
  user: person.optional(),
  voter_chat: chat.optional(),
  option_ids: z.array(z.int()),
})
const membership = z.object({ chat, date: z.int(), new_chat_member: z.object({ status: text }) })

/**
 * The kinds of update we ask for. Channel posts and business messages are not
 * conversations a bot can answer; whoever sends them anyway finds them in the journal.
 */
const update = z.union([
  z.object({ message: tgMessage }),
  z.object({ edited_message: tgMessage }),
  z.object({ callback_query: pressed }),
  z.object({ message_reaction: reacted }),
  z.object({ poll_answer: voted }),
  z.object({ my_chat_member: membership }),
])
export const allowedUpdates = [
  'message',
  'edited_message',
  'callback_query',
  'message_reaction',
  'poll_answer',
  'my_chat_member',
]

/** `chat:message`: message ids are unique only inside their chat. */
export const providerIdOf = (chatId: number, messageId: number) => `${chatId}:${messageId}`

export const split = (body: unknown): JournalPiece[] => {
  const { data } = z.object({ update_id: z.int() }).safeParse(body)
  const key = data ? `update:${data.update_id}` : `unknown:${fingerprint(body)}`
  return [{ key, payload: body, conversation: chatOf(body)?.toString() ?? pollOf(body) }]
}

/** Whatever the update tells of a chat. */
const chatOf = (body: unknown): number | undefined => {
  const { data } = z.record(text, z.unknown()).safeParse(body)
  for (const part of Object.values(data ?? {})) {
    const told = inChat.safeParse(part).data
    if (told) return 'chat' in told ? told.chat.id : told.message.chat.id
  }
  return undefined
}
/** Of a vote no chat is told: those of one poll are in order among themselves. */
const pollOf = (body: unknown): string | undefined => {
  const { data } = z.object({ poll_answer: voted }).safeParse(body)
  return data && `poll:${data.poll_answer.poll_id}`
}
const someChat = z.object({ chat: z.object({ id: z.int() }) })
const inChat = z.union([someChat, z.object({ message: someChat })])

export const parse = (payload: unknown): InboundEvent[] => {
  const { data } = update.safeParse(payload)
  if (!data) return []
  if ('message' in data) return messageEvents(data.message)
  if ('edited_message' in data) return editEvents(data.edited_message)
  if ('callback_query' in data) return buttonEvents(data.callback_query)
  if ('poll_answer' in data) return [voteOf(data.poll_answer)]
  return 'message_reaction' in data ? reactionEvents(data.message_reaction) : memberEvents(data.my_chat_member)
}

/** The id of a pressed button's query, whose customer watches a spinner until it is answered. */
export const callbackIdOf = (payload: unknown): string | undefined =>
  withQuery.safeParse(payload).data?.callback_query.id
const withQuery = z.object({ callback_query: z.object({ id: text }) })

const messageEvents = (one: TgMessage): InboundEvent[] => {
  const { chat: where, from, contact } = one
  if (one.migrate_to_chat_id !== undefined) return [moved(where.id, one.migrate_to_chat_id)]
  if (one.migrate_from_chat_id !== undefined) return [moved(one.migrate_from_chat_id, where.id)]
  const change = changeOf(one)
  if (change) return [change]
  const content = contentOf(one)
  if (!content || where.type === 'channel') return []
  const message: InboundEvent = {
    kind: 'message',
    providerId: providerIdOf(where.id, one.message_id),
    from: senderOf(where, from, topicOf(one)),
    fromMe: false,
    timestamp: new Date(one.date * 1_000),
    author: speakerOf(where, from, one.sender_chat),
    content,
    quotedProviderId: quotedBy(one),
  }
  // Their own card, by the "share my phone" button: the one way to learn a phone here.
  const isOwnCard = where.type === 'private' && contact?.user_id !== undefined && contact.user_id === from?.id
  if (!isOwnCard) return [message]
  const phone: Identity = { kind: 'phone', value: contact.phone_number.replace(/\D/g, '') }
  return [message, { kind: 'identity', from: telegramId(where.id), to: phone }]
}

/** In a topic everything answers the message that began it, which quotes nothing. */
const quotedBy = ({ chat: where, reply_to_message: quoted }: TgMessage): string | undefined =>
  quoted && !quoted.forum_topic_created ? providerIdOf(where.id, quoted.message_id) : undefined

/** Who votes as a chat, of which an administrator may be, is that chat. It has no time. */
const voteOf = ({ poll_id, user, voter_chat, option_ids }: z.output<typeof voted>): InboundEvent => {
  const group = { id: 0, type: 'group' } as const
  return {
    kind: 'vote',
    poll: { key: poll_id },
    voter: speakerOf(group, user, voter_chat),
    fromMe: false,
    chosen: option_ids,
  }
}

/** What a group tells of itself. */
const changeOf = (one: TgMessage): InboundEvent | undefined => {
  const { chat: where, new_chat_members, left_chat_member, new_chat_title, new_chat_photo } = one
  const told = {
    kind: 'group',
    providerId: providerIdOf(where.id, one.message_id),
    group: senderOf(where, undefined, topicOf(one)),
    at: new Date(one.date * 1_000),
  } as const
  const known = (people: TgPerson[]) => people.flatMap((who) => speakerOf(where, who) ?? [])
  if (new_chat_members) return { ...told, change: 'joined', members: known(new_chat_members) }
  if (left_chat_member) {
    const removal = one.from && one.from.id !== left_chat_member.id ? { isRemoval: true } : {}
    return { ...told, change: 'left', members: known([left_chat_member]), ...removal }
  }
  const topic = one.forum_topic_created ?? one.forum_topic_edited
  if (topic && told.group.name) return { ...told, change: 'subject', subject: told.group.name, members: [] }
  if (new_chat_title) return { ...told, change: 'subject', subject: new_chat_title, members: [] }
  return new_chat_photo && { ...told, change: 'picture', members: [] }
}

const editEvents = (one: TgMessage): InboundEvent[] => [
  {
    kind: 'edit',
    providerId: providerIdOf(one.chat.id, one.message_id),
    body: one.text ?? one.caption ?? '',
    at: new Date((one.edit_date ?? one.date) * 1_000),
  },
]

const buttonEvents = ({ id, from, data, message }: z.output<typeof pressed>): InboundEvent[] => {
  const choice = message.reply_markup?.inline_keyboard.flat().find((one) => one.callback_data === data)
  const content = { type: 'text', body: choice?.text ?? data ?? '', choice: data } as const
  return [
    {
      kind: 'message',
      providerId: `callback:${id}`,
      from: senderOf(message.chat, from, topicOf(message)),
      fromMe: false,
      timestamp: new Date(), // Telegram does not say when a button was pressed
      author: speakerOf(message.chat, from),
      content,
      quotedProviderId: providerIdOf(message.chat.id, message.message_id),
    },
  ]
}

/** Custom emoji are pictures that only Telegram can draw: such a change is left unknown, not taken for a removal. */
const reactionEvents = ({
  chat: where,
  message_id,
  date,
  user,
  new_reaction,
}: z.output<typeof reacted>): InboundEvent[] => {
  const emoji = new_reaction.find((one) => one.type === 'emoji')?.emoji ?? null
  if (new_reaction.length && !emoji) return []
  const targetProviderId = providerIdOf(where.id, message_id)
  const from = senderOf(where, user)
  const at = new Date(date * 1_000)
  return [{ kind: 'reaction', targetProviderId, from, author: speakerOf(where, user), fromMe: false, emoji, at }]
}

const memberEvents = ({
  chat: where,
  date,
  new_chat_member: { status },
}: z.output<typeof membership>): InboundEvent[] => {
  if (where.type === 'channel') return []
  const isGone = status === 'kicked' || status === 'left'
  const reason = where.type === 'private' ? 'O contato bloqueou o bot no Telegram.' : 'O bot foi removido do grupo.'
  const at = new Date(date * 1_000)
  return [{ kind: 'unreachable', who: telegramId(where.id), reason: isGone ? reason : null, at }]
}

const telegramId = (id: number): Identity => ({ kind: 'telegram', value: String(id) })
const moved = (from: number, to: number): InboundEvent => ({
  kind: 'identity',
  from: telegramId(from),
  to: telegramId(to),
})
