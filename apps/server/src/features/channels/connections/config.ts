import { type ChannelConfig, type ChannelKind, channels, secretFields } from '@balcao/contract/channels/index.ts'
import type { ChannelAdapter } from '../../../channels/adapter.ts'
import { channelAdapters } from '../../../channels/index.ts'
import { platformRows } from '../../../db/database.ts'
import { checkEgressUrl } from '../../../kit/egress.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { readConfig } from './context.ts'

type Config = Record<string, unknown>

/** The config as its provider's schema wants it, or the fields to correct. */
export const checkConfig = (kind: ChannelKind, given: Config): Config => {
  const parsed = channels[kind].config.safeParse(given)
  if (!parsed.success) {
    throw fieldErrors(
      ...parsed.error.issues.map((issue) => ({ path: ['config', ...issue.path].join('.'), message: issue.message })),
    )
  }
  if ('baseUrl' in parsed.data) checkAddress(parsed.data.baseUrl)
  return parsed.data
}

const checkAddress = (baseUrl: string) => {
  try {
    checkEgressUrl(baseUrl)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw fieldErrors({ path: 'config.baseUrl', message: error.message })
  }
}

/**
 * What the form sent, over what is stored: a secret left out, empty or `true` keeps its value, as long as it goes to the
 * same place; `null` takes an optional field away.
 */
export const mergeConfig = (row: Parameters<typeof readConfig>[0], given: Config): Config => {
  const secrets = secretFields(row.kind)
  const isKept = (name: string, value: unknown) => secrets.includes(name) && (value === '' || value === true)
  const changed = Object.entries(given).filter(([name, value]) => value !== undefined && !isKept(name, value))
  const stored = readConfig(row)
  const merged = Object.entries({ ...stored, ...Object.fromEntries(changed) })
  const config = checkConfig(row.kind, Object.fromEntries(merged.filter(([, value]) => value !== null)))
  const kept = secrets.filter((name) => stored[name] && !changed.some(([typed]) => typed === name))
  if (kept.length && isElsewhere(stored.baseUrl, config.baseUrl))
    throw fieldErrors(...kept.map((name) => ({ path: `config.${name}`, message: 'O endereço mudou: digite de novo.' })))
  return config
}

/** Secrets are shown to nobody, and so they are sent to nobody new. */
const isElsewhere = (before: unknown, after: unknown) => originOf(before) !== originOf(after)
const originOf = (url: unknown) => (typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : undefined)

/** What the provider calls this account. */
export const accountOf = (kind: ChannelKind, config: Config) => accountBy(channelAdapters[kind], kind, config)

const accountBy = <K extends ChannelKind>(adapter: ChannelAdapter<K>, kind: K, config: Config) =>
  adapter.accountOf?.(channels[kind].config.parse(config) as ChannelConfig<K>) // parsed by the schema of this very kind

/** One account has one connection in the whole installation; asked before the provider is told where to call. */
export const checkAccount = async (kind: ChannelKind, config: Config, exceptId: string | null = null) => {
  const account = accountOf(kind, config)
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
