import type { Handset } from './handset.ts'
import { createSimulator, type DeliveredWebhook } from './simulator.ts'
import { createActing } from './telegram/acting.ts'
import { createActs } from './telegram/acts.ts'
import { addBotApi } from './telegram/bot-api.ts'
import { createChats } from './telegram/chats.ts'
import type { Chat, TelegramCustomer, TelegramProfile } from './telegram/customer.ts'
import { tooManyRequests } from './telegram/errors.ts'
import { knownFaults, refuse } from './telegram/faults.ts'
import { createGroups } from './telegram/groups.ts'
import { createSending } from './telegram/sending.ts'
import { createState, type TelegramOptions, type TelegramUpdate } from './telegram/state.ts'
import { createUpdates } from './telegram/updates.ts'

export type { Chat, TelegramMessageOptions, TelegramProfile } from './telegram/customer.ts'
export { TelegramCustomer } from './telegram/customer.ts'
export type { TelegramOptions, TelegramUpdate } from './telegram/state.ts'

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
  /** The group becomes a forum with this topic; what the messages in it carry (`extra`). */
  topic(group: Chat, name: string): Promise<{ message_thread_id: number; is_topic_message: boolean }>
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

/** Telegram Bot API on `{url}/bot<TOKEN>/<method>`, with the phones of its customers. */
export async function startTelegramSimulator(options: TelegramOptions): Promise<TelegramSimulator> {
  const core = await createSimulator(options)
  const state = createState(core, options)
  const updates = createUpdates(state)
  const chats = createChats(state, updates)
  const sending = createSending(state, chats)
  addBotApi(state, {
    ...updates.methods,
    ...sending.methods,
    ...createActing(state, chats, sending),
    ...createGroups(state, chats, updates),
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
    businessName: state.bot.first_name,
    businessHandle: `@${state.bot.username}`,
    customers: state.customers,
    knownFaults,
    acts: createActs(state, chats),
    limits: state.limits,
    webhook: state.webhook,
    callbackAnswers: state.callbackAnswers,
    updates: state.updates,
    customer: chats.customer,
    newCustomer: chats.newCustomer,
    group: chats.group,
    topic: chats.topic,
    migrate: chats.migrate,
    skipUpdateIds: updates.skip,
    repeat: updates.repeat,
    emit: (kind, body) => updates.emit(kind, body),
    postRaw: updates.postRaw,
    tooManyRequests: (retryAfter, times = 1) => faults.next({ ...refuse(tooManyRequests(retryAfter)), times }),
    revokeToken: () => {
      state.isRevoked = true
    },
  }
}
