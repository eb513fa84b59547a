import { and, eq, ne, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { Tx } from '../../db/database.ts'
import { ticketLogs, tickets } from '../../db/schema/conversations.ts'
import type { Actor } from '../../kit/actor.ts'
import { type Audience, emitAll } from '../../kit/outbox.ts'
import { resumePromises } from '../sla/keep-promise.ts'
import { findTickets } from './ticket-rows.ts'
import { factsOf } from './tickets.present.ts'
import { resumed } from './tickets.service.ts'

/** Puts the conversations of somebody who leaves back among the waiting ones, with a line in each one's log. */
export const releaseTickets = async (tx: Tx, actor: Actor, userId: string, note: string) => {
  const theirs = and(eq(tickets.tenantId, tx.tenantId), eq(tickets.userId, userId), ne(tickets.status, 'closed'))
  const held = await tx.db
    .select({ id: tickets.id })
    .from(tickets)
    .where(theirs)
    .orderBy(tickets.id)
    .for('no key update')
  if (!held.length) return
  // What they had put away is nobody's to remember.
  await resumePromises(
    tx,
    held.map(({ id }) => id),
  )
  const released = await tx.db
    .update(tickets)
    .set({ ...resumed, status: 'pending', userId: null, version: sql`${tickets.version} + 1`, updatedAt: new Date() })
    .where(theirs)
    .returning({ id: tickets.id, queueId: tickets.queueId })
  await tx.db.insert(ticketLogs).values(
    released.map(({ id, queueId }) => ({
      tenantId: tx.tenantId,
      id: v7(),
      ticketId: id,
      type: 'pending' as const,
      userId: actor.userId,
      queueId,
      note,
    })),
  )
  const freed = await findTickets(
    tx,
    released.map((ticket) => ticket.id),
  )
  const events = freed.map((ticket) => {
    const facts = factsOf(ticket)
    const audience: Audience = { kind: 'ticket', facts, before: { ...facts, userId } }
    return { name: 'ticket.updated' as const, payload: ticket, audience }
  })
  await emitAll(tx, events)
}
