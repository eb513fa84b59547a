import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import type { Host } from '@balcao/contract/channels/hosts.ts'
import { type ChannelConfig, type ChannelKind, channelKinds, channels } from '@balcao/contract/channels/index.ts'
import type { ConnectionOptions } from '@balcao/contract/channels/options.ts'
import type { ChannelAdapter, ChannelContext, HistoryWish } from '../../../channels/adapter.ts'
import { loadAdapter } from '../../../channels/index.ts'
import { type Prepared, platformRows } from '../../../db/database.ts'
import { env } from '../../../env.ts'
import { egressAlong } from '../../../kit/egress.ts'
import { AppError } from '../../../kit/errors.ts'
import { sealedConfig } from '../../../kit/sealed-config.ts'
import { announce } from '../../../kit/signals/signals.ts'
import { routeOf } from '../../core/integrations/integrations.service.ts'
import { mailAccountOf } from '../../core/integrations/mail-accounts.ts'
import { lentBy } from './hosts.ts'
import { throughOwner } from './owner-calls.ts'

/** A connection as the pipes need it: decrypted, from memory when fresh. */
export type OpenConnection<K extends ChannelKind = ChannelKind> = {
  tenantId: number
  id: string
  kind: K
  name: string
  queueId: string | null
  externalId: string | null
  channelKey: string | null
  abilities: Abilities
  options: ConnectionOptions
  /** We stay connected to its provider, in one process at a time. */
  usesSession: boolean
  /** Old conversations that are wanted of it. */
  history: HistoryWish | undefined
  context: ChannelContext<K>
  adapter: ChannelAdapter<K>
}

type Row = {
  tenantId: number
  id: string
  kind: ChannelKind
  name: string
  queueId: string | null
  externalId: string | null
  channelKey: string | null
  hookSecret: string
  proxyId: string | null
  host: Host | null
  usesSession: boolean
  abilities: Abilities
  options: ConnectionOptions
  importSince: Date | null
  importUntil: Date | null
  config: Record<string, unknown>
}

/** The beginning of a day of the company's calendar, or of the day after. */
const importDay = (option: 'importFrom' | 'importUntil', after: 0 | 1) =>
  `case when imported->>'state' is distinct from 'cancelled' then ((options->>'${option}')::date + ${after})::timestamp
    at time zone (select t.timezone from tenants t where t.id = tenant_id) end`
const columns = `tenant_id as "tenantId", id, kind, name, queue_id as "queueId", external_id as "externalId", channel_key as "channelKey", hook_secret as "hookSecret", proxy_id as "proxyId", host, uses_session as "usesSession", abilities, options, config,
  ${importDay('importFrom', 0)} as "importSince", ${importDay('importUntil', 1)} as "importUntil"`
/** A company that was closed is written to by nobody any more. */
const isInUse = `deleted_at is null and not exists (select from tenants t where t.id = tenant_id and t.status = 'closed')`
const byId: Prepared = {
  name: 'connection_by_id',
  text: `select ${columns} from connections where id = $1 and ${isInUse}`,
}
const byExternal: Prepared = {
  name: 'connection_by_external',
  text: `select ${columns} from connections where kind = $1 and external_id = $2 and ${isInUse}`,
}
const byChannelKey: Prepared = {
  name: 'connection_by_channel_key',
  text: `select ${columns} from connections where channel_key = $1 and ${isInUse}`,
}

/** A change by another process is seen after this long. */
const freshMs = 5_000
const known = new Map<string, { readAt: number; loading: Promise<OpenConnection | undefined> }>()

const remember = (key: string, load: () => Promise<OpenConnection | undefined>) => {
  const entry = known.get(key)
  if (entry && Date.now() - entry.readAt < freshMs) return entry.loading
  const loading = load()
  if (known.size > 10_000) known.clear()
  known.set(key, { readAt: Date.now(), loading })
  loading.catch(() => known.delete(key))
  return loading
}

