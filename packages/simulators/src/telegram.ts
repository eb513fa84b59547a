import { randomInt } from 'node:crypto'
import { z } from 'zod'
import type { Button, Handset, Line, Media, TextEntity } from './handset.ts'
import {
  createSimulator,
  type DeliveredWebhook,
  type RecordedRequest,
  recordOf,
  type SimulatorOptions,
} from './simulator.ts'
import { type Chat, type RawMessage, TelegramCustomer, type TelegramProfile } from './telegram/customer.ts'
import { TelegramError, tooManyRequests } from './telegram/errors.ts'
import { knownFaults, refuse } from './telegram/faults.ts'
import { createFileStore, type FileKind } from './telegram/files.ts'
import {
  albumItem,
  allowedReactions,
  captionShape,
  chatActions,
  chatId,
  type EditParams,
  editParams,
  entityList,
  flag,
  messageId,
  type Params,
  parse,
  pollParams,
  reaction,
  type Send,
  send,
  sendCaption,
  unfold,
  webhookParams,
} from './telegram/params.ts'
import { parseFormatted } from './telegram/text.ts'

export type { Chat, TelegramMessageOptions, TelegramProfile } from './telegram/customer.ts'
export { TelegramCustomer } from './telegram/customer.ts'

export type TelegramOptions = SimulatorOptions & { botToken: string; botUsername: string; botName?: string }

export type TelegramSimulator = Handset & {
  readonly customers: TelegramCustomer[]
  /** 429 by the rules of the house; 0 switches one off (default). */
  readonly limits: { perChatMs: number; perSecond: number }
  readonly webhook: { url: string; secretToken?: string; allowedUpdates?: string[] }
  /** What `answerCallbackQuery` was told, by query id. */
  readonly callbackAnswers: Map<string, { text?: string; showAlert?: boolean }>
  /** Updates made so far, oldest first. */
  readonly updates: TelegramUpdate[]
  customer(profile?: TelegramProfile): TelegramCustomer
  newCustomer(customer: { name: string; handle?: string }): TelegramCustomer
  group(group: { title: string; members: TelegramCustomer[] }): Chat
  /** The group becomes a supergroup with another id; sends to the old one are refused with `migrate_to_chat_id`. */
  migrate(group: Chat): Promise<Chat>
  /** Leaves a hole in the update ids. */
  skipUpdateIds(count: number): void
  /** Posts an old update once more. */
  repeat(updateId?: number): Promise<void>
  /** Any update, as it is, under the next id. */
  emit(kind: string, body: object): Promise<number>
  /** Posts any body. `secret: null` leaves the header out. */
  postRaw(payload: object | string, options?: { secret?: string | null }): Promise<DeliveredWebhook>
  /** The next sends answer 429 with this `retry_after`. */
  tooManyRequests(retryAfter: number, times?: number): void
  /** @BotFather revoked the token: everything answers 401. */
  revokeToken(): void
}

export type TelegramUpdate = Record<string, unknown> & { update_id: number }

