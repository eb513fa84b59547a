import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Chats } from './chats.ts'
import type { Chat } from './customer.ts'
import { TelegramError } from './errors.ts'
import { chatId, type Params, parse } from './params.ts'
import type { Methods, State } from './state.ts'
import type { Updates } from './updates.ts'

/** What a bot does to a group as its administrator. */
export const createGroups = (state: State, chats: Chats, updates: Updates): Methods => {
  const { core } = state
  const led = (params: Params, right: string): Chat => {
    const chat = chats.reach(parse(z.object({ chat_id: chatId }), params).chat_id)
    if (chat.type === 'private') throw new TelegramError(400, 'Bad Request: method is available only for groups')
    if (chat.ours === 'member') throw new TelegramError(400, `Bad Request: not enough rights to ${right}`)
    return chat
  }
  const memberOf = (chat: Chat, params: Params) => {
    const { user_id } = parse(z.object({ user_id: z.coerce.number() }), params)
    const member = chat.members.find(({ userId }) => userId === user_id)
    if (!member) throw new TelegramError(400, 'Bad Request: PARTICIPANT_ID_INVALID')
    return member
  }
  return {
    setchattitle: (params) => {
      const chat = led(params, 'change chat title')
      const { title } = parse(z.object({ title: z.string().min(1).max(128) }), params)
      if (chat.title === title) throw new TelegramError(400, 'Bad Request: chat title is not modified')
      chat.title = title
      core.changed()
      return true
    },
    setchatdescription: (params) => {
      const chat = led(params, 'change chat description')
      const { description } = parse(z.object({ description: z.string().max(255).default('') }), params)
      if ((chat.description ?? '') === description)
        throw new TelegramError(400, 'Bad Request: chat description is not modified')
      chat.description = description
      return true
    },
    setchatphoto: (params, uploads) => {
      const chat = led(params, 'change chat photo')
      if (!uploads.photo) throw new TelegramError(400, 'Bad Request: there is no photo in the request')
      chat.hasPhoto = true
      return true
    },
    setchatpermissions: (params) => {
      const chat = led(params, 'restrict/unrestrict chat member')
      const { permissions } = parse(
        z.object({
          permissions: z.preprocess(
            (v) => (typeof v === 'string' ? JSON.parse(v) : v),
            z.record(z.string(), z.boolean()),
          ),
        }),
        params,
      )
      chat.isAdminsOnly = permissions.can_send_messages === false
      return true
    },
    exportchatinvitelink: (params) => {
      led(params, 'manage chat invite link')
      return `https://t.me/+${randomBytes(9).toString('base64url')}`
    },
    banchatmember: async (params) => {
      const chat = led(params, 'restrict/unrestrict chat member')
      const member = memberOf(chat, params)
      chat.members = chat.members.filter((one) => one !== member)
      core.changed()
      void updates.emit('message', chats.newMessage(chat, state.bot, { left_chat_member: member.user() }))
      return true
    },
    unbanchatmember: (params) => {
      led(params, 'restrict/unrestrict chat member')
      return true
    },
    promotechatmember: (params) => {
      const chat = led(params, 'promote chat member')
      const { userId } = memberOf(chat, params)
      const { can_manage_chat } = parse(
        z.object({ can_manage_chat: z.preprocess((v) => v === true || v === 'true', z.boolean()) }),
        params,
      )
      chat.admins ??= new Set()
      if (can_manage_chat) chat.admins.add(userId)
      else chat.admins.delete(userId)
      return true
    },
  }
}
