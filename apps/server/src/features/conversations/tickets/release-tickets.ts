import type { Author } from '@balcao/contract/conversations/authors.ts'
import { and, eq, ne } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { tickets } from '../../../db/schema/conversations/tickets.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { planAction } from './action-catalogue.ts'
import { commitTicketChanges, type TicketChange } from './commit-ticket-changes.ts'
import { findTickets } from './ticket-rows.ts'

/** How many conversations somebody holds. */
export const countHeld = (tx: Tx, userId: string) => tx.db.$count(tickets, heldBy(tx, userId))

/**
 * Hands the conversations of somebody who leaves to a colleague, else back among the waiting ones, with a line in each
 * one's log.
 */
export const releaseTickets = async (
  tx: Tx,
  author: Author,
  leaving: { userId: string; note: string; handOverTo: string | null },
) => {
  const { userId, note, handOverTo } = leaving
  if (handOverTo) await checkHeir(tx, userId, handOverTo)
  const held = await tx.db
    .select({ id: tickets.id })
    .from(tickets)
    .where(heldBy(tx, userId))
    .orderBy(tickets.id)
    .for('no key update')
  if (!held.length) return
  const found = await findTickets(
    tx,
    held.map(({ id }) => id),
  )
  const directory = await getDirectory(tx.tenantId)
  const at = { tx, directory, by: { author }, told: { note } }
  const planned = await Promise.all(found.map(planAction({ kind: 'transfer', queueId: null, userId: handOverTo }, at)))
  const cause = { kind: 'leaving' as const, id: userId }
  const released = planned.flatMap((change): TicketChange[] => (change ? [{ ...change, cause }] : []))
  await commitTicketChanges(tx, released, author)
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
