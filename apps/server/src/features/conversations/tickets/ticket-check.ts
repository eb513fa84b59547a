import type { ticketCheck } from '@balcao/contract/conversations/tickets.ts'
import type { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { binding } from '../../../kit/sql.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { factsOf } from '../timeline/ticket-facts.ts'
import { findActiveTicket, findTicket } from './ticket-rows.ts'
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

type Forget = (tx: Tx, ticketIds: readonly string[]) => Promise<number>
let forget: Forget = async () => 0
/** What assistants remember belongs to them: handed in by the one file that knows all features. */
export const onClearMemory = (given: Forget) => {
  forget = given
}

/**
 * GET /ticketsClear: what assistants remember of the conversations this person sees is forgotten; each goes on as if it
 * began now. The conversation itself, and who answers it, is never touched.
 */
export const clearMemory = async (actor: Actor): Promise<{ cleared: number }> => {
  const viewer = viewerOf(await getDirectory(actor.tenantId), actor.userId)
  let [cleared, after] = [0, '00000000-0000-0000-0000-000000000000']
  for (;;) {
    const { values, bind } = binding()
    const text = `select t.id from tickets t where t.tenant_id = ${bind(actor.tenantId)} and t.id > ${bind(after)}
        and (t.bot is not null or t.assistant_at is not null) and ${visibleTickets(viewer, { showAll: true }, bind)}
      order by t.id limit ${batch} for no key update of t`
    const ids = await withTenant(actor.tenantId, async (tx) => {
      const found = (await tx.rows<{ id: string }>({ name: '', text }, values)).map(({ id }) => id)
      cleared += await forget(tx, found)
      return found
    })
    const last = ids.at(-1)
    if (!last || ids.length < batch) return { cleared }
    after = last
  }
}
