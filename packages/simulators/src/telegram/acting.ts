import { z } from 'zod'
import type { Line } from '../handset.ts'
import { type Chats, chatObject } from './chats.ts'
import type { Chat, RawMessage } from './customer.ts'
import { TelegramError } from './errors.ts'
import {
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
  reaction,
  send,
} from './params.ts'
import { buttonsOf, type Sending } from './sending.ts'
import type { Methods, State } from './state.ts'

/** What the bot does with what is there: edits, deletes, reacts, forwards, asks, answers a button. */
export const createActing = (state: State, chats: Chats, sending: Sending): Methods => {
  const { core } = state

  const ownMessage = (chat: Chat, messageId: number, missing: string) => {
    const known = chat.messages.get(messageId)
    if (!known || known.line.isDeleted) throw new TelegramError(400, missing)
    return known
  }

  const edit = (p: EditParams, change: (raw: RawMessage) => { content: object; shown: Partial<Line> }): RawMessage => {
    const known = ownMessage(chats.reach(p.chat_id), p.message_id, 'Bad Request: message to edit not found')
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
    const from = chats.reach(p.from_chat_id)
    const source = ownMessage(from, p.message_id, 'Bad Request: message to forward not found')
    const { message_id: _id, date: _date, chat: _chat, from: _from, reply_to_message: _reply, ...content } = source.raw
    const { type, text, entities, media, place, cards } = source.line
    return sending.say(p, { ...content, ...extra }, { type, text, entities, media, place, cards })
  }

  return {
    getme: () => ({
      ...state.bot,
      can_join_groups: true,
      can_read_all_group_messages: false,
      supports_inline_queries: false,
    }),
    sendchataction: (params) => {
      const p = parse(z.object({ chat_id: chatId, action: z.enum(chatActions) }), params)
      for (const member of chats.reach(p.chat_id).members) member.showTyping()
      setTimeout(core.changed, 5_050).unref()
      core.changed()
      return true
    },
    editmessagetext: (params) => {
      const p = parse(
        editParams.extend({ text: z.string(), parse_mode: z.string().optional(), entities: entityList }),
        params,
      )
      const known = chats.reach(p.chat_id).messages.get(p.message_id)
      if (known && known.raw.text === undefined)
        throw new TelegramError(400, 'Bad Request: there is no text in the message to edit')
      return edit(p, () => {
        const { text, entities } = sending.textOf(p)
        return { content: { text, ...(entities.length > 0 && { entities }) }, shown: { text, entities } }
      })
    },
    editmessagecaption: (params) => {
      const p = parse(editParams.extend(captionShape), params)
      return edit(p, () => sending.captionOf({ ...p, caption: p.caption ?? '' }))
    },
    editmessagereplymarkup: (params) => edit(parse(editParams, params), () => ({ content: {}, shown: {} })),
    deletemessage: (params) => {
      const p = parse(z.object({ chat_id: chatId, message_id: messageId }), params)
      const chat = chats.reach(p.chat_id)
      const known = ownMessage(chat, p.message_id, 'Bad Request: message to delete not found')
      const isOld = core.now() - known.line.at > 48 * 3_600_000
      if (isOld || (!known.isOurs && chat.type !== 'private' && chat.ours === 'member')) {
        throw new TelegramError(400, "Bad Request: message can't be deleted for everyone")
      }
      known.line.isDeleted = true
      core.changed()
      return true
    },
    setmessagereaction: (params) => {
      const shape = { chat_id: chatId, message_id: messageId, reaction: z.array(reaction).default([]) }
      const p = parse(z.object(shape), params)
      const known = ownMessage(chats.reach(p.chat_id), p.message_id, 'Bad Request: message to react not found')
      if (p.reaction.length > 1) throw new TelegramError(400, 'Bad Request: REACTIONS_TOO_MANY')
      const [first] = p.reaction
      if (first && !allowedReactions.includes(first.emoji))
        throw new TelegramError(400, 'Bad Request: REACTION_INVALID')
      known.line.reactions.business = first?.emoji
      core.changed()
      return true
    },
    forwardmessage: (params) =>
      copyTo(params, { forward_origin: { type: 'user', sender_user: state.bot, date: Math.floor(core.now() / 1000) } }),
    copymessage: (params) => ({ message_id: copyTo(params, {}).message_id }),
    getfile: (params) => state.files.getFile(parse(z.object({ file_id: z.string() }), params).file_id),
    getchat: (params) => chatObject(chats.reach(parse(z.object({ chat_id: chatId }), params).chat_id)),
    answercallbackquery: (params) => {
      const shape = { callback_query_id: z.string(), text: z.string().max(200).optional(), show_alert: flag }
      const p = parse(z.object(shape), params)
      if (!state.openCallbacks.delete(p.callback_query_id)) {
        throw new TelegramError(
          400,
          'Bad Request: query is too old and response timeout expired or query ID is invalid',
        )
      }
      state.callbackAnswers.set(p.callback_query_id, { text: p.text, showAlert: p.show_alert })
      return true
    },
  }
}
