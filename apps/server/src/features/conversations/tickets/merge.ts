import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { maxShared } from '@balcao/contract/conversations/tickets.ts'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { commitTicketChange } from './commit-ticket-changes.ts'
import { lastMessagesOf } from './last-message.ts'
import type { TicketColumns } from './ticket-columns.ts'
import { lockVisibleTicket } from './tickets.service.ts'

/**
 * POST /tickets/{id}/merge: two conversations of one customer become one. What was said, noted, asked and begun moves to
 * the one that stays; messages keep the connection they went over, so receipts, answers and double deliveries still find
 * them. The other is closed and says where it went. Whoever writes meanwhile waits for the lock, or comes first.
 */
export const mergeTicket = (actor: Actor, sourceId: string, intoId: string): Promise<Ticket> =>
  withTenant(actor.tenantId, async (tx) => {
    // Always the smaller id first: two people who unite the same two at once must not wait for each other.
    const [first, second] = sourceId < intoId ? [sourceId, intoId] : [intoId, sourceId]
    const one = await lockVisibleTicket(tx, actor, first)
    const other = first === second ? one : await lockVisibleTicket(tx, actor, second)
    const [source, target] = one.id === sourceId ? [one, other] : [other, one]
    check(source, target)
    const [pending] = await tx.rows<{ count: number }>(unsent, [tx.tenantId, source.id])
    if (pending?.count)
      throw impossible('Há mensagens deste atendimento ainda sendo enviadas. Espere o envio terminar e una de novo.')

    await moveAll(tx, source, target)
    const last = await lastMessagesOf(tx, [source.id, target.id])
    await closeSource(tx, { source, target, last: last.get(source.id) }, actor)
    const after = await feedTarget(tx, { source, target, last: last.get(target.id) }, actor)
    await writeAudit(tx, actor, {
      action: 'ticket.merged',
      entity: 'ticket',
      entityId: source.id,
      before: { protocol: source.protocol, status: source.status, userId: source.userId, queueId: source.queueId },
      after: { intoId: target.id, protocol: target.protocol },
    })
    return after
  })

const check = (source: Ticket, target: Ticket) => {
  if (source.id === target.id) throw impossible('Escolha outro atendimento para unir a este.')
  if (source.contactId !== target.contactId)
    throw fieldErrors({ path: 'intoId', message: 'Só é possível unir atendimentos do mesmo contato.' })
  if (source.isGroup) throw impossible('Conversas de grupo não podem ser unidas.')
  if (source.mergedIntoId) throw impossible('Este atendimento já foi unido a outro.')
  if (target.status === 'closed')
    throw new AppError('ERR_TICKET_CLOSED', {
      message: 'O atendimento escolhido está encerrado. Reabra antes de unir.',
    })
}
const impossible = (message: string) => new AppError('ERR_INVALID_TRANSITION', { message })

const moveAll = async (tx: Tx, source: Ticket, target: Ticket) => {
  const values = [tx.tenantId, source.id, target.id]
  for (const statement of moves) await tx.rows(statement, values)
}

const closeSource = (tx: Tx, { source, target, last }: Merging, actor: Actor) =>
  commitTicketChange(
    tx,
    {
      before: source,
      set: {
        status: 'closed',
        mergedIntoId: target.id,
        closedAt: source.closedAt ?? 'now',
        unreadMessages: 0,
        waitingSince: null,
        bot: null,
        chatFlowId: null,
        ...last,
      },
      cause: { kind: 'ticketMerge', id: target.id },
      logs: [{ type: 'merge', userId: actor.userId, queueId: source.queueId, note: `Para ${target.protocol}` }],
      lines: [{ type: 'system', body: `${actor.name} uniu este atendimento ao protocolo ${target.protocol}.` }],
    },
    byUser(actor),
  )

const feedTarget = async (tx: Tx, { source, target, last = {} }: Merging, actor: Actor): Promise<Ticket> => {
  const { answered = target.answered, lastMessageAt = target.lastMessageAt } = last
  const sharedWith = [...new Set([...target.sharedWith, ...source.sharedWith])].filter((id) => id !== target.userId)
  return commitTicketChange(
    tx,
    {
      before: target,
      set: {
        ...last,
        unreadMessages: Math.min(999, target.unreadMessages + source.unreadMessages),
        value: target.value ?? source.value,
        sharedWith: sharedWith.slice(0, maxShared),
        firstAnsweredAt: earlier(target.firstAnsweredAt, source.firstAnsweredAt),
        // Whoever has been waiting longest in either one, unless the last word is ours.
        waitingSince: answered ? null : (earlier(target.waitingSince, source.waitingSince) ?? lastMessageAt),
      },
      isNews: true,
      cause: { kind: 'ticketMerge', id: source.id },
      logs: [{ type: 'merge', userId: actor.userId, queueId: target.queueId, note: `De ${source.protocol}` }],
      lines: [{ type: 'system', body: `${actor.name} uniu a este atendimento o protocolo ${source.protocol}.` }],
    },
    byUser(actor),
  )
}
/** Both are ISO text of the same form. */
const earlier = (one: string | null, other: string | null) =>
  one && other ? (one < other ? one : other) : (one ?? other)

/** `last`: what the list shows of its last message from now on, where that is another. */
type Merging = { source: Ticket; target: Ticket; last: TicketColumns | undefined }

const unsent: Prepared = {
  name: 'merge_unsent',
  text: `select count(*) from messages where tenant_id = $1 and ticket_id = $2 and status in ('queued', 'sending')`,
}
const move = (name: string, text: string): Prepared => ({ name: `merge_${name}`, text })
/** $1 tenant, $2 the one that goes, $3 the one that stays. */
const moves: Prepared[] = [
  move('messages', 'update messages set ticket_id = $3 where tenant_id = $1 and ticket_id = $2'),
  move('mentions', 'update mentions set ticket_id = $3 where tenant_id = $1 and ticket_id = $2'),
  move('tasks', 'update tasks set ticket_id = $3 where tenant_id = $1 and ticket_id = $2'),
  move(
    'drafts',
    `with gone as (delete from drafts where tenant_id = $1 and ticket_id = $2 returning user_id, kind, body)
    insert into drafts (tenant_id, user_id, ticket_id, kind, body) select $1, user_id, $3, kind, body from gone
    on conflict (tenant_id, user_id, ticket_id, kind) do update set body = drafts.body || E'\\n' || excluded.body, updated_at = now()`,
  ),
  move(
    'tags',
    `with gone as (delete from ticket_tags where tenant_id = $1 and ticket_id = $2 returning tag_id)
    insert into ticket_tags (tenant_id, ticket_id, tag_id) select $1, $3, tag_id from gone on conflict do nothing`,
  ),
  move(
    'marks',
    `with gone as (delete from ticket_marks where tenant_id = $1 and ticket_id = $2 returning user_id, is_pinned, is_followed)
    insert into ticket_marks (tenant_id, user_id, ticket_id, is_pinned, is_followed)
    select $1, user_id, $3, is_pinned, is_followed from gone
    on conflict (tenant_id, user_id, ticket_id) do update set is_pinned = ticket_marks.is_pinned or excluded.is_pinned,
      is_followed = ticket_marks.is_followed or excluded.is_followed`,
  ),
  move(
    'earlier',
    'update tickets set merged_into_id = $3, version = version + 1 where tenant_id = $1 and merged_into_id = $2',
  ),
]