const open = async (statement: Prepared, values: string[]): Promise<OpenConnection | undefined> => {
  const [row] = await platformRows<Row>(statement, values)
  return row && toOpen(row)
}

/** Webhooks name only the connection: the row says whose it is. Throws ERR_WAPP_NOT_INITIALIZED when it cannot be used. */
export const findConnection = (connectionId: string, { isFresh = false } = {}) => {
  if (isFresh) known.delete(`id:${connectionId}`)
  return remember(`id:${connectionId}`, () => open(byId, [connectionId]))
}
export const findConnectionByExternal = (kind: ChannelKind, externalId: string) =>
  remember(`external:${kind}:${externalId}`, () => open(byExternal, [kind, externalId]))
export const findConnectionByChannelKey = (channelKey: string) =>
  remember(`key:${channelKey}`, () => open(byChannelKey, [channelKey]))

/** Call after committing a change of a connection. */
export const forgetConnections = () => {
  known.clear()
  announce('sessions.changed')
}

export const webhookUrlOf = (kind: ChannelKind, connectionId: string) =>
  `${env.PUBLIC_URL}/hooks/${kind}/${connectionId}`

const toOpen = async <K extends ChannelKind>(row: Row & { kind: K }): Promise<OpenConnection<K>> => ({
  tenantId: row.tenantId,
  id: row.id,
  kind: row.kind,
  name: row.name,
  queueId: row.queueId,
  externalId: row.externalId,
  channelKey: row.channelKey,
  abilities: row.abilities,
  options: row.options,
  usesSession: row.usesSession,
  history: historyOf(row),
  adapter: throughOwner(await loadAdapter(row.kind), { tenantId: row.tenantId, connectionId: row.id }),
  context: await readable(row),
})

const historyOf = ({ importSince, importUntil, options }: Row): HistoryWish | undefined =>
  importSince
    ? {
        since: importSince,
        until: importUntil ?? new Date(Date.now() + dayMs),
        hasGroups: options.importGroups ?? false,
      }
    : undefined
const dayMs = 24 * 60 * 60_000

/** What was stored may no longer do: sealed under a lost key, or short of what its provider's schema asks for by now. */
const readable = async <K extends ChannelKind>(row: Row & { kind: K }): Promise<ChannelContext<K>> => {
  try {
    return await contextOf(row)
  } catch {
    throw new AppError('ERR_WAPP_NOT_INITIALIZED')
  }
}

export const contextOf = async <K extends ChannelKind>(
  row: Pick<Row, 'tenantId' | 'id' | 'hookSecret' | 'config' | 'proxyId' | 'host'> & { kind: K },
): Promise<ChannelContext<K>> => {
  const route = row.proxyId ? await routeOf(row.tenantId, row.proxyId) : undefined
  const egress = egressAlong(route)
  const { mailAccountId } = row.config
  return {
    tenantId: row.tenantId,
    connectionId: row.id,
    hookSecret: row.hookSecret,
    webhookUrl: webhookUrlOf(row.kind, row.id),
    http: egress.http,
    egress,
    proxy: route?.proxy,
    account: typeof mailAccountId === 'string' ? await mailAccountOf(row.tenantId, mailAccountId) : undefined,
    config: channelConfig[row.kind].open(row.id, row.config, await lentBy(row)) as ChannelConfig<K>, // parsed by the schema of this very kind
  }
}

/** The settings of each kind of channel, by its definition. */
export const channelConfig = Object.fromEntries(
  channelKinds.map((kind) => [kind, sealedConfig(channels[kind].config)]),
) as Record<ChannelKind, ReturnType<typeof sealedConfig>> // every kind is named

/** The stored config with its secrets open, as far as they can be. */
export const readConfig = ({ kind, id, config }: Pick<Row, 'kind' | 'id' | 'config'>): Record<string, unknown> =>
  channelConfig[kind].read(id, config)
