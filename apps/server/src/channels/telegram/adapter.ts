import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { z } from 'zod'
import { isSame } from '../../kit/crypto.ts'
import { type ChannelAdapter, ChannelError, type Outbound } from '../adapter.ts'
import { pollIn } from '../content.ts'
import { fileOf, unclear } from '../http-errors.ts'
import { type Context, call, downloadFile, GroupMoved } from './bot-api.ts'
import { captionOf, textOf } from './formatted.ts'
import { groupAct } from './groups.ts'
import { allowedUpdates, callbackIdOf, parse, providerIdOf, split } from './parse.ts'
import { openPolling } from './polling.ts'

/** Telegram Bot API, by webhook or by asking (reference sheet telegram.md). A bot cannot ask for its own messages: there is no `find`. */
export const telegram: ChannelAdapter<'telegram'> = {
  hook: {
    verify: ({ headers }, { hookSecret }) => {
      const given = headers['x-telegram-bot-api-secret-token']
      return typeof given === 'string' && isSame(given, hookSecret)
    },
  },
  session: { open: openPolling, remote: [] },
  receivesBy: ({ receive }) => (receive === 'polling' ? 'session' : 'hook'),
  split,
  parse,
  acknowledge: async (payload, context) => {
    const id = callbackIdOf(payload)
    if (id) await call(context, 'answerCallbackQuery', { callback_query_id: id }, true)
  },
  send: async (message, context) => {
    const chat = chatOf(message.to)
    const answer = await inChat(chat, (where) => post(message, where, context))
    const { data } = sentShape.safeParse(answer)
    if (!data) throw unclear('O Telegram respondeu de um jeito inesperado.')
    return {
      providerId: providerIdOf(data.chat.id, data.message_id),
      identities: movedTo(chat, data.chat.id),
      pollKey: data.poll?.id,
    }
  },
  sendAlbum: async (messages, context) => {
    const [first] = messages
    if (!first) throw new ChannelError('final', 'Este grupo de fotos está vazio.')
    const chat = chatOf(first.to)
    const answer = await inChat(chat, (where) => postAlbum(messages, where, context))
    const sent = z.array(sentShape).safeParse(answer).data
    if (!sent) throw unclear('O Telegram respondeu de um jeito inesperado.')
    return {
      providerIds: messages.map((_, at) => sent[at] && providerIdOf(sent[at].chat.id, sent[at].message_id)),
      identities: sent[0] ? movedTo(chat, sent[0].chat.id) : [],
    }
  },
  react: async ({ providerId, to, emoji }, context) => {
    const reaction = emoji ? [{ type: 'emoji', emoji }] : []
    await call(context, 'setMessageReaction', { ...targetOf(to, providerId), reaction }, true)
  },
  edit: async ({ providerId, to, body }, context) => {
    const target = targetOf(to, providerId)
    await call(context, 'editMessageText', { ...target, ...textOf({ body }) }, true)
      .catch((error) => {
        if (!/no text in the message/i.test(error.message)) throw error
        return call(context, 'editMessageCaption', { ...target, ...captionOf({ body }) }, true)
      })
      .catch((error) => {
        if (!/not modified/.test(error.message)) throw error // it says so already
      })
  },
  remove: async ({ providerId, to }, context) => {
    await call(context, 'deleteMessage', targetOf(to, providerId), true)
  },
  groupAct,
  typing: async ({ to }, context) => {
    await call(context, 'sendChatAction', { ...chatOf(to), action: 'typing' }, true)
  },
  fetchMedia: async (source, context) => {
    const named = z.object({ fileId: z.string() }).safeParse(source).data
    if (!named) throw new ChannelError('final', 'O Telegram não reconhece este arquivo.')
    const answer = await call(context, 'getFile', { file_id: named.fileId }, true)
    const card = z.object({ file_path: z.string() }).safeParse(answer).data
    if (!card) throw new ChannelError('retry', 'O Telegram não entregou o arquivo agora.')
    return { bytes: await downloadFile(context, card.file_path) }
  },
  accountOf: ({ botToken }) => ({ id: botToken.split(':', 1).join(), field: 'botToken' }),
  connect: async (context) => {
    const me = z.object({ id: z.int(), first_name: z.string().optional(), username: z.string().optional() })
    const { data } = me.safeParse(await call(context, 'getMe', {}, true))
    if (!data) throw new ChannelError('final', 'O Telegram não reconhece este bot. Confira o token.')
    const text = `Conectado ao bot @${data.username ?? data.id}.`
    const account = { name: data.first_name, handle: data.username }
    if (context.config.receive === 'polling') {
      await call(context, 'deleteWebhook', {}, true)
      return { text, account }
    }
    const hook = { url: context.webhookUrl, secret_token: context.hookSecret, allowed_updates: allowedUpdates }
    await call(context, 'setWebhook', hook, true)
    return { text, account }
  },
  check: async (context) => {
    const info = webhookInfo.safeParse(await call(context, 'getWebhookInfo', {}, true)).data
    if (!info) return { problem: null }
    const wanted = context.config.receive === 'polling' ? '' : pathOf(context.webhookUrl)
    return { waiting: info.pending_update_count, problem: problemOf(info, wanted) }
  },
  disconnect: async (context) => {
    await call(context, 'deleteWebhook', {}, true)
  },
}

