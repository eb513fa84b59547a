import type { RecordedRequest, SimulatorCore, SimulatorOptions } from '../simulator.ts'
import type { Chat, TelegramCustomer } from './customer.ts'
import { createFileStore } from './files.ts'
import type { Params } from './params.ts'

export type TelegramOptions = SimulatorOptions & { botToken: string; botUsername: string; botName?: string }
export type TelegramUpdate = Record<string, unknown> & { update_id: number }
/** One method of the Bot API; its names are the same in any case. */
export type Method = (params: Params, uploads: RecordedRequest['files']) => unknown
export type Methods = Record<string, Method>

type Webhook = { url: string; secretToken?: string; allowedUpdates?: string[]; maxConnections: number }

/** What Telegram knows of the bot: its people, chats, files and where its updates go. */
export const createState = (core: SimulatorCore, options: TelegramOptions) => ({
  core,
  options,
  files: createFileStore(core.now),
  customers: [] as TelegramCustomer[],
  chats: new Map<number, Chat>(),
  updates: [] as TelegramUpdate[],
  callbackAnswers: new Map<string, { text?: string; showAlert?: boolean }>(),
  openCallbacks: new Set<string>(),
  limits: { perChatMs: 0, perSecond: 0 },
  webhook: { url: '', maxConnections: 40 } as Webhook,
  bot: {
    id: Number(options.botToken.split(':')[0]) || 1,
    is_bot: true,
    first_name: options.botName ?? 'Loja',
    username: options.botUsername,
  },
  isRevoked: false,
})
export type State = ReturnType<typeof createState>
