import { ChannelError } from '../../../channels/adapter.ts'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError } from '../../../kit/errors.ts'
import { connect, keepStanding, record, tell } from './connect.ts'
import { updateRow } from './connections.queries.ts'
import { getConnection, requireRow } from './connections.service.ts'
import { findConnection, forgetConnections } from './context.ts'

/** Its session is closed and what is to be sent waits, until it is started again; its login stays. */
export const stopConnection = async (actor: Actor, id: string) => {
  await turn(actor, id, 'connection.stopped', {
    stoppedAt: new Date(),
    status: 'DISCONNECTED',
    lostAt: null,
    statusText: 'Parado: nada é enviado até que alguém o inicie.',
  })
  return getConnection(actor.tenantId, id)
}

/** To work, or afresh: a session is opened anew, the provider is asked how the account is. */
export const startConnection = async (actor: Actor, id: string) => {
  await turn(actor, id, 'connection.started', { stoppedAt: null })
  await connect(await withTenant(actor.tenantId, (tx) => requireRow(tx, id)))
  return getConnection(actor.tenantId, id)
}

/** A new code that links a phone: to scan or, with its number, to type there. */
export const linkConnection = async (actor: Actor, id: string, target: { phone?: string }) => {
  const { row, adapter, context } = await openOwn(actor, id)
  if (!adapter.link) throw new AppError('ERR_VALIDATION', { message: 'Este canal não se conecta por código.' })
  // Another phone brings its own old conversations.
  if (row.stoppedAt || (row.imported && row.status !== 'CONNECTED'))
    await turn(actor, id, 'connection.started', { stoppedAt: null, imported: null })
  await record(row, await asked(adapter.link(target, context)))
  forgetConnections()
  return getConnection(actor.tenantId, id)
}

/** The login ends at the provider: to work again, a phone has to be linked anew. Its conversations stay. */
export const unlinkConnection = async (actor: Actor, id: string) => {
  const { row, adapter, context } = await openOwn(actor, id)
  if (!adapter.unlink) return stopConnection(actor, id)
  await asked(adapter.unlink({}, context))
  await turn(actor, id, 'connection.unlinked', {})
  const text = 'Desconectado por vocês. Para voltar a atender, gere um novo código.'
  await keepStanding(row, { status: 'DISCONNECTED', text }, { isExpected: true })
  return getConnection(actor.tenantId, id)
}

/** The version is what the owner of a session reads: another one means to open it anew. */
const turn = async (actor: Actor, id: string, action: string, patch: Parameters<typeof updateRow>[2]) => {
  await withTenant(actor.tenantId, async (tx) => {
    const { name, kind } = await requireRow(tx, id, true)
    const changed = await updateRow(tx, id, patch)
    if (changed) await tell(tx, changed)
    await writeAudit(tx, actor, { action, entity: 'connection', entityId: id, before: null, after: { name, kind } })
  })
  forgetConnections()
}

/** A connection of this company with its provider's adapter. */
export const openOwn = async (actor: Actor, id: string) => {
  const row = await withTenant(actor.tenantId, (tx) => requireRow(tx, id))
  const connection = await findConnection(id, { isFresh: true })
  if (!connection) throw new AppError('ERR_NO_WAPP_FOUND')
  return { row, adapter: connection.adapter, context: connection.context }
}

/** For a person who waits. */
export const asked = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call
  } catch (error) {
    if (error instanceof ChannelError) throw new AppError('ERR_CHANNEL_REFUSED', { message: error.textForCaller })
    throw error
  }
}