const webhookInfo = z.object({
  url: z.string(),
  pending_update_count: z.int(),
  last_error_message: z.string().optional(),
})
/** One installation may be known by several names. */
const pathOf = (url: string) => (url ? new URL(url).pathname : '')
const problemOf = (info: z.output<typeof webhookInfo>, wanted: string): string | null => {
  if (pathOf(info.url) !== wanted)
    return 'Outro programa passou a receber as mensagens deste bot. Toque em Testar para voltar.'
  const isStuck = wanted !== '' && info.pending_update_count > 0 && info.last_error_message
  return isStuck ? `O Telegram não está conseguindo entregar as mensagens (${info.last_error_message}).` : null
}

const sentShape = z.object({
  message_id: z.int(),
  chat: z.object({ id: z.int() }),
  poll: z.object({ id: z.string() }).optional(),
})

/** A group that lives on under another id is written to there, which is then known. */
const inChat = (chat: Chat, work: (chat: Chat) => Promise<unknown>) =>
  work(chat).catch((error) => {
    if (!(error instanceof GroupMoved)) throw error
    return work({ chat_id: error.chatId })
  })
const movedTo = (chat: Chat, id: number): Identity[] =>
  String(id) === chat.chat_id ? [] : [{ kind: 'telegram', value: String(id) }]

type Chat = { chat_id: string; message_thread_id?: number }
/** A topic of a forum is written behind its chat. */
const chatOf = (to: Identity[]): Chat => {
  const chat = to.find((one) => one.kind === 'telegram')
  if (!chat) throw new ChannelError('final', 'O contato não tem uma conversa no Telegram.', { isUnreachable: true })
  const [chat_id = '', topic] = chat.value.split('/')
  return topic ? { chat_id, message_thread_id: Number(topic) } : { chat_id }
}

/** A message is named inside the chat it was sent in. */
const targetOf = (to: Identity[], providerId: string) => {
  const [chat, message] = providerId.split(':')
  return { chat_id: /^-?\d+$/.test(chat ?? '') ? chat : chatOf(to).chat_id, message_id: Number(message) }
}

const replyTo = (quoted: string | null) => {
  const message_id = Number(quoted?.split(':').at(-1))
  return Number.isSafeInteger(message_id) && message_id > 0
    ? { reply_parameters: { message_id, allow_sending_without_reply: true } }
    : {}
}

const uploads = {
  image: { method: 'sendPhoto', field: 'photo' },
  audio: { method: 'sendAudio', field: 'audio' },
  voice: { method: 'sendVoice', field: 'voice' },
  video: { method: 'sendVideo', field: 'video' },
  document: { method: 'sendDocument', field: 'document' },
  sticker: { method: 'sendSticker', field: 'sticker' },
} as const

