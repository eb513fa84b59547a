import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import { sql } from 'drizzle-orm'
import { type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { getContact } from '../../contacts/contacts/contacts.service.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { requireVisible } from './visible.ts'

/**
 * The calls that fetch what was said before a channel was connected here. None of today's providers gives
 * that out, so each says so, to those who may see the row it was asked for; the web hides them (`history` in `supports`).
 */
export const syncOldMessages = async (
  actor: Actor,
  of: { ticketId?: string; contactId?: string; whatsappId?: string; tenantId?: number },
): Promise<never> => {
  const { ticketId, contactId, whatsappId, tenantId = actor.tenantId } = of
  // Ruling 12: a company named in a body is the caller's own.
  if (tenantId !== actor.tenantId) throw fieldErrors({ path: 'tenantId', message: 'Esta não é a sua empresa.' })
  if (contactId) await getContact(actor, contactId)
  const directory = await getDirectory(actor.tenantId)
  const kind = await withTenant(actor.tenantId, async (tx) => {
    if (ticketId) return (await requireVisible(tx, actor, directory, ticketId)).kind
    return whatsappId ? kindOf(tx, whatsappId) : null
  })
  const who = kind ? `${channels[kind].label} não entrega` : 'Os canais conectados não entregam'
  throw new AppError('ERR_CHANNEL_UNSUPPORTED', {
    message: `${who} mensagens antigas: o histórico começa quando o canal é conectado aqui.`,
  })
}

const kindOf = async (tx: Tx, id: string): Promise<ChannelKind> => {
  const { rows } = await tx.db.execute<{ kind: ChannelKind }>(
    sql`select kind from connections where tenant_id = ${tx.tenantId} and id = ${id}::uuid and deleted_at is null`,
  )
  if (!rows[0]) throw new AppError('ERR_NO_WAPP_FOUND')
  return rows[0].kind
}
