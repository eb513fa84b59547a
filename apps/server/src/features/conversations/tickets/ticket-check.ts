import type { ticketCheck } from '@balcao/contract/conversations/tickets.ts'
import type { z } from 'zod'
import { type Prepared, withTenant } from '../../../db/database.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { binding } from '../../../kit/sql.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { factsOf } from '../timeline/ticket-facts.ts'
import { commitTicketChanges } from './commit-ticket-changes.ts'
import { findActiveTicket, findTicket, findTickets } from './ticket-rows.ts'
import { canSee, viewerOf, visibleTickets } from './tickets.policy.ts'

/** GET /ticketscheck/{contactId}/{whatsappId}: is there an active ticket; whose it is only for those who may see it. */
export const checkTicket = async (
  actor: Actor,
  contactId: string,
  connectionId: string,
): Promise<z.output<typeof ticketCheck>> => {
  const viewer = viewerOf(await getDirectory(actor.tenantId), actor.userId)
  return withTenant(actor.tenantId, async (tx) => {
    const active = await findActiveTicket(tx, connectionId, contactId)
    const ticket = active && (await findTicket(tx, active.ticketId))
    if (!ticket) return { exists: false, status: null, ticketId: null, userId: null, userName: null }
    if (!canSee(viewer, factsOf(ticket)))
      return { exists: true, status: ticket.status, ticketId: null, userId: null, userName: null }
    const { id: ticketId, status, userId, username: userName } = ticket
    return { exists: true, status, ticketId, userId, userName }
  })
}

const batch = 100

/**
 * GET /ticketsClear: what an assistant remembers of the conversations this person sees is forgotten. Today that is who
 * of them answers; the conversation itself is never touched.
 */
export const clearMemory = async (actor: Actor): Promise<{ cleared: number }> => {
  const viewer = viewerOf(await getDirectory(actor.tenantId), actor.userId)
  const { values, bind } = binding()
  const text = `select t.id from tickets t where t.tenant_id = ${bind(actor.tenantId)} and t.bot is not null and ${visibleTickets(viewer, { showAll: true }, bind)}
      order by t.id limit ${batch} for no key update of t`
  const step = (statement: Prepared) =>
    withTenant(actor.tenantId, async (tx) => {
      const rows = await tx.rows<{ id: string }>(statement, values)
      const found = await findTickets(
        tx,
        rows.map(({ id }) => id),
      )
      await commitTicketChanges(
        tx,
        found.map((before) => ({ before, set: { bot: null } })),
        byUser(actor),
      )
      return found.length
    })
  let cleared = 0
  for (let count = batch; count === batch; cleared += count) count = await step({ name: '', text })
  return { cleared }
}
