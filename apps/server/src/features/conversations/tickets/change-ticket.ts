import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { and, eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Tx } from '../../../db/database.ts'
import { tickets } from '../../../db/schema/conversations/tickets.ts'
import { AppError } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import type { ChatLine } from './ticket-changes.ts'
import { findTicket } from './ticket-rows.ts'
import { factsOf } from './tickets.present.ts'
import { logTicket, type NewLog } from './tickets.service.ts'
import { type Author, writeLines } from './timeline.ts'

/** What is told of a change: in the ticket's history and in its conversation. */
export type Told = { logs: Omit<NewLog, 'ticketId'>[]; lines?: ChatLine[] }

/** Stores columns of a locked ticket that are no step of domain §4.2, with history, event and lines. */
export const changeTicket = async (
  tx: Tx,
  before: Ticket,
  set: PgUpdateSetSource<typeof tickets>,
  told: Told,
  author: Author,
): Promise<Ticket> => {
  await tx.db
    .update(tickets)
    .set({ ...set, version: sql`${tickets.version} + 1` })
    .where(and(eq(tickets.tenantId, tx.tenantId), eq(tickets.id, before.id)))
  await logTicket(tx, ...told.logs.map((entry) => ({ ticketId: before.id, ...entry })))
  const after = await findTicket(tx, before.id)
  if (!after) throw new AppError('ERR_NO_TICKET_FOUND')
  await emit(tx, 'ticket.updated', after, { kind: 'ticket', facts: factsOf(after), before: factsOf(before) })
  await writeLines(tx, after, author, told.lines ?? [])
  return after
}

/** It goes up in the list: it was the news of this moment. */
export const isNews = { updatedAt: sql`greatest(now(), ${tickets.updatedAt})` }
