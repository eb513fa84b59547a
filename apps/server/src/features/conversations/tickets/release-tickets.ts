import { and, eq, ne, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { Tx } from '../../../db/database.ts'
import { ticketLogs } from '../../../db/schema/conversations/ticket-history.ts'
import { tickets } from '../../../db/schema/conversations/tickets.ts'
import type { Actor } from '../../../kit/actor.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { type Audience, emitAll } from '../../../kit/outbox.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { extendAfterPause } from '../deadlines/deadlines.ts'
import { findTickets } from './ticket-rows.ts'
import { factsOf } from './tickets.present.ts'
import { resumed } from './tickets.service.ts'

/** How many conversations somebody holds. */
export const countHeld = (tx: Tx, userId: string) => tx.db.$count(tickets, heldBy(tx, userId))

/**
 * Hands the conversations of somebody who leaves to a colleague, else back among the waiting ones, with a line in each
 * one's log.
 */
export const releaseTickets = async (
  tx: Tx,
  actor: Actor,
  leaving: { userId: string; note: string; handOverTo: string | null },
) => {
  const { userId, note, handOverTo } = leaving
  if (handOverTo) await checkHeir(tx, userId, handOverTo)
  const theirs = heldBy(tx, userId)
  const held = await tx.db
    .select({ id: tickets.id })
    .from(tickets)
    .where(theirs)
    .orderBy(tickets.id)
    .for('no key update')
  if (!held.length) return
  // What they had put away is nobody's to remember.
  await extendAfterPause(
    tx,
    held.map(({ id }) => id),
  )
  const released = await tx.db
    .update(tickets)
    .set({
      ...resumed,
      ...(handOverTo ? { userId: handOverTo } : { status: 'pending', userId: null }),
      version: sql`${tickets.version} + 1`,
      updatedAt: new Date(),
    })
    .where(theirs)
    .returning({ id: tickets.id, queueId: tickets.queueId })
  const entry = (type: 'pending' | 'transfered' | 'receivedTransfer', by: string) =>
    released.map(({ id, queueId }) => ({
      tenantId: tx.tenantId,
      id: v7(),
      ticketId: id,
      type,
      userId: by,
      queueId,
      note,
    }))
  await tx.db
    .insert(ticketLogs)
    .values(
      handOverTo
        ? [...entry('transfered', actor.userId), ...entry('receivedTransfer', handOverTo)]
        : entry('pending', actor.userId),
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

const heldBy = (tx: Tx, userId: string) =>
  and(eq(tickets.tenantId, tx.tenantId), eq(tickets.userId, userId), ne(tickets.status, 'closed'))

const checkHeir = async (tx: Tx, userId: string, heirId: string) => {
  const path = 'handOverTo'
  if (heirId === userId) throw fieldErrors({ path, message: 'Escolha outra pessoa.' })
  const heir = (await getDirectory(tx.tenantId)).people.get(heirId)
  if (!heir || heir.isBlocked) throw fieldErrors({ path, message: 'Esta pessoa não trabalha mais aqui.' })
  if (!heir.permissions.has('tickets.write')) throw fieldErrors({ path, message: 'Esta pessoa não pode atender.' })
}
