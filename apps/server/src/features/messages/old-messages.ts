import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import { sql } from 'drizzle-orm'
import { type Tx, withTenant } from '../../db/database.ts'
import type { Actor } from '../../kit/actor.ts'
import { AppError } from '../../kit/errors.ts'
import { getContact } from '../contacts/contacts.service.ts'
import { getDirectory } from '../directory/directory.ts'
import { requireVisible } from './visible.ts'

/**
 * The calls of spec §7 that fetch what was said before a channel was connected here. None of today's providers gives
 * that out, so each says so, to those who may see the row it was asked for; the web hides them (`history` in `supports`).
 */
export const syncOldMessages = async (
  actor: Actor,
  of: { ticketId: string } | { contactId: string; whatsappId: string } | { whatsappId: string },
): Promise<never> => {
  if ('contactId' in of) await getContact(actor, of.contactId)
  const directory = await getDirectory(actor.tenantId)
  const kind = await withTenant(actor.tenantId, async (tx) =>
    'ticketId' in of ? (await requireVisible(tx, actor, directory, of.ticketId)).kind : await kindOf(tx, of.whatsappId),
  )
  throw new AppError('ERR_CHANNEL_UNSUPPORTED', {
    message: `${channels[kind].label} não entrega mensagens antigas: o histórico começa quando o canal é conectado aqui.`,
  })
}

const kindOf = async (tx: Tx, id: string): Promise<ChannelKind> => {
  const { rows } = await tx.db.execute<{ kind: ChannelKind }>(
    sql`select kind from connections where tenant_id = ${tx.tenantId} and id = ${id}::uuid and deleted_at is null`,
  )
  if (!rows[0]) throw new AppError('ERR_NO_WAPP_FOUND')
  return rows[0].kind
}
