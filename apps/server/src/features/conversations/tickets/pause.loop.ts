import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import { tickets } from '../../../db/schema/conversations/tickets.ts'
import { byRule } from '../../../kit/actor.ts'
import type { Round } from '../../../kit/workers.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { planAction } from './action-catalogue.ts'
import { commitTicketChanges, type TicketChange } from './commit-ticket-changes.ts'
import { findTickets } from './ticket-rows.ts'

const batch = 100

type Due = { tenantId: number; ids: string[] }

/** What was put away until now comes back. Two processes may look at the same rows: each wakes once. */
export const wakeDueTickets = async (): Promise<Round> => {
  const due = await platformRows<Due>(findDue, [batch])
  const woken = await Promise.all(due.map(({ tenantId, ids }) => wake(tenantId, ids)))
  const all = due.reduce((sum, { ids }) => sum + ids.length, 0)
  const did = woken.reduce((sum, count) => sum + count, 0)
  return { did, isMore: all === batch && did > 0 }
}

const wake = (tenantId: number, ids: string[]): Promise<number> =>
  withTenant(tenantId, async (tx) => {
    const locked = await tx.db
      .select({ id: tickets.id })
      .from(tickets)
      .where(and(eq(tickets.tenantId, tenantId), inArray(tickets.id, ids), lte(tickets.pausedUntil, sql`now()`)))
      .orderBy(tickets.id)
      .for('no key update', { skipLocked: true })
    if (!locked.length) return 0
    const mine = locked.map(({ id }) => id)
    const before = await findTickets(tx, mine)
    const at = { tx, directory: await getDirectory(tenantId), by: { author: byRule(ended) }, told: end }
    const woken = await Promise.all(before.map(planAction({ kind: 'resume' }, at)))
    const changes = woken.flatMap((change) => (change ? wokenUp(change) : []))
    await commitTicketChanges(tx, changes, at.by.author)
    return before.length
  })

export const isPauseOver = 'select from tickets where paused_until <= now()'

const ended = 'Fim da pausa'
const end = { note: ended, line: 'A pausa terminou.' }
const wokenUp = (change: TicketChange): TicketChange => {
  const { name, userId } = change.before
  const text = `A pausa da conversa com ${name} terminou.`
  const notices = userId ? [{ kind: 'woke' as const, text, userIds: [userId] }] : []
  return { ...change, notices, cause: { kind: 'pauseEnded' } }
}

const findDue: Prepared = {
  name: 'tickets_to_wake',
  text: `select d.tenant_id as "tenantId", array_agg(d.id) as ids from (
      select t.tenant_id, t.id from tickets t where t.paused_until <= now() order by t.paused_until limit $1) d
    group by d.tenant_id`,
}
