import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import type { Connection, connectionCreate, connectionUpdate } from '@balcao/contract/channels/connections.ts'
import { type ConnectionOptions, connectionOptions, optionsFor } from '@balcao/contract/channels/options.ts'
import { configProblems } from '@balcao/contract/core/providers/fields.ts'
import { v7 } from 'uuid'
import type { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { randomToken } from '../../../kit/crypto.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { getDirectory, invalidateDirectory } from '../../core/directory/directory.ts'
import { reserve } from '../../core/limits/reserve.ts'
import { accountOf, checkAccount, checkConfig, mergeConfig, waysOf } from './config.ts'
import { connect, disconnect, isUnique, setStatus, tell } from './connect.ts'
import type { ConnectionRow } from './connections.queries.ts'
import * as queries from './connections.queries.ts'
import { channelConfig, forgetConnections, webhookUrlOf } from './context.ts'
import { readLogin } from './login.ts'

type Create = z.output<typeof connectionCreate>
type Update = z.output<typeof connectionUpdate>

/** All connections of the company; they are few, so the list has one page. */
export const listConnections = (tenantId: number) =>
  withTenant(tenantId, async (tx) => present(tx, await queries.allRows(tx)))

export const getConnection = (tenantId: number, id: string) =>
  withTenant(tenantId, async (tx) => {
    const [shown] = await present(tx, [await requireRow(tx, id)])
    if (!shown) throw new AppError('ERR_NO_WAPP_FOUND')
    return shown
  })

/** A new connection is kept even when its provider refuses it: the state says what to correct. */
export const createConnection = async (actor: Actor, input: Create) => {
  const { kind, name, isDefault, farewellMessage, sendEvaluation, proxyId } = input
  const config = checkConfig(kind, input.config)
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
      options,
      config: channelConfig[kind].seal(id, config),
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
      options,
      config: channelConfig[kind].hide(config),
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
  if (input.config) await checkAccount(stored.kind, mergeConfig(stored, input.config), id)
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
    const { version: _, config, options, ...plain } = input
    const ways = config && (await reconfigured(before, config))
    const changed = await queries.updateRow(tx, id, {
      ...plain,
      ...ways,
      ...(options && { options: await checkOptions(actor.tenantId, ways?.abilities ?? before.abilities, options) }),
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
  if (input.config || input.proxyId !== undefined)
    await connect(row, { isTyped: channelConfig[row.kind].writesSecret(input.config ?? {}) })
  return getConnection(actor.tenantId, id)
}

/** The company's first queue serves the channels that came before it: else their customers would be hidden from its agents. */
export const serveChannels = async (tx: Tx, queueId: string) => {
  if ((await queries.countQueues(tx)) > 1) return
  for (const changed of await queries.fillQueue(tx, queueId)) await tell(tx, changed)
  tx.afterCommit(forgetConnections)
}

/** Another account has to prove itself before it is found by its name. */
const reconfigured = async (before: ConnectionRow, given: Record<string, unknown>): Promise<Partial<ConnectionRow>> => {
  const config = mergeConfig(before, given)
  const isSameAccount = (await accountOf(before.kind, config))?.id === before.externalId
  return {
    config: channelConfig[before.kind].seal(before.id, config),
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
    qrcode: readLogin(row).qr ?? null,
    pairingCode: readLogin(row).pairingCode ?? null,
    health: row.health,
    retries: row.retries,
    isDefault: row.isDefault,
    queue: directory.queues.get(row.queueId ?? '') ?? null,
    farewellMessage: row.farewellMessage,
    sendEvaluation: row.sendEvaluation,
    proxyId: row.proxyId,
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

const requireRow = async (tx: Tx, id: string, lock = false): Promise<ConnectionRow> => {
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
  const options = problems.length ? {} : connectionOptions.parse(given)
  if (options.userId && !(await getDirectory(tenantId)).people.has(options.userId))
    problems.push({ path: 'options.userId', message: 'Escolha alguém da empresa.' })
  if (problems.length) throw fieldErrors(...problems)
  return options
}

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
