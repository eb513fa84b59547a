import { and, eq } from 'drizzle-orm'
import { withTenant } from '../../../db/database.ts'
import { tickets } from '../../../db/schema/conversations/tickets.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { visibleContacts } from '../../contacts/contacts/contacts.policy.ts'
import { deleteContactIn } from '../../contacts/contacts/contacts.service.ts'
import { factsOf } from '../timeline/ticket-facts.ts'
import { findTickets } from './ticket-rows.ts'
import { auditOfDeleted } from './tickets.service.ts'

/** A contact goes with every conversation of theirs, messages and all: for who may delete both. */
export const deleteWithTickets = async (actor: Actor, contactId: string): Promise<void> => {
  if (!actor.permissions.has('contacts.delete')) throw new AppError('ERR_NO_PERMISSION')
  const visible = await visibleContacts(actor)
  await withTenant(actor.tenantId, (tx) =>
    deleteContactIn(tx, actor, contactId, visible, async () => {
      const theirs = and(eq(tickets.tenantId, tx.tenantId), eq(tickets.contactId, contactId))
      const rows = await tx.db.select({ id: tickets.id }).from(tickets).where(theirs).for('update')
      if (!rows.length) return
      const gone = await findTickets(
        tx,
        rows.map(({ id }) => id),
      )
      await tx.db.delete(tickets).where(theirs)
      for (const ticket of gone) {
        await writeAudit(tx, actor, auditOfDeleted(ticket))
        await emit(tx, 'ticket.hidden', { id: ticket.id }, { kind: 'ticket', facts: factsOf(ticket) })
      }
    }),
  )
}
