import type { Connection } from '@balcao/contract/channels/connections.ts'
import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import { ChannelError } from '../../../channels/adapter.ts'
import { loadAdapter } from '../../../channels/index.ts'
import { type Tx, withTenant } from '../../../db/database.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { emit } from '../../../kit/outbox.ts'
import { accountOf, accountTaken, checkAccount } from './config.ts'
import { type ConnectionRow, changeStatus, setExternalId, type Told } from './connections.queries.ts'
import { contextOf, forgetConnections, readConfig } from './context.ts'

type OnConnected = (row: ConnectionRow) => Promise<void>
let connected: OnConnected = async () => {}
/** What follows once a provider has accepted a connection; a feature above this one registers it. */
export const onConnected = (handler: OnConnected) => {
  connected = handler
}

type Outcome = { status: Connection['status']; text: string }

/** Tries the stored config with the provider and records what came of it. `isTyped`: somebody has just written its secrets. */
export const connect = async (row: ConnectionRow, { isTyped = false } = {}): Promise<Outcome> => {
  const outcome = await tryConnect(row, isTyped)
  await record(row, outcome)
  forgetConnections()
  if (outcome.status === 'CONNECTED') await connected(row)
  return outcome
}

const tryConnect = async <K extends ChannelKind>(
  row: ConnectionRow & { kind: K },
  isTyped: boolean,
): Promise<Outcome> => {
  try {
    const context = await contextOf(row)
    await checkAccount(row.kind, context.config, row.id)
    const { text, status = 'CONNECTED' } = await (await loadAdapter(row.kind)).connect(context)
    return { status, text }
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

/** Only who proved to hold the account may be found by its name. */
const record = async (row: ConnectionRow, { status, text }: Outcome) => {
  const account = status === 'CONNECTED' ? await accountOf(row.kind, readConfig(row)) : undefined
  const write = (externalId: string | undefined, state: Outcome) =>
    withTenant(row.tenantId, async (tx) => {
      if (externalId) await setExternalId(tx, row.id, externalId)
      await setStatus(tx, row.id, state.status, state.text)
    })
  await write(account?.id, { status, text }).catch((error) => {
    if (!isUnique(error, 'connections_external')) throw error
    return write(undefined, { status: 'ERROR', text: accountTaken })
  })
}

/** Stores and tells a state, when it is news. */
export const setStatus = async (tx: Tx, id: string, status: Connection['status'], text: string, at?: Date) => {
  const changed = await changeStatus(tx, id, status, text, at)
  if (changed) await tell(tx, changed)
}

export const tell = (tx: Tx, connection: Told) =>
  emit(tx, 'connection.updated', connection, { kind: 'permission', can: 'connections.read' })

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
