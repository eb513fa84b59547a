import type { Connection } from '@balcao/contract/channels/connections.ts'
import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import { ChannelError, type Standing } from '../../../channels/adapter.ts'
import { loadAdapter } from '../../../channels/index.ts'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { emit, emitAll } from '../../../kit/outbox.ts'
import { accountMet } from './account-met.ts'
import { accountOf, accountTaken, checkAccount, learnConfig, readWhole, sealOwn } from './config.ts'
import {
  type ConnectionRow,
  changeAccount,
  changePicture,
  changeStatus,
  setExternalId,
  type Told,
  updateRow,
} from './connections.queries.ts'
import { contextOf, forgetConnections } from './context.ts'
import { tellLogin } from './login.ts'

type OnConnected = (row: ConnectionRow) => Promise<void>
let connected: OnConnected = async () => {}
/** What follows once a provider has accepted a connection; a feature above this one registers it. */
export const onConnected = (handler: OnConnected) => {
  connected = handler
}

type Outcome = Standing & { config?: Record<string, unknown> }

/** Tries the stored config with the provider and records what came of it. `isTyped`: somebody has just written its secrets. */
export const connect = async (row: ConnectionRow, { isTyped = false } = {}): Promise<Outcome> => {
  const outcome = await tryConnect(row, isTyped)
  if (outcome) await record(row, outcome)
  await withTenant(row.tenantId, (tx) => tx.rows(lookLater, [row.tenantId, row.id]))
  forgetConnections()
  if (outcome?.status === 'CONNECTED') await connected(row)
  return outcome ?? { status: row.status, text: row.statusText ?? '' }
}

/** A look that is under way asked before this, and changes nothing. */
const lookLater: Prepared = {
  name: 'connection_look_later',
  text: `update connections set check_due_at = now() + interval '20 seconds' where tenant_id = $1 and id = $2`,
}

const tryConnect = async <K extends ChannelKind>(
  row: ConnectionRow & { kind: K },
  isTyped: boolean,
): Promise<Outcome | null> => {
  try {
    const context = await contextOf(row)
    await checkAccount(row.kind, context.config, row.id)
    const { isLeftToSession, ...told } = await (await loadAdapter(row.kind)).connect(context)
    return isLeftToSession ? null : { status: 'CONNECTED', ...told }
  } catch (error) {
    return { status: 'ERROR', text: reasonOf(row, error, isTyped) }
  }
}

const reasonOf = (row: ConnectionRow, error: unknown, isTyped: boolean): string => {
  if (error instanceof ChannelError) {
    const { text, mistyped } = error.forAdmin
    const hasWorked = row.externalId !== null && !isTyped
    return hasWorked ? text : (mistyped ?? text)
  }
  if (error instanceof AppError) return error.code === 'ERR_VALIDATION' ? accountTaken : error.message
  log.error({ err: error, tenantId: row.tenantId, connectionId: row.id }, 'connection could not be tried')
  return 'Não conseguimos falar com o provedor. Confira os dados do canal.'
}

/** Keeps what came of it, and what was learned. Only who proved to hold the account may be found by its name. */
export const record = async (row: ConnectionRow, { config: learned, ...standing }: Outcome) => {
  const config = learned && (await learnConfig(row, learned))
  const isProven = standing.status === 'CONNECTED' || standing.status === 'OPENING'
  const account = isProven ? await accountOf(row.kind, config ?? (await readWhole(row))) : undefined
  if (config) await withTenant(row.tenantId, (tx) => updateRow(tx, row.id, { config: sealOwn(row, config) }))
  const write = async (externalId: string | undefined, state: Standing) => {
    if (externalId) await withTenant(row.tenantId, (tx) => setExternalId(tx, row.id, externalId))
    await keepStanding(row, state, { isExpected: state.status === 'OPENING' })
  }
  await write(account?.id, standing).catch((error) => {
    if (!isUnique(error, 'connections_external')) throw error
    return write(undefined, { status: 'ERROR', text: accountTaken })
  })
}

/** How a connection stands by its provider's word: stored and told, with what links a phone to it. */
export const keepStanding = async (
  { tenantId, id }: Pick<ConnectionRow, 'tenantId' | 'id'>,
  { status, text, login, account }: Standing,
  { at, isExpected = Boolean(login) }: { at?: Date; isExpected?: boolean } = {},
) => {
  await tellLogin(tenantId, id, login ?? null)
  await withTenant(tenantId, async (tx) => {
    const met = account && (await changeAccount(tx, id, account))
    if (met) await accountMet(tx, id)
    const news = (await changeStatus(tx, id, status, text, { at, isExpected })) ?? met
    if (news) await tell(tx, news)
  })
}

/** Stores and tells a state, when it is news. */
export const setStatus = async (tx: Tx, id: string, status: Connection['status'], text: string, at?: Date) => {
  const changed = await changeStatus(tx, id, status, text, { at })
  if (changed) await tell(tx, changed)
}

/** Stores and tells what its account looks like: an address of ours, or null. */
export const keepPicture = async (tx: Tx, id: string, picture: string | null) => {
  const changed = await changePicture(tx, id, picture)
  if (changed) await tell(tx, changed)
}

/** To the company's people, and to whoever runs the platform. */
export const tell = (tx: Tx, connection: Told) => {
  const { id, name, status, statusText, stoppedAt, account } = connection
  const shown = account && { number: account.number, name: account.name }
  const change = { id, name, status, statusText, stoppedAt, account: shown }
  return emitAll(tx, [
    { name: 'connection.updated', payload: connection, audience: companys },
    { name: 'tenantConnection.updated', payload: change, audience: { kind: 'platform', can: 'tenants.read' } },
  ])
}
/** What only the company looks at while it goes on. */
export const tellCompany = (tx: Tx, connection: Told) => emit(tx, 'connection.updated', connection, companys)
const companys = { kind: 'permission', can: 'connections.read' } as const

/** The provider stops calling us; the account may be gone already. */
export const disconnect = async <K extends ChannelKind>(row: ConnectionRow & { kind: K }) => {
  try {
    await (await loadAdapter(row.kind)).disconnect?.(await contextOf(row))
  } catch (error) {
    log.info({ err: error, tenantId: row.tenantId, connectionId: row.id }, 'provider not told of the disconnection')
  }
}

export const isUnique = (error: unknown, index: string): boolean => {
  const cause = error instanceof Error && error.cause ? error.cause : error
  return typeof cause === 'object' && cause !== null && 'constraint' in cause && cause.constraint === index
}
