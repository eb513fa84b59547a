import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { withTenant } from '../../../db/database.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { binding } from '../../../kit/sql.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { commitTicketChange } from './commit-ticket-changes.ts'
import { planChange, toCommit } from './ticket-changes.ts'
import { lockTicket } from './ticket-rows.ts'
import { viewerOf, visibleTickets } from './tickets.policy.ts'

/**
 * POST /tickets/next: of what waits for a person and this one may see, whoever waits longest is accepted. What was
 * offered to somebody else is theirs. The lock lets nobody get the same: who comes second gets the next.
 */
export const takeNextTicket = async (actor: Actor): Promise<Ticket> => {
  const directory = await getDirectory(actor.tenantId)
  const viewer = viewerOf(directory, actor.userId)
  const { values, bind } = binding()
  const text = `select t.id from tickets t where t.tenant_id = ${bind(actor.tenantId)} and t.status = 'pending' and t.paused_at is null
      and t.bot is null and t.chat_flow_id is null and (t.user_id is null or t.user_id = ${bind(actor.userId)})
      and ${visibleTickets(viewer, { showAll: false }, bind)}
    order by coalesce(t.waiting_since, 'infinity'::timestamptz), t.id limit 1 for no key update of t skip locked`
  return withTenant(actor.tenantId, async (tx) => {
    const [waiting] = await tx.rows<{ id: string }>({ name: '', text }, values)
    const before = waiting && (await lockTicket(tx, waiting.id))
    if (!before) throw new AppError('ERR_NOBODY_WAITING')
    const change = planChange(before, { status: 'open' }, actor, directory)
    return commitTicketChange(tx, toCommit(before, change), byUser(actor))
  })
}
