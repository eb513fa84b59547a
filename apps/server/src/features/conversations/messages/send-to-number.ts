import type { Message, MessageSend } from '@balcao/contract/conversations/messages.ts'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Tx, withTenant } from '../../../db/database.ts'
import { connections } from '../../../db/schema/channels/connections.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { readableContacts } from '../../contacts/contacts/contacts.policy.ts'
import { resolveContact } from '../../contacts/contacts/identify.ts'
import { parsePhone } from '../../contacts/contacts/phone.ts'
import { refuseBlocked } from '../../contacts/contacts/refuse-blocked.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { findActiveTicket } from '../tickets/ticket-rows.ts'
import { applyPatch, createTicket, lockVisibleTicket, otherOpenTicket } from '../tickets/tickets.service.ts'
import { writeLines } from '../timeline/lines.ts'
import { sendIn } from './send-message.ts'

type Target = { connectionId: string; number: string }

/**
 * Sends to a phone over a connection: in the conversation that is open there, or in a new one of this person's, with a
 * new contact where nobody has the number. All of it or nothing: a refused message opens no conversation.
 */
export const sendToNumber = async (
  actor: Actor,
  { connectionId, number }: Target,
  input: MessageSend,
): Promise<Message> => {
  const phone = parsePhone(number)
  if (!phone) throw fieldErrors({ path: 'number', message: 'Telefone inválido. Informe com DDD.' })
  const directory = await getDirectory(actor.tenantId)
  const readable = (await readableContacts(actor)) ?? sql`true`
  return withTenant(actor.tenantId, async (tx) => {
    await refuseBlocked(tx, phone)
    const [connection] = await tx.db
      .select({ queueId: connections.queueId })
      .from(connections)
      .where(
        and(eq(connections.tenantId, tx.tenantId), eq(connections.id, connectionId), isNull(connections.deletedAt)),
      )
    if (!connection) throw new AppError('ERR_NO_WAPP_FOUND')
    const { contactId } = await resolveContact(tx, { identities: [{ kind: 'phone', value: phone }] })
    const { rows } = await tx.db.execute(sql`select from contacts c
      where c.tenant_id = ${tx.tenantId} and c.id = ${contactId} and ${readable}`)
    if (!rows.length) throw new AppError('ERR_NO_CONTACT_FOUND')
    const ticketId = await conversationOn(tx, directory, actor, {
      contactId,
      connectionId,
      queueId: connection.queueId,
    })
    const outcome = await sendIn(tx, directory, actor, ticketId, input)
    if ('newer' in outcome) throw new AppError('ERR_CONFLICT', { details: outcome })
    return outcome
  })
}

/** The one that is open there, taken where it waits for somebody; else a new one. */
const conversationOn = async (
  tx: Tx,
  directory: Directory,
  actor: Actor,
  { contactId, connectionId, queueId }: { contactId: string; connectionId: string; queueId: string | null },
): Promise<string> => {
  const active = await findActiveTicket(tx, connectionId, contactId)
  if (!active) {
    const opened = { contactId, connectionId, queueId, status: 'open' as const, userId: actor.userId }
    const ticket = await createTicket(tx, { ...opened, createdBy: byUser(actor) })
    const line = { type: 'system' as const, body: `${actor.name} iniciou o atendimento.` }
    await writeLines(tx, byUser(actor), [{ ticket, lines: [line] }])
    return ticket.id
  }
  const ticket = await lockVisibleTicket(tx, actor, active.ticketId).catch((error) => {
    throw error instanceof AppError ? otherOpenTicket(active) : error
  })
  if (ticket.status === 'pending') {
    const patch = { status: 'open' as const, userId: actor.userId }
    await applyPatch(tx, ticket, patch, { by: actor, author: byUser(actor), directory })
  }
  return ticket.id
}
