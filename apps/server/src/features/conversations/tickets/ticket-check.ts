import type { ticketCheck } from '@balcao/contract/conversations/tickets.ts'
import type { z } from 'zod'
import { type Prepared, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { emitAll } from '../../../kit/outbox.ts'
import { binding } from '../../../kit/sql.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { findActiveTicket, findTicket, findTickets } from './ticket-rows.ts'
import { canSee, viewerOf, visibleTickets } from './tickets.policy.ts'
import { factsOf } from './tickets.present.ts'

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
  const text = `update tickets set bot = null, version = version + 1 where tenant_id = ${bind(actor.tenantId)} and id in (
      select t.id from tickets t where t.tenant_id = $1 and t.bot is not null and ${visibleTickets(viewer, { showAll: true }, bind)}
      order by t.id limit ${batch} for no key update) returning id`
  const step = (statement: Prepared) =>
    withTenant(actor.tenantId, async (tx) => {
      const rows = await tx.rows<{ id: string }>(statement, values)
      const changed = rows.length
        ? await findTickets(
            tx,
            rows.map(({ id }) => id),
          )
        : []
      await emitAll(
        tx,
        changed.map((ticket) => ({
          name: 'ticket.updated' as const,
          payload: ticket,
          audience: { kind: 'ticket' as const, facts: factsOf(ticket) },
        })),
      )
      return changed.length
    })
  let cleared = 0
  for (let count = batch; count === batch; cleared += count) count = await step({ name: '', text })
  return { cleared }
}
