import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { z } from 'zod'
import { ChannelError, type GroupOutcome, type GroupTarget, type PersonOutcome } from '../adapter.ts'
import { type Context, call, GroupMoved } from './bot-api.ts'

/**
 * What a bot may do as an administrator of a group, by the methods of the Bot API (setChatTitle, setChatDescription,
 * setChatPhoto, setChatPermissions, banChatMember, promoteChatMember, exportChatInviteLink). It makes no group, adds
 * nobody and is not told the rights a member had.
 */
export const groupAct = async (target: GroupTarget, context: Context): Promise<GroupOutcome> => {
  if (target.act === 'create' || target.act === 'add')
    throw new ChannelError('final', 'No Telegram, um bot não faz isto.')
  const chat_id = chatOf(target.to)
  return act(target, chat_id, context)
    .catch((error) => {
      if (error instanceof GroupMoved) return act(target, error.chatId, context)
      throw error
    })
    .catch((error) => {
      throw asLeaders(error)
    })
}
type Possible = Exclude<GroupTarget, { act: 'create' | 'add' }>

const act = async (target: Possible, chat_id: string, context: Context): Promise<GroupOutcome> => {
  const ask = (method: string, fields: Record<string, unknown>) => call(context, method, { chat_id, ...fields }, true)
  switch (target.act) {
    case 'title':
      await ask('setChatTitle', { title: target.title }).catch(unlessSame)
      return {}
    case 'description':
      await ask('setChatDescription', { description: target.description.slice(0, 255) }).catch(unlessSame)
      return {}
    case 'picture': {
      const { FormData } = await import('undici')
      const form = new FormData()
      form.set('chat_id', chat_id)
      const { mime, base64 } = target.picture
      form.set('photo', new Blob([Buffer.from(base64, 'base64')], { type: mime }), 'foto.jpg')
      await call(context, 'setChatPhoto', form, true)
      return {}
    }
    case 'adminsOnly':
      await ask('setChatPermissions', { permissions: permissionsFor(!target.isOn) }).catch(unlessSame)
      return {}
    case 'inviteLink': {
      // A bot has a link of its own; asked for, it is made anew and the old one ends.
      const url = z.string().safeParse(await ask('exportChatInviteLink', {})).data
      if (!url) throw new ChannelError('retry', 'O Telegram não disse o link do grupo.')
      return { inviteUrl: url }
    }
    case 'remove':
    case 'promote':
    case 'demote': {
      const people: PersonOutcome[] = []
      for (const person of target.people) people.push(await changePerson(target.act, person, ask))
      return { people }
    }
  }
  throw new ChannelError('final', 'No Telegram, um bot não faz isto.')
}

type Ask = (method: string, fields: Record<string, unknown>) => Promise<unknown>
const changePerson = async (
  what: 'remove' | 'promote' | 'demote',
  person: Identity[],
  ask: Ask,
): Promise<PersonOutcome> => {
  const who = person.find(({ kind }) => kind === 'telegram')
  const user_id = Number(who?.value)
  if (!Number.isSafeInteger(user_id))
    return { outcome: 'refused', reason: 'O Telegram só conhece quem já escreveu no grupo, e não por telefone.' }
  try {
    if (what === 'remove') {
      await ask('banChatMember', { user_id })
      // Out, and free to be invited again.
      await ask('unbanChatMember', { user_id, only_if_banned: true })
    } else await ask('promoteChatMember', { user_id, ...rightsOf(what === 'promote') })
    return { outcome: 'done' }
  } catch (error) {
    if (!(error instanceof ChannelError) || error.outcome !== 'final' || !/participant|user/i.test(error.message))
      throw error
    return { outcome: 'refused', reason: 'O Telegram não permite isto com esta pessoa.' }
  }
}

const permissionsFor = (isOn: boolean) =>
  Object.fromEntries(
    [
      'can_send_messages',
      'can_send_audios',
      'can_send_documents',
      'can_send_photos',
      'can_send_videos',
      'can_send_video_notes',
      'can_send_voice_notes',
      'can_send_polls',
      'can_send_other_messages',
    ].map((name) => [name, isOn]),
  )
const rightsOf = (isOn: boolean) =>
  Object.fromEntries(
    ['can_manage_chat', 'can_delete_messages', 'can_restrict_members', 'can_invite_users', 'can_pin_messages'].map(
      (name) => [name, isOn],
    ),
  )

/** A topic of a forum is led as its group. */
const chatOf = (to: Identity[]): string => {
  const chat = to.find(({ kind }) => kind === 'telegram')
  if (!chat) throw new ChannelError('final', 'Este grupo não está no Telegram.', { isUnreachable: true })
  return chat.value.split('/', 1).join()
}
/** Saying the same again is no error. */
const unlessSame = (error: unknown) => {
  if (error instanceof ChannelError && /not modified/i.test(error.message)) return undefined
  throw error
}
const asLeaders = (error: unknown) =>
  error instanceof ChannelError && /not enough rights|administrator|CHAT_ADMIN_REQUIRED/i.test(error.message)
    ? new ChannelError(
        'final',
        'Só um bot administrador do grupo pode fazer isto. No Telegram, torne este bot administrador.',
      )
    : error