/** Telegram Bot API on `{url}/bot<TOKEN>/<method>`, with the phones of its customers. */
export async function startTelegramSimulator(options: TelegramOptions): Promise<TelegramSimulator> {
  const core = await createSimulator(options)
  const files = createFileStore(core.now)
  const customers: TelegramCustomer[] = []
  const chats = new Map<number, Chat>()
  const updates: TelegramUpdate[] = []
  const pending: { update: TelegramUpdate; onAccepted?: () => void }[] = []
  const callbackAnswers = new Map<string, { text?: string; showAlert?: boolean }>()
  const openCallbacks = new Set<string>()
  const limits = { perChatMs: 0, perSecond: 0 }
  const webhook: TelegramSimulator['webhook'] & { maxConnections: number } = { url: '', maxConnections: 40 }
  const bot = {
    id: Number(options.botToken.split(':')[0]) || 1,
    is_bot: true,
    first_name: options.botName ?? 'Loja',
    username: options.botUsername,
  }
  let isRevoked = false
  let nextUpdateId = randomInt(100_000_000, 900_000_000)
  let unconfirmed = 0
  let wakePoller: ((reason: 'update' | 'replaced') => void) | undefined
  let sentAt: number[] = []
  const lastInChat = new Map<number, number>()

  // ---- updates

  const isWanted = (kind: string) =>
    webhook.allowedUpdates?.length
      ? webhook.allowedUpdates.includes(kind)
      : !['message_reaction', 'message_reaction_count', 'chat_member'].includes(kind)

  const post = (update: TelegramUpdate, onAccepted?: () => void): Promise<void> => {
    const secret = core.delivery.badSignature ? 'wrong-secret' : webhook.secretToken
    unconfirmed++
    return core.deliver({
      url: webhook.url,
      body: JSON.stringify(update),
      headers: { 'content-type': 'application/json', ...(secret && { 'x-telegram-bot-api-secret-token': secret }) },
      onAccepted: () => {
        unconfirmed--
        onAccepted?.()
      },
    })
  }

  const emit = async (kind: string, body: object, onAccepted?: () => void): Promise<number> => {
    if (!isWanted(kind)) return 0
    const update = { update_id: nextUpdateId++, [kind]: structuredClone(body) }
    if (kind === 'callback_query' && 'id' in body) openCallbacks.add(String(body.id))
    updates.push(update)
    if (updates.length > 10_000) updates.splice(0, 5_000)
    if (webhook.url) await post(update, onAccepted)
    else {
      pending.push({ update, onAccepted })
      wakePoller?.('update')
    }
    return update.update_id
  }

  const flushPending = () => {
    for (const { update, onAccepted } of pending.splice(0)) void post(update, onAccepted)
  }

  // ---- people and chats

  const newChat = (chat: Pick<Chat, 'id' | 'type' | 'title' | 'members'>): Chat => {
    // Counted on from the clock: a chat of an earlier run never gets a number that was already given there.
    const made = { ...chat, lastMessageId: Math.floor(core.now() / 1000), messages: new Map() }
    chats.set(made.id, made)
    return made
  }
  const world = {
    now: core.now,
    files,
    emit,
    changed: core.changed,
    botUser: () => bot,
    privateChat: (who: TelegramCustomer) =>
      chats.get(who.userId) ?? newChat({ id: who.userId, type: 'private', members: [who] }),
    newMessage: (chat: Chat, from: object, content: object): RawMessage => ({
      message_id: ++chat.lastMessageId,
      date: Math.floor(core.now() / 1000),
      chat: chatObject(chat),
      from,
      ...content,
    }),
  }
  const customer = (profile: TelegramProfile = {}): TelegramCustomer => {
    const found = customers.find(({ userId }) => userId === profile.id)
    if (found) return found
    const made = new TelegramCustomer(world, profile)
    customers.push(made)
    core.changed()
    return made
  }

  /** The chat a bot may write to, or the refusal. */
  const reach = (chatId: string | number): Chat => {
    const known = customers.find(({ userId }) => userId === Number(chatId))
    const chat = known ? world.privateChat(known) : chats.get(Number(chatId))
    if (!chat) throw new TelegramError(400, 'Bad Request: chat not found')
    if (chat.migratedTo !== undefined) {
      throw new TelegramError(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: chat.migratedTo,
      })
    }
    if (chat.hasRemovedBot) throw new TelegramError(403, 'Forbidden: bot was kicked from the group chat')
    const [person] = chat.members
    if (chat.type === 'private' && !person?.hasStarted) throw new TelegramError(400, 'Bad Request: chat not found')
    if (chat.type === 'private' && person?.hasBlocked)
      throw new TelegramError(403, 'Forbidden: bot was blocked by the user')
    return chat
  }

  const checkRates = (chat: Chat) => {
    const now = core.now()
    sentAt = sentAt.filter((at) => at > now - 1_000)
    if (limits.perSecond > 0 && sentAt.length >= limits.perSecond) throw tooManyRequests(1)
    const waitMs = (lastInChat.get(chat.id) ?? Number.NEGATIVE_INFINITY) + limits.perChatMs - now
    if (limits.perChatMs > 0 && waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / 1000))
    if (limits.perSecond > 0) sentAt.push(now)
    lastInChat.set(chat.id, now)
  }

  // ---- what the bot sends

  const say = (p: Send, content: object, shown: Pick<Line, 'type'> & Partial<Line>): RawMessage => {
    const chat = reach(p.chat_id)
    checkRates(chat)
    const replied = p.reply_parameters ? chat.messages.get(p.reply_parameters.message_id) : undefined
    if (p.reply_parameters && !replied && !p.reply_parameters.allow_sending_without_reply) {
      throw new TelegramError(400, 'Bad Request: message to be replied not found')
    }
    const repliedRaw = replied && { ...replied.raw, reply_to_message: undefined }
    const raw = world.newMessage(chat, bot, {
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
    if (uploaded) return files.add(kind, checkSize(kind, uploaded))
    if (!value) throw new TelegramError(400, `Bad Request: there is no ${field} in the request`)
    if (/^https?:/.test(value)) return files.add(kind, checkSize(kind, await download(value, core.closing)))
    const known = files.find(value)
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
      reach(p.chat_id)
      const value = params[field]
      const file = await fileOf(typeof value === 'string' ? value : undefined, field, uploads, kind)
      const caption = captionOf(p)
      const content = { ...files.describe(kind, file), ...caption.content }
      return say(p, content, { type: kind, media: file, ...caption.shown })
    }

  const textOf = (p: { text: string; parse_mode?: string; entities?: TextEntity[] }) => {
    const formatted = p.entities ? { text: p.text, entities: p.entities } : parseFormatted(p.text, p.parse_mode)
    if (formatted.text.trim() === '') throw new TelegramError(400, 'Bad Request: message text is empty')
    if (formatted.text.length > 4096) throw new TelegramError(400, 'Bad Request: message is too long')
    return formatted
  }

  const ownMessage = (chat: Chat, messageId: number, missing: string) => {
    const known = chat.messages.get(messageId)
    if (!known || known.line.isDeleted) throw new TelegramError(400, missing)
    return known
  }

  const edit = (p: EditParams, change: (raw: RawMessage) => { content: object; shown: Partial<Line> }): RawMessage => {
    const known = ownMessage(reach(p.chat_id), p.message_id, 'Bad Request: message to edit not found')
    if (!known.isOurs) throw new TelegramError(400, "Bad Request: message can't be edited")
    const { content, shown } = change(known.raw)
    const isSame = Object.entries(content).every(
      ([key, value]) => JSON.stringify(known.raw[key]) === JSON.stringify(value),
    )
    if (isSame && !p.reply_markup) {
      throw new TelegramError(
        400,
        'Bad Request: message is not modified: specified new message content is exactly the same',
      )
    }
    Object.assign(known.raw, content, { edit_date: Math.floor(core.now() / 1000) })
    Object.assign(known.line, shown, { isEdited: true, ...(p.reply_markup && { buttons: buttonsOf(p.reply_markup) }) })
    core.changed()
    return known.raw
  }

  const copyTo = (params: Params, extra: object): RawMessage => {
    const p = parse(send.extend({ from_chat_id: chatId, message_id: messageId }), params)
    const from = reach(p.from_chat_id)
    const source = ownMessage(from, p.message_id, 'Bad Request: message to forward not found')
    const { message_id: _id, date: _date, chat: _chat, from: _from, reply_to_message: _reply, ...content } = source.raw
    const { type, text, entities, media, place, cards } = source.line
    return say(p, { ...content, ...extra }, { type, text, entities, media, place, cards })
  }

  const getUpdates: Method = async (params) => {
    const p = parse(pollParams, params)
    if (webhook.url) {
      throw new TelegramError(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      )
    }
    wakePoller?.('replaced')
    if (p.allowed_updates) webhook.allowedUpdates = p.allowed_updates
    const confirmed =
      p.offset < 0 ? pending.length + p.offset : pending.findIndex(({ update }) => update.update_id >= p.offset)
    for (const { onAccepted } of pending.splice(0, confirmed === -1 ? pending.length : Math.max(confirmed, 0)))
      onAccepted?.()
    if (pending.length === 0 && p.timeout > 0) {
      const reason = await new Promise<string>((resolve) => {
        const timer = setTimeout(resolve, p.timeout * 1000, 'timeout')
        wakePoller = (why) => {
          clearTimeout(timer)
          resolve(why)
        }
        core.closing.addEventListener('abort', () => wakePoller?.('update'), { once: true })
      })
      if (reason === 'replaced') {
        throw new TelegramError(
          409,
          'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
        )
      }
      wakePoller = undefined
    }
    return pending.slice(0, p.limit).map(({ update }) => update)
  }

  const methods: Record<string, Method> = {
    getme: () => ({
      ...bot,
      can_join_groups: true,
      can_read_all_group_messages: false,
      supports_inline_queries: false,
    }),
    setwebhook: (params) => {
      const p = parse(webhookParams, params)
      if (p.url && !/^https:|^http:\/\/(127\.0\.0\.1|localhost)[:/]/.test(p.url)) {
        throw new TelegramError(400, 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook')
      }
      if (p.drop_pending_updates) pending.length = 0
      Object.assign(webhook, {
        url: p.url,
        secretToken: p.secret_token,
        maxConnections: p.max_connections,
        ...(p.allowed_updates && { allowedUpdates: p.allowed_updates }),
      })
      if (webhook.url) flushPending()
      return true
    },
    deletewebhook: (params) => {
      if (parse(z.object({ drop_pending_updates: flag }), params).drop_pending_updates) pending.length = 0
      Object.assign(webhook, { url: '', secretToken: undefined })
      return true
    },
    getwebhookinfo: () => {
      const failed = core.webhooks.findLast(
        ({ status, error }) => error !== undefined || (status !== undefined && status >= 300),
      )
      return {
        url: webhook.url,
        has_custom_certificate: false,
        pending_update_count: pending.length + unconfirmed,
        max_connections: webhook.maxConnections,
        ...(webhook.allowedUpdates && { allowed_updates: webhook.allowedUpdates }),
        ...(failed && {
          last_error_date: Math.floor(failed.at / 1000),
          last_error_message: failed.error ?? `Wrong response from the webhook: ${failed.status}`,
        }),
      }
    },
    getupdates: getUpdates,
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
      reach(p.chat_id)
      const mediaGroupId = String(13_000_000_000_000_000n + BigInt(randomInt(1_000_000_000)))
      const found = await Promise.all(
        p.media.map(async (item) => {
          const kind: FileKind = item.type === 'photo' ? 'image' : item.type
          return { kind, file: await fileOf(item.media, 'media', uploads, kind), caption: captionOf(item) }
        }),
      )
      return found.map(({ kind, file, caption }, index) => {
        const content = { media_group_id: mediaGroupId, ...files.describe(kind, file), ...caption.content }
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
    sendchataction: (params) => {
      const p = parse(z.object({ chat_id: chatId, action: z.enum(chatActions) }), params)
      for (const member of reach(p.chat_id).members) member.showTyping()
      setTimeout(core.changed, 5_050).unref()
      core.changed()
      return true
    },
    editmessagetext: (params) => {
      const p = parse(
        editParams.extend({ text: z.string(), parse_mode: z.string().optional(), entities: entityList }),
        params,
      )
      return edit(p, () => {
        const { text, entities } = textOf(p)
        return { content: { text, ...(entities.length > 0 && { entities }) }, shown: { text, entities } }
      })
    },
    editmessagecaption: (params) => {
      const p = parse(editParams.extend(captionShape), params)
      return edit(p, () => captionOf({ ...p, caption: p.caption ?? '' }))
    },
    editmessagereplymarkup: (params) => edit(parse(editParams, params), () => ({ content: {}, shown: {} })),
    deletemessage: (params) => {
      const p = parse(z.object({ chat_id: chatId, message_id: messageId }), params)
      const chat = reach(p.chat_id)
      const known = ownMessage(chat, p.message_id, 'Bad Request: message to delete not found')
      const isOld = core.now() - known.line.at > 48 * 3_600_000
      if (isOld || (!known.isOurs && chat.type !== 'private')) {
        throw new TelegramError(400, "Bad Request: message can't be deleted for everyone")
      }
      known.line.isDeleted = true
      core.changed()
      return true
    },
    setmessagereaction: (params) => {
      const shape = { chat_id: chatId, message_id: messageId, reaction: z.array(reaction).default([]) }
      const p = parse(z.object(shape), params)
      const known = ownMessage(reach(p.chat_id), p.message_id, 'Bad Request: message to react not found')
      if (p.reaction.length > 1) throw new TelegramError(400, 'Bad Request: REACTIONS_TOO_MANY')
      const [first] = p.reaction
      if (first && !allowedReactions.includes(first.emoji))
        throw new TelegramError(400, 'Bad Request: REACTION_INVALID')
      known.line.reactions.business = first?.emoji
      core.changed()
      return true
    },
    forwardmessage: (params) =>
      copyTo(params, { forward_origin: { type: 'user', sender_user: bot, date: Math.floor(core.now() / 1000) } }),
    copymessage: (params) => ({ message_id: copyTo(params, {}).message_id }),
    getfile: (params) => files.getFile(parse(z.object({ file_id: z.string() }), params).file_id),
    getchat: (params) => chatObject(reach(parse(z.object({ chat_id: chatId }), params).chat_id)),
    answercallbackquery: (params) => {
      const shape = { callback_query_id: z.string(), text: z.string().max(200).optional(), show_alert: flag }
      const p = parse(z.object(shape), params)
      if (!openCallbacks.delete(p.callback_query_id)) {
        throw new TelegramError(
          400,
          'Bad Request: query is too old and response timeout expired or query ID is invalid',
        )
      }
      callbackAnswers.set(p.callback_query_id, { text: p.text, showAlert: p.show_alert })
      return true
    },
  }

  // ---- http

  core.app.setErrorHandler((error, _req, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
    const text = error instanceof Error ? error.message : 'error'
    const refusal =
      error instanceof TelegramError
        ? error
        : new TelegramError(status, `${status < 500 ? 'Bad Request' : 'Internal Server Error'}: ${text}`)
    return reply.code(refusal.code).send(refusal.toBody())
  })
  core.app.setNotFoundHandler((_req, reply) => reply.code(404).send(new TelegramError(404, 'Not Found').toBody()))
  const checkToken = (token: string) => {
    if (isRevoked || token !== options.botToken) throw new TelegramError(401, 'Unauthorized')
  }
  core.app.route<{ Params: { token: string; method: string } }>({
    method: ['GET', 'POST'],
    url: '/bot:token/:method',
    handler: async (req) => {
      checkToken(req.params.token)
      const method = methods[req.params.method.toLowerCase()]
      if (!method) throw new TelegramError(404, 'Not Found')
      const { body, query, files: uploads } = recordOf(req)
      return { ok: true, result: await method(unfold({ ...query, ...Object(body) }), uploads) }
    },
  })
  core.app.get<{ Params: { token: string; '*': string } }>('/file/bot:token/*', async (req, reply) => {
    checkToken(req.params.token)
    const file = files.open(req.params['*'])
    if (!file) throw new TelegramError(404, 'Not Found')
    return reply.type('application/octet-stream').send(file.bytes)
  })

  await core.listen()
  const { requests, faults, delivery, webhooks, idle, onChange, close } = core
  return {
    requests,
    faults,
    delivery,
    webhooks,
    idle,
    onChange,
    close,
    url: core.url,
    channel: 'telegram',
    businessName: bot.first_name,
    businessHandle: `@${bot.username}`,
    customers,
    knownFaults,
    limits,
    webhook,
    callbackAnswers,
    updates,
    customer,
    newCustomer: ({ name, handle }) => {
      const [firstName, ...rest] = name.split(' ')
      const made = customer({
        firstName,
        lastName: rest.join(' ') || undefined,
        username: handle?.replace('@', '') || undefined,
      })
      world.privateChat(made)
      return made
    },
    group: ({ title, members }) => newChat({ id: -randomInt(100_000_000, 900_000_000), type: 'group', title, members }),
    migrate: async (group) => {
      const { title, members } = group
      const supergroup = newChat({
        id: Number(`-100${randomInt(1_000_000_000, 2_000_000_000)}`),
        type: 'supergroup',
        title,
        members,
      })
      group.migratedTo = supergroup.id
      const from = members[0]?.user() ?? bot
      await emit('message', world.newMessage(group, from, { migrate_to_chat_id: supergroup.id }))
      await emit('message', world.newMessage(supergroup, from, { migrate_from_chat_id: group.id }))
      return supergroup
    },
    skipUpdateIds: (count) => {
      nextUpdateId += count
    },
    repeat: async (updateId) => {
      const update = updateId === undefined ? updates.at(-1) : updates.find(({ update_id }) => update_id === updateId)
      if (!update) throw new Error('no such update')
      await post(update)
    },
    emit: (kind, body) => emit(kind, body),
    postRaw: async (payload, { secret } = {}) => {
      const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
      const headers: Record<string, string> = { 'content-type': 'application/json' }
      const token = secret === undefined ? webhook.secretToken : secret
      if (token) headers['x-telegram-bot-api-secret-token'] = token
      const log: DeliveredWebhook = { at: Date.now(), body, attempts: 1 }
      const answer = await fetch(webhook.url, { method: 'POST', headers, body, redirect: 'manual' })
      await answer.arrayBuffer()
      log.status = answer.status
      webhooks.push(log)
      return log
    },
    tooManyRequests: (retryAfter, times = 1) => faults.next({ ...refuse(tooManyRequests(retryAfter)), times }),
    revokeToken: () => {
      isRevoked = true
    },
  }
}

type Method = (params: Params, uploads: RecordedRequest['files']) => unknown

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

const buttonsOf = (markup: Send['reply_markup']): Button[] | undefined => {
  const inline = markup?.inline_keyboard
    ?.flat()
    .map(({ text, callback_data, url }) => ({ id: callback_data ?? url ?? text, title: text, url }))
  const keyboard = markup?.keyboard?.flat().map(({ text, request_contact }) => ({
    id: `${request_contact ? 'contact' : 'keyboard'}:${text}`,
    title: text,
  }))
  return inline ?? keyboard
}

const chatObject = (chat: Chat) => {
  const [person] = chat.members
  if (chat.type !== 'private' || !person) return { id: chat.id, type: chat.type, title: chat.title }
  const { first_name, last_name, username } = { last_name: undefined, username: undefined, ...person.user() }
  return { id: chat.id, type: chat.type, first_name, ...(last_name && { last_name }), ...(username && { username }) }
}
