import { abilitiesOf, type ChannelConfig, type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import type { ChannelAdapter } from '../../../channels/adapter.ts'
import { loadAdapter, receivesBy } from '../../../channels/index.ts'
import { platformRows } from '../../../db/database.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { channelConfig, type readConfig } from './context.ts'

type Config = Record<string, unknown>

/** The config as its provider's schema wants it, or the fields to correct. */
export const checkConfig = (kind: ChannelKind, given: Config): Config => channelConfig[kind].check(given)

/** What the form sent, over what is stored. */
export const mergeConfig = (row: Parameters<typeof readConfig>[0], given: Config): Config =>
  channelConfig[row.kind].merge(row.id, row.config, given)

/** What the provider calls this account. */
export const accountOf = async (kind: ChannelKind, config: Config) => accountBy(await loadAdapter(kind), kind, config)

const accountBy = <K extends ChannelKind>(adapter: ChannelAdapter<K>, kind: K, config: Config) =>
  adapter.accountOf?.(channels[kind].config.parse(config) as ChannelConfig<K>) // parsed by the schema of this very kind

/** What is stored of how a connection with these settings works. */
export const waysOf = async (kind: ChannelKind, config: Config) => ({
  abilities: abilitiesOf(kind, config),
  usesSession: isSession(await loadAdapter(kind), kind, config),
})
const isSession = <K extends ChannelKind>(adapter: ChannelAdapter<K>, kind: K, config: Config) =>
  receivesBy(adapter, channels[kind].config.parse(config) as ChannelConfig<K>) === 'session' // as above

/** One account has one connection in the whole installation; asked before the provider is told where to call. */
export const checkAccount = async (kind: ChannelKind, config: Config, exceptId: string | null = null) => {
  const account = await accountOf(kind, config)
  if (!account) return
  const taken = await platformRows<{ id: string }>(
    {
      name: 'connection_account_taken',
      text: `select id from connections where kind = $1 and external_id = $2 and deleted_at is null and id is distinct from $3`,
    },
    [kind, account.id, exceptId],
  )
  if (taken.length) throw fieldErrors({ path: `config.${account.field}`, message: accountTaken })
}
export const accountTaken = 'Esta conta já está conectada em outro canal.'
