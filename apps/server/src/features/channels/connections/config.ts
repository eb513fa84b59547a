import type { Host } from '@balcao/contract/channels/hosts.ts'
import { abilitiesOf, type ChannelConfig, type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import type { ChannelAdapter } from '../../../channels/adapter.ts'
import { loadAdapter, receivesBy } from '../../../channels/index.ts'
import { platformRows } from '../../../db/database.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { mailAccountOf } from '../../core/integrations/mail-accounts.ts'
import type { ConnectionRow } from './connections.queries.ts'
import { channelConfig, readConfig } from './context.ts'
import { lentBy, ownPart, type Standing, sayable, withoutInstance } from './hosts.ts'

type Config = Record<string, unknown>

/** The config whole, as its provider's schema wants it, or the fields to correct. */
export const checkConfig = async (at: Standing, given: Config): Promise<Config> =>
  channelConfig[at.kind].check({ ...sayable(at, given), ...(await lentBy(at)) })

type Row = Standing & Pick<ConnectionRow, 'id' | 'config'>
/** What the form sent, over what is stored; on another server what was named on the old one is forgotten. */
export const mergeConfig = (row: Row, given: Config, host: Host | null, lent: Lent): Config => {
  const there = { ...row, host }
  const stored = host === row.host ? row.config : withoutInstance(row.kind, row.config)
  return channelConfig[row.kind].merge(row.id, stored, sayable(there, given), lent)
}
/** What its provider has told us, over what is stored. */
export const learnConfig = async (row: Row, learned: Config): Promise<Config> =>
  channelConfig[row.kind].merge(row.id, row.config, learned, await lentTo(row, row.host))

/** What it is entered with is the company's own. */
export const checkMailAccount = async ({ tenantId }: Standing, { mailAccountId }: Config) => {
  if (typeof mailAccountId !== 'string') return
  await mailAccountOf(tenantId, mailAccountId).catch((error) => {
    if (!(error instanceof AppError)) throw error
    throw fieldErrors({ path: 'config.mailAccountId', message: 'Escolha uma conta autorizada da empresa.' })
  })
}

type Lent = { was: Config; is: Config }
/** What it has from the server it stands on, and from the one it is to stand on. */
export const lentTo = async (row: Standing, host: Host | null): Promise<Lent> => ({
  was: await lentBy(row).catch(() => ({})),
  is: await lentBy({ ...row, host }),
})

/** The stored config with its secrets open, as far as they can be. */
export const readWhole = async (row: Row): Promise<Config> => ({ ...readConfig(row), ...(await lentBy(row)) })

/** Sealed, without what is the server's. */
export const sealOwn = (row: Pick<Row, 'id' | 'kind' | 'host'>, config: Config): Config =>
  channelConfig[row.kind].seal(row.id, ownPart(row, config))

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
/** Of these accounts, those that a connection of anybody's has. */
export const accountsTaken = async (kind: ChannelKind, accounts: string[]): Promise<Set<string>> => {
  const rows = await platformRows<{ account: string }>(
    {
      name: 'connection_accounts_taken',
      text: `select external_id as account from connections where kind = $1 and external_id = any($2::text[]) and deleted_at is null`,
    },
    [kind, accounts],
  )
  return new Set(rows.map(({ account }) => account))
}
export const accountTaken = 'Esta conta já está conectada em outro canal.'