const post = (message: Outbound, chat: Chat, context: Context): Promise<unknown> => {
  const common = { ...chat, ...replyTo(message.quotedProviderId) }
  switch (message.type) {
    case 'text':
      return call(context, 'sendMessage', { ...common, ...textOf(message) })
    case 'location': {
      const { name, address, ...point } = message.location ?? {}
      if (!name) return call(context, 'sendLocation', { ...common, ...point })
      return call(context, 'sendVenue', { ...common, ...point, title: name, address: address || name })
    }
    case 'contact':
      return call(context, 'sendContact', { ...common, ...contactOf(message) })
    case 'interactive':
      if (message.interactive?.kind === 'poll') return call(context, 'sendPoll', { ...common, ...pollOf(message) })
      return call(context, 'sendMessage', { ...common, ...keyboardOf(message) })
    case 'template':
      throw new ChannelError('final', 'O Telegram não tem modelos de mensagem.')
    default:
      return sendFile(message, common, context)
  }
}

/** Of an anonymous one, which is what it makes unasked, nobody is told the votes. */
const pollOf = (message: Outbound) => {
  const { name: question, options, selectable } = pollIn(message)
  return {
    question,
    options: options.map((text) => ({ text })),
    is_anonymous: false,
    allows_multiple_answers: selectable !== 1,
  }
}

/** Buttons under the text, one per line; what a list would say of its rows goes into the text. */
const keyboardOf = ({ interactive, body }: Outbound) => {
  if (!interactive) throw new ChannelError('final', 'Esta mensagem não tem opções.')
  const { header, footer, options } = interactive
  const described = options.flatMap(({ title, description }) => (description ? `${title}: ${description}` : []))
  const text = [header, body, described.join('\n'), footer].filter(Boolean).join('\n\n')
  const inline_keyboard = options.map(({ id, title }, at) => [{ text: title, callback_data: callbackOf(id, at) }])
  return { ...textOf({ body: text }), reply_markup: { inline_keyboard } }
}

/** Telegram carries 64 bytes: a longer id goes by its place. */
const callbackOf = (id: string, at: number) => (Buffer.byteLength(id) <= 64 ? id : String(at + 1))

const contactOf = ({ contacts }: Outbound) => {
  const [card, ...others] = contacts
  const [phone_number] = card?.phones ?? []
  if (others.length) throw new ChannelError('final', 'O Telegram envia um contato por mensagem.')
  if (!card || !phone_number) throw new ChannelError('final', 'Para o Telegram, o contato precisa de um telefone.')
  return { phone_number, first_name: card.name }
}

const sendFile = async (message: Outbound, common: Record<string, unknown>, context: Context) => {
  const { file, name, mime } = await fileOf(message)
  const type = message.type === 'audio' && /ogg/.test(mime) ? 'voice' : message.type
  const { method, field } = uploads[type as keyof typeof uploads] // only types with a file come here
  const { FormData } = await import('undici')
  const form = new FormData()
  for (const [key, value] of Object.entries(common)) {
    form.set(key, typeof value === 'string' ? value : JSON.stringify(value))
  }
  if (message.body && type !== 'sticker') {
    for (const [key, value] of Object.entries(captionOf(message)))
      form.set(key, typeof value === 'string' ? value : JSON.stringify(value))
  }
  form.set(field, file, name)
  return call(context, method, form)
}

/** What one call carries, and what of it is in memory at once; larger albums go one by one. */
const mostBytes = 50_000_000

/** All or nothing: Telegram refuses the whole for one file it does not take. */
const postAlbum = async (messages: Outbound[], chat: Chat, context: Context): Promise<unknown> => {
  const size = messages.reduce((sum, { media }) => sum + (media?.size ?? 0), 0)
  if (size > mostBytes) throw new ChannelError('final', 'Estes arquivos juntos são grandes demais para o Telegram.')
  const files = await Promise.all(messages.map(fileOf))
  const { FormData } = await import('undici')
  const form = new FormData()
  for (const [key, value] of Object.entries({ ...chat, ...replyTo(messages[0]?.quotedProviderId ?? null) }))
    form.set(key, typeof value === 'string' ? value : JSON.stringify(value))
  const media = messages.map((message, at) => ({
    type: message.type === 'video' ? 'video' : 'photo',
    media: `attach://file${at}`,
    ...(message.body && captionOf(message)),
  }))
  form.set('media', JSON.stringify(media))
  for (const [at, { file, name }] of files.entries()) form.set(`file${at}`, file, name)
  return call(context, 'sendMediaGroup', form)
}
