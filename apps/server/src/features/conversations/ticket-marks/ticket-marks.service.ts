import {
  maxPins,
  type Ticket,
  type TicketMark,
  type ticketMarks,
  type ticketMarksBody,
} from '@balcao/contract/conversations/tickets.ts'
import type { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { getVisibleTicket } from '../tickets/tickets.service.ts'

export const readMarks = (actor: Actor): Promise<z.output<typeof ticketMarks>> =>
  withTenant(actor.tenantId, async (tx) => ({ items: await tx.rows<TicketMark>(mine, [tx.tenantId, actor.userId]) }))

/** PUT /tickets/{id}/marks: what is left out stays; the other windows of the person hear of it. */
export const markTicket = (
  actor: Actor,
  ticketId: string,
  wanted: z.output<typeof ticketMarksBody>,
): Promise<TicketMark> =>
  withTenant(actor.tenantId, async (tx) => markIn(tx, actor, await getVisibleTicket(tx, actor, ticketId), wanted))

/** The same in an open transaction, of a ticket the person sees. */
export const markIn = async (
  tx: Tx,
  actor: Actor,
  { id: ticketId, status }: Pick<Ticket, 'id' | 'status'>,
  wanted: z.output<typeof ticketMarksBody>,
): Promise<TicketMark> => {
  const [before] = await tx.rows<TicketMark>(one, [tx.tenantId, actor.userId, ticketId])
  const next: TicketMark = {
    ticketId,
    isPinned: wanted.isPinned ?? before?.isPinned ?? false,
    isFollowed: wanted.isFollowed ?? before?.isFollowed ?? false,
  }
  if (next.isPinned && !before?.isPinned && status !== 'closed') await requireRoom(tx, actor)
  await tx.rows(save, [tx.tenantId, actor.userId, ticketId, next.isPinned, next.isFollowed])
  await emit(tx, 'ticket.marked', next, { kind: 'user', userId: actor.userId })
  return next
}

/** What has been closed since does not count: it no longer stands on top of the work. */
const requireRoom = async (tx: Tx, { userId }: Actor) => {
  const [row] = await tx.rows<{ pins: number }>(countPins, [tx.tenantId, userId])
  if (row && row.pins >= maxPins) throw new AppError('ERR_TOO_MANY_PINS')
}

const columns = 'ticket_id as "ticketId", is_pinned as "isPinned", is_followed as "isFollowed"'
const mine: Prepared = {
  name: 'ticket_marks_mine',
  text: `select ${columns} from ticket_marks where tenant_id = $1 and user_id = $2 and (is_pinned or is_followed)
    order by created_at desc limit 1000`,
}
const one: Prepared = {
  name: 'ticket_marks_one',
  text: `select ${columns} from ticket_marks where tenant_id = $1 and user_id = $2 and ticket_id = $3`,
}
const countPins: Prepared = {
  name: 'ticket_marks_pins',
  text: `select count(*)::int as pins from ticket_marks k join tickets t on t.tenant_id = k.tenant_id and t.id = k.ticket_id
    where k.tenant_id = $1 and k.user_id = $2 and k.is_pinned and t.status <> 'closed'`,
}
const save: Prepared = {
  name: 'ticket_marks_save',
  text: `insert into ticket_marks (tenant_id, user_id, ticket_id, is_pinned, is_followed) values ($1, $2, $3, $4, $5)
    on conflict (tenant_id, user_id, ticket_id) do update set is_pinned = excluded.is_pinned, is_followed = excluded.is_followed`,
}
