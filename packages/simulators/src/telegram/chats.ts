import { randomInt } from 'node:crypto'
import { type Chat, type RawMessage, TelegramCustomer, type TelegramProfile } from './customer.ts'
import { TelegramError } from './errors.ts'
import type { State } from './state.ts'
import type { Updates } from './updates.ts'

export type Chats = ReturnType<typeof createChats>

/** The people of Telegram and where they talk: alone with the bot, and in groups. */
export const createChats = (state: State, updates: Updates) => {
  const { core } = state

  const newChat = (chat: Pick<Chat, 'id' | 'type' | 'title' | 'members'>): Chat => {
    // Counted on from the clock: a chat of an earlier run never gets a number that was already given there.
    const made = { ...chat, lastMessageId: Math.floor(core.now() / 1000), messages: new Map() }
    state.chats.set(made.id, made)
    return made
  }
  const world = {
    now: core.now,
    files: state.files,
    emit: updates.emit,
    changed: core.changed,
    botUser: () => state.bot,
    privateChat: (who: TelegramCustomer) =>
      state.chats.get(who.userId) ?? newChat({ id: who.userId, type: 'private', members: [who] }),
    newMessage: (chat: Chat, from: object, content: object): RawMessage => ({
      message_id: ++chat.lastMessageId,
      date: Math.floor(core.now() / 1000),
      chat: chatObject(chat),
      from,
      ...content,
    }),
  }
  const customer = (profile: TelegramProfile = {}): TelegramCustomer => {
    const found = state.customers.find(({ userId }) => userId === profile.id)
    if (found) return found
    const made = new TelegramCustomer(world, profile)
    state.customers.push(made)
    core.changed()
    return made
  }

  /** The chat a bot may write to, or the refusal. */
  const reach = (chatId: string | number): Chat => {
    const known = state.customers.find(({ userId }) => userId === Number(chatId))
    const chat = known ? world.privateChat(known) : state.chats.get(Number(chatId))
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

  return {
    customer,
    reach,
    newMessage: world.newMessage,
    newCustomer: ({ name, handle }: { name: string; handle?: string }) => {
      const [firstName, ...rest] = name.split(' ')
      const made = customer({
        firstName,
        lastName: rest.join(' ') || undefined,
        username: handle?.replace('@', '') || undefined,
      })
      world.privateChat(made)
      return made
    },
    group: ({ title, members }: { title: string; members: TelegramCustomer[] }) =>
      newChat({ id: -randomInt(100_000_000, 900_000_000), type: 'group', title, members }),
    /** A forum begins, or goes on; resolves with what its messages say of themselves. */
    topic: async (group: Chat, name: string) => {
      group.type = 'supergroup'
      group.topics ??= new Map()
      const message_thread_id = group.lastMessageId + 1
      const place = { message_thread_id, is_topic_message: true }
      const from = group.members[0]?.user() ?? state.bot
      const began = world.newMessage(group, from, { ...place, forum_topic_created: { name, icon_color: 7_322_096 } })
      group.topics.set(message_thread_id, name)
      await updates.emit('message', began)
      return { ...place, reply_to_message: began }
    },
    migrate: async (group: Chat) => {
      const { title, members } = group
      const supergroup = newChat({
        id: Number(`-100${randomInt(1_000_000_000, 2_000_000_000)}`),
        type: 'supergroup',
        title,
        members,
      })
      group.migratedTo = supergroup.id
      const from = members[0]?.user() ?? state.bot
      await updates.emit('message', world.newMessage(group, from, { migrate_to_chat_id: supergroup.id }))
      await updates.emit('message', world.newMessage(supergroup, from, { migrate_from_chat_id: group.id }))
      return supergroup
    },
  }
}

export const chatObject = (chat: Chat) => {
  const [person] = chat.members
  if (chat.type !== 'private' || !person) return { id: chat.id, type: chat.type, title: chat.title }
  const { first_name, last_name, username } = { last_name: undefined, username: undefined, ...person.user() }
  return { id: chat.id, type: chat.type, first_name, ...(last_name && { last_name }), ...(username && { username }) }
}
