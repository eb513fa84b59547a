import type { Ticket, undoableActs } from '@balcao/contract/conversations/tickets.ts'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { tickets } from '../../../db/schema/conversations/tickets.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { databaseProblem } from '../../../kit/database-problem.ts'
import { AppError } from '../../../kit/errors.ts'
import { commitTicketChange } from './commit-ticket-changes.ts'
import { findActiveTicket, lockTicket } from './ticket-rows.ts'
import { constraintOf } from './tickets.service.ts'

/**
 * POST /tickets/{id}/undo: the closing or transfer one has just done is taken back, and the ticket stands as before. The
 * customer has not heard of it. Refused when the time is over or somebody went on with it.
 */
export const undoTicket = async (actor: Actor, ticketId: string): Promise<Ticket> => {
  try {
    return await withTenant(actor.tenantId, async (tx) => {
      // Not asked of the policy: who has just given it away may no longer see it, but takes it back.
      const ticket = await lockTicket(tx, ticketId)
      const [act] = await tx.rows<Act>(takeWayBack, [tx.tenantId, ticketId, actor.userId])
      if (!ticket || !act) throw over('Não dá mais para desfazer: o tempo acabou.')
      await refuseIfContinued(tx, ticket, act)
      const { kind, createdAt: _at, after: _after, ...kept } = act
      const line = `${actor.name} desfez ${kind === 'close' ? 'o encerramento' : 'a transferência'}.`
      const logs = [{ type: 'undo' as const, userId: actor.userId, queueId: kept.queueId }]
      const lines = [{ type: 'system' as const, body: line }]
      const set = kind === 'close' ? kept : withoutFace(kept)
      return commitTicketChange(
        tx,
        { before: ticket, set, isNews: false, logs, lines, cause: { kind: 'undo' } },
        byUser(actor),
      )
    })
  } catch (error) {
    if (constraintOf(error) !== 'tickets_active') throw databaseProblem(error)
    throw over('O cliente já escreveu de novo, em um novo atendimento.')
  }
}

type Kept = Pick<
  typeof tickets.$inferSelect,
  | 'status'
  | 'userId'
  | 'queueId'
  | 'reasonId'
  | 'value'
  | 'unreadMessages'
  | 'bot'
  | 'startedAt'
  | 'closedAt'
  | 'waitingSince'
  | 'pausedAt'
  | 'pausedUntil'
  | 'pauseReason'
  | 'pausedMs'
  | 'distributedAt'
  | 'slaFirstDueAt'
  | 'slaResolveDueAt'
  | 'slaFirstBreachedAt'
  | 'slaResolveBreachedAt'
  | 'slaPausedMs'
  | 'updatedAt'
>
type Act = Kept & {
  kind: (typeof undoableActs)[number]
  createdAt: Date
  after: Pick<Ticket, 'status' | 'userId' | 'queueId'>
}

/** What the customer may have written after a transfer stays as it is. */
const withoutFace = ({ unreadMessages: _unread, waitingSince: _since, updatedAt: _at, ...rest }: Kept) => rest

const refuseIfContinued = async (tx: Tx, ticket: Ticket, { after, kind, createdAt }: Act) => {
  if (ticket.mergedIntoId) throw over('Este atendimento já foi unido a outro.')
  // Offered to somebody by turns is not taken yet.
  const isOffered = ticket.status === 'pending' && after.userId === null
  const isSame =
    ticket.status === after.status && ticket.queueId === after.queueId && (isOffered || ticket.userId === after.userId)
  if (!isSame) throw over(`${ticket.username ?? 'Outra pessoa'} já seguiu com este atendimento.`)
  if (kind === 'close') {
    const other = await findActiveTicket(tx, ticket.whatsappId, ticket.contactId)
    if (other) throw over('O cliente já escreveu de novo, em um novo atendimento.')
    return
  }
  const [answer] = await tx.rows(answeredSince, [tx.tenantId, ticket.id, createdAt])
  if (answer) throw over(`${ticket.username ?? 'Outra pessoa'} já respondeu o cliente.`)
}

const over = (message: string) => new AppError('ERR_UNDO_OVER', { message })

/** Once: who asks twice finds nothing more to take back. */
const takeWayBack: Prepared = {
  name: 'ticket_take_way_back',
  text: `with taken as (
      delete from ticket_undos where tenant_id = $1 and ticket_id = $2 and user_id = $3 and due_at > now() returning *)
    select u.kind, u.created_at as "createdAt", u.after, b.status, b.user_id as "userId", b.queue_id as "queueId",
      b.reason_id as "reasonId", b.value, b.unread_messages as "unreadMessages", b.bot,
      b.started_at as "startedAt", b.closed_at as "closedAt", b.waiting_since as "waitingSince", b.paused_at as "pausedAt",
      b.paused_until as "pausedUntil", b.pause_reason as "pauseReason", b.paused_ms as "pausedMs",
      b.distributed_at as "distributedAt", b.sla_first_due_at as "slaFirstDueAt", b.sla_resolve_due_at as "slaResolveDueAt",
      b.sla_first_breached_at as "slaFirstBreachedAt", b.sla_resolve_breached_at as "slaResolveBreachedAt",
      b.sla_paused_ms as "slaPausedMs", b.updated_at as "updatedAt"
    from taken u, jsonb_populate_record(null::tickets, u.before) b`,
}
const answeredSince: Prepared = {
  name: 'ticket_answered_since',
  text: `select 1 from messages where tenant_id = $1 and ticket_id = $2 and created_at > $3 and from_me
    and type not in ('system', 'note') and user_id is not null limit 1`,
}
