import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import type {
  Connection,
  connectionCreate,
  connectionLimits,
  connectionUpdate,
} from '@balcao/contract/channels/connections.ts'
import { type ConnectionOptions, connectionOptions, optionsFor } from '@balcao/contract/channels/options.ts'
import { configProblems } from '@balcao/contract/core/providers/fields.ts'
import { v7 } from 'uuid'
import type { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { randomToken } from '../../../kit/crypto.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { getDirectory, invalidateDirectory } from '../../core/directory/directory.ts'
import { reserve } from '../../core/limits/reserve.ts'
import type { StoredFile } from '../../core/media/media.present.ts'
import { filesByIds } from '../../core/media/stored-files.ts'
import {
  accountOf,
  checkAccount,
  checkConfig,
  checkMailAccount,
  lentTo,
  mergeConfig,
  sealOwn,
  waysOf,
} from './config.ts'
import { connect, disconnect, isUnique, setStatus, tell } from './connect.ts'
import type { ConnectionRow } from './connections.queries.ts'
import * as queries from './connections.queries.ts'
import { channelConfig, forgetConnections, webhookUrlOf } from './context.ts'
import { checkHost, ownPart } from './hosts.ts'
import { readLogin } from './login.ts'

type Create = z.output<typeof connectionCreate>
type Update = z.output<typeof connectionUpdate>

/** All connections of the company; they are few, so the list has one page. */
export const listConnections = (tenantId: number) =>
  withTenant(tenantId, async (tx) => present(tx, await queries.allRows(tx)))

/** How many there are, may be, and of which kinds. */
export const readLimits = async (tenantId: number): Promise<z.output<typeof connectionLimits>> => {
  const { allowedChannels } = await getDirectory(tenantId)
  const [row] = await withTenant(tenantId, (tx) => tx.rows<{ used: number; most: number }>(limits, [tenantId]))
  return { used: row?.used ?? 0, most: row?.most ?? 0, allowedChannels }
}
const limits: Prepared = {
  name: 'connection_limits',
  text: `select max_connections as most, (select count(*)::int from connections c where c.tenant_id = t.id and c.deleted_at is null) as used
    from tenants t where id = $1`,
}

export const getConnection = (tenantId: number, id: string) =>
  withTenant(tenantId, async (tx) => {
    const [shown] = await present(tx, [await requireRow(tx, id)])
    if (!shown) throw new AppError('ERR_NO_WAPP_FOUND')
    return shown
  })

/** A new connection is kept even when its provider refuses it: the state says what to correct. */
export const createConnection = async (actor: Actor, input: Create) => {
  const { kind, name, isDefault, farewellMessage, sendEvaluation, proxyId, host } = input
  const { allowedChannels } = await getDirectory(actor.tenantId)
  if (allowedChannels && !allowedChannels.includes(kind))
    throw fieldErrors({ path: 'kind', message: 'O plano da empresa não inclui este tipo de canal.' })
  const place = { tenantId: actor.tenantId, kind, host }
  await checkHost(place, proxyId)
  const config = await checkConfig(place, input.config)
  await checkMailAccount(place, config)
  await checkAccount(kind, config)
  const ways = await waysOf(kind, config)
  const options = await checkOptions(actor.tenantId, ways.abilities, input.options)
  const id = v7()
  const row = await withTenant(actor.tenantId, async (tx) => {
    await reserve(tx, 'connections')
    const queueId = input.queueId === undefined ? await queries.firstQueueId(tx) : input.queueId
    await checkQueue(tx, queueId)
    await checkProxy(tx, proxyId)
    if (isDefault) await takeDefault(tx, { id, kind })
    await queries.insertRow(tx, {
      tenantId: actor.tenantId,
      id,
      kind,
      name,
      isDefault,
      queueId,
      farewellMessage,
      sendEvaluation,
      proxyId,
      host,
      options,
      config: sealOwn({ id, kind, host }, config),
      ...ways,
      hookSecret: randomToken(24),
      channelKey: kind === 'webchat' ? `wc_${randomToken(12)}` : null,
    })
    const after = {
      kind,
      name,
      isDefault,
      queueId,
      farewellMessage,
      sendEvaluation,
      proxyId,
      host,
      options,
      config: channelConfig[kind].hide(ownPart(place, config)),
    }
    await writeAudit(tx, actor, { action: 'create', entity: 'connection', entityId: id, before: null, after })
    return requireRow(tx, id)
  }).catch(nameTaken)
  invalidateDirectory(actor.tenantId)
  await connect(row, { isTyped: true })
  return getConnection(actor.tenantId, id)
}

export const updateConnection = async (actor: Actor, id: string, input: Update) => {
  const stored = await withTenant(actor.tenantId, (tx) => requireRow(tx, id))
  const { host = stored.host, proxyId = stored.proxyId } = input
  const isElsewhere = host !== stored.host
  await checkHost({ ...stored, host }, proxyId)
  // What it says of itself is another thing on another server.
  const given = input.config ?? (isElsewhere ? {} : undefined)
  const configured = given && { given, host, lent: await lentTo(stored, host) }
  if (configured) {
    const config = merged(stored, configured)
    await checkMailAccount(stored, config)
    await checkAccount(stored.kind, config, id)
  }
  const row = await withTenant(actor.tenantId, async (tx) => {
    if (input.isDefault) await queries.lockCompany(tx)
    const before = await requireRow(tx, id, true)
    if (input.version !== undefined && input.version !== before.version) {
      const [current] = await present(tx, [before])
      throw new AppError('ERR_CONFLICT', { details: { current } })
    }
    await checkQueue(tx, input.queueId ?? null)
    await checkProxy(tx, input.proxyId ?? null)
    if (input.isDefault) await takeDefault(tx, before)
    const { version: _, config: __, options, ...plain } = input
    const ways = configured && (await reconfigured(before, configured))
    const changed = await queries.updateRow(tx, id, {
      ...plain,
      ...ways,
      ...(options && (await changedOptions(before, ways?.abilities ?? before.abilities, options))),
    })
    if (changed) await tell(tx, changed)
    const after = await requireRow(tx, id)
    await writeAudit(tx, actor, {
      action: 'update',
      entity: 'connection',
      entityId: id,
      before: audited(before),
      after: audited(after),
    })
    return after
  }).catch(nameTaken)
  forgetConnections()
  invalidateDirectory(actor.tenantId)
  if (given || input.proxyId !== undefined)
    await connect(row, { isTyped: channelConfig[row.kind].writesSecret(input.config ?? {}) })
  return getConnection(actor.tenantId, id)
}

/** The company's first queue serves the channels that came before it: else their customers would be hidden from its agents. */
export const serveChannels = async (tx: Tx, queueId: string) => {
  if ((await queries.countQueues(tx)) > 1) return
  for (const changed of await queries.fillQueue(tx, queueId)) await tell(tx, changed)
  tx.afterCommit(forgetConnections)
}

type Configured = {
  given: Record<string, unknown>
  host: ConnectionRow['host']
  lent: Awaited<ReturnType<typeof lentTo>>
}
const merged = (row: ConnectionRow, { given, host, lent }: Configured) => mergeConfig(row, given, host, lent)

/** Another account has to prove itself before it is found by its name. */
const reconfigured = async (before: ConnectionRow, configured: Configured): Promise<Partial<ConnectionRow>> => {
  const config = merged(before, configured)
  const isSameAccount = (await accountOf(before.kind, config))?.id === before.externalId
  return {
    config: sealOwn({ ...before, host: configured.host }, config),
    ...(await waysOf(before.kind, config)),
    externalId: isSameAccount ? before.externalId : null,
  }
}

const audited = (row: ConnectionRow) => ({
  name: row.name,
  isDefault: row.isDefault,
  queueId: row.queueId,
  farewellMessage: row.farewellMessage,
  sendEvaluation: row.sendEvaluation,
  proxyId: row.proxyId,
  host: row.host,
  options: row.options,
  config: channelConfig[row.kind].hide(row.config),
})

/** The connection disappears from the screens; its conversations stay. Refused while conversations are active. */
export const deleteConnection = async (actor: Actor, id: string) => {
  const row = await withTenant(actor.tenantId, async (tx) => {
    const before = await requireRow(tx, id, true)
    if (await queries.hasActiveTickets(tx, id)) {
      const message = 'Existem atendimentos em andamento neste canal. Encerre-os antes de excluir.'
      throw new AppError('ERR_IN_USE', { message })
    }
    await queries.softDelete(tx, id)
    const gone = { name: before.name, kind: before.kind }
    await writeAudit(tx, actor, { action: 'delete', entity: 'connection', entityId: id, before: gone, after: null })
    await emit(tx, 'connection.deleted', { id }, { kind: 'permission', can: 'connections.read' })
    await emit(tx, 'tenantConnection.deleted', { id }, { kind: 'platform', can: 'tenants.read' })
    return before
  })
  forgetConnections()
  await disconnect(row)
}

/** The "testar" button. */
export const testConnection = async (tenantId: number, id: string) => {
  const { status, text } = await connect(await withTenant(tenantId, (tx) => requireRow(tx, id)))
  return { ok: status === 'CONNECTED', text }
}

/** The pipes learned something about a connection (token revoked, account locked): stored and told. */
export const markConnection = async (
  tenantId: number,
  id: string,
  status: Connection['status'],
  text: string,
  at = new Date(),
) => {
  await withTenant(tenantId, (tx) => setStatus(tx, id, status, text, at))
  forgetConnections()
}

const present = async (tx: Tx, rows: ConnectionRow[]): Promise<Connection[]> => {
  if (!rows.length) return []
  const directory = await getDirectory(tx.tenantId)
  const unknown = await queries.unknownCounts(
    tx,
    rows.map((row) => row.id),
  )
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    name: row.name,
    status: row.status,
    statusText: row.statusText,
    ...readLogin(row),
    account: row.account,
    imported: row.imported,
    stoppedAt: row.stoppedAt?.toISOString() ?? null,
    lostAt: row.lostAt?.toISOString() ?? null,
    health: row.health,
    alerts: row.alerts,
    retries: row.retries,
    isDefault: row.isDefault,
    queue: directory.queues.get(row.queueId ?? '') ?? null,
    farewellMessage: row.farewellMessage,
    sendEvaluation: row.sendEvaluation,
    proxyId: row.proxyId,
    host: row.host,
    options: row.options,
    config: channelConfig[row.kind].hide(row.config),
    abilities: row.abilities,
    webhookUrl: webhookUrlOf(row.kind, row.id),
    channelKey: row.channelKey,
    unknownEvents: unknown.get(row.id) ?? 0,
    lastInboundAt: row.lastInboundAt?.toISOString() ?? null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }))
}

