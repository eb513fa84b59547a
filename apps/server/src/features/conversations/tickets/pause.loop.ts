import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import { tickets } from '../../../db/schema/conversations/tickets.ts'
import { emitAll } from '../../../kit/outbox.ts'
import type { Round } from '../../../kit/workers.ts'
import { extendAfterPause } from '../deadlines/deadlines.ts'
import { isNews } from './change-ticket.ts'
import { findTickets } from './ticket-rows.ts'
import { factsOf } from './tickets.present.ts'
import { logTicket, resumed } from './tickets.service.ts'
import { writeAllLines } from './timeline.ts'

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
    await extendAfterPause(tx, mine)
    await tx.db
      .update(tickets)
      .set({ ...resumed, ...isNews, version: sql`${tickets.version} + 1` })
      .where(and(eq(tickets.tenantId, tenantId), inArray(tickets.id, mine)))
    const woken = await findTickets(tx, mine)
    await logTicket(
      tx,
      ...woken.map(({ id, queueId }) => ({ ticketId: id, type: 'resume' as const, queueId, note: 'Fim da pausa' })),
    )
    await emitAll(
      tx,
      woken.map((ticket) => ({
        name: 'ticket.updated' as const,
        payload: ticket,
        audience: { kind: 'ticket' as const, facts: factsOf(ticket) },
      })),
    )
    await writeAllLines(
      tx,
      null,
      woken.map((ticket) => ({ ticket, line: { type: 'system' as const, body: 'A pausa terminou.' } })),
    )
    await emitAll(
      tx,
      woken.flatMap((ticket) =>
        ticket.userId
          ? {
              name: 'ticket.notice' as const,
              payload: {
                ticketId: ticket.id,
                kind: 'woke' as const,
                text: `A pausa da conversa com ${ticket.name} terminou.`,
                messageId: null,
              },
              audience: { kind: 'user' as const, userId: ticket.userId },
            }
          : [],
      ),
    )
    return woken.length
  })

export const isPauseOver = 'select from tickets where paused_until <= now()'
const findDue: Prepared = {
  name: 'tickets_to_wake',
  text: `select d.tenant_id as "tenantId", array_agg(d.id) as ids from (
      select t.tenant_id, t.id from tickets t where t.paused_until <= now() order by t.paused_until limit $1) d
    group by d.tenant_id`,
}