export const requireRow = async (tx: Tx, id: string, lock = false): Promise<ConnectionRow> => {
  const row = await queries.findRow(tx, id, lock)
  if (!row) throw new AppError('ERR_NO_WAPP_FOUND')
  return row
}

const takeDefault = async (tx: Tx, { id, kind }: Pick<ConnectionRow, 'id' | 'kind'>) => {
  for (const other of await queries.clearDefault(tx, kind, id)) await tell(tx, other)
}

const checkQueue = async (tx: Tx, queueId: string | null) => {
  if (queueId && !(await queries.hasQueue(tx, queueId))) {
    throw fieldErrors({ path: 'queueId', message: 'Escolha uma fila da empresa.' })
  }
}

/** Whoever wants other old conversations than before begins anew. */
const changedOptions = async (
  before: ConnectionRow,
  abilities: Abilities,
  given: Record<string, unknown>,
): Promise<Partial<ConnectionRow>> => {
  const options = await checkOptions(before.tenantId, abilities, given)
  const wish = ({ importFrom, importUntil, importGroups }: ConnectionOptions) =>
    JSON.stringify([importFrom, importUntil, importGroups])
  return { options, ...(wish(options) !== wish(before.options) && { imported: null }) }
}

/** As one typed whole, for what the connection can do; whoever is named works here. */
const checkOptions = async (
  tenantId: number,
  abilities: Abilities,
  given: Record<string, unknown>,
): Promise<ConnectionOptions> => {
  const schema = optionsFor(abilities)
  const problems = configProblems(schema, given, null, 'options')
  const unknown = Object.keys(given).filter((name) => !(name in schema.shape))
  for (const name of unknown) problems.push({ path: `options.${name}`, message: 'Este canal não tem esta opção.' })
  const parsed = connectionOptions.safeParse(given)
  for (const { path, message } of problems.length ? [] : (parsed.error?.issues ?? []))
    problems.push({ path: `options.${path.join('.')}`, message })
  const options = parsed.data ?? {}
  if (options.birthdayMediaId && !(await isPicture(tenantId, options.birthdayMediaId)))
    problems.push({ path: 'options.birthdayMediaId', message: 'Escolha uma imagem que você enviou.' })
  if (options.userId && !(await getDirectory(tenantId)).people.has(options.userId))
    problems.push({ path: 'options.userId', message: 'Escolha alguém da empresa.' })
  if (options.importQueueId && !(await getDirectory(tenantId)).queues.has(options.importQueueId))
    problems.push({ path: 'options.importQueueId', message: 'Escolha uma fila da empresa.' })
  if (options.chatFlowId && !(await getDirectory(tenantId)).flows.has(options.chatFlowId))
    problems.push({ path: 'options.chatFlowId', message: 'Escolha um fluxo da empresa.' })
  if (options.importFrom && options.importUntil && options.importUntil < options.importFrom)
    problems.push({ path: 'options.importUntil', message: 'O fim do período vem antes do começo.' })
  if (problems.length) throw fieldErrors(...problems)
  return options
}

const isPicture = (tenantId: number, id: string) =>
  withTenant(tenantId, async (tx) => (await tx.rows<StoredFile>(filesByIds, [tenantId, [id]]))[0]?.kind === 'image')

const checkProxy = async (tx: Tx, proxyId: string | null) => {
  if (proxyId && !(await queries.hasProxy(tx, proxyId)))
    throw fieldErrors({ path: 'proxyId', message: 'Escolha um proxy da empresa.' })
}

const nameTaken = (error: unknown): never => {
  if (isUnique(error, 'connections_name')) {
    throw fieldErrors({ path: 'name', message: 'Já existe um canal com este nome.' })
  }
  throw error
}
