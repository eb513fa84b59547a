import type { resolvePendingBody } from '@balcao/contract/conversations/message-calls.ts'
import type { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError } from '../../../kit/errors.ts'
import { emitAll } from '../../../kit/outbox.ts'
import { binding } from '../../../kit/sql.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { isStuck, refreshLastMessages } from '../tickets/last-message.ts'
import { isWorked, viewerOf, visibleTickets } from '../tickets/tickets.policy.ts'
import { type MessageRow, presentMessage } from '../timeline/messages.present.ts'
import { type TicketState, ticketAudience, ticketStateColumns } from '../timeline/ticket-state.ts'
import { messageColumns, messageJoins } from './messages.queries.ts'
import { sendableNow } from './reach.ts'
import { wakeSender } from './sender.ts'
import { saveStatuses } from './statuses.ts'

/** So many are taken at a time; the answer says when there are more. */
const most = 500

/** Messages that failed, or may not have arrived, per connection, as far as this person may see them. */
export const countStuck = async (actor: Actor) => {
  const directory = await getDirectory(actor.tenantId)
  const { values, bind } = binding()
  const text = `select m.connection_id as "whatsappId", count(*) filter (where m.status = 'failed') as failed,
      count(*) filter (where m.status = 'uncertain') as uncertain
    from messages m join tickets t on t.tenant_id = m.tenant_id and t.id = m.ticket_id
    where m.tenant_id = ${bind(actor.tenantId)} and ${isStuck} and ${visibleTo(actor, directory, bind)}
    group by m.connection_id order by m.connection_id`
  return withTenant(actor.tenantId, (tx) =>
    tx.rows<{ whatsappId: string; failed: number; uncertain: number }>({ name: '', text }, values),
  )
}

/**
 * Sends the stuck messages of a connection once more, those of conversations that are open and take them now; or gives
 * them up: they stay as deleted ones.
 */
export const resolveStuck = async (actor: Actor, { whatsappId, action }: z.output<typeof resolvePendingBody>) => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    const [known] = await tx.rows<object>(connectionById, [tx.tenantId, whatsappId])
    if (!known) throw new AppError('ERR_NO_WAPP_FOUND')
    const among = action === 'retry' ? `and t.status = 'open' and ${sendableNow}` : ''
    const rows = await lockStuck(tx, actor, directory, whatsappId, among)
    const taken = rows.slice(0, most)
    if (action === 'retry') await requeue(tx, taken)
    else await drop(tx, directory, taken)
    if (taken.length)
      await writeAudit(tx, actor, {
        action: `messages.${action}`,
        entity: 'connection',
        entityId: whatsappId,
        after: { count: taken.length },
      })
    const hasMore = rows.length > most
    return { done: taken.length, left: hasMore ? 0 : await countLeft(tx, actor, directory, whatsappId), hasMore }
  })
}

const connectionById = {
  name: 'stuck_connection',
  text: 'select from connections where tenant_id = $1 and id = $2 and deleted_at is null',
}
type Stuck = TicketState & { messageId: string; messageVersion: number }

const visibleTo = (actor: Actor, directory: Directory, bind: (value: unknown) => string) =>
  `${isWorked} and ${visibleTickets(viewerOf(directory, actor.userId), { showAll: true }, bind)}`

const lockStuck = (tx: Tx, actor: Actor, directory: Directory, connectionId: string, among: string) => {
  const { values, bind } = binding()
  const text = `select m.id as "messageId", m.version as "messageVersion", ${ticketStateColumns}
    from messages m join tickets t on t.tenant_id = m.tenant_id and t.id = m.ticket_id
    join connections n on n.tenant_id = m.tenant_id and n.id = m.connection_id
    where m.tenant_id = ${bind(tx.tenantId)} and m.connection_id = ${bind(connectionId)} and ${isStuck}
      ${among} and ${visibleTo(actor, directory, bind)}
    order by m.seq limit ${most + 1} for no key update of m skip locked`
  return tx.rows<Stuck>({ name: '', text }, values)
}

const requeue = async (tx: Tx, rows: Stuck[]) => {
  const text = `update messages set provider_id = null, attempts = 0, next_attempt_at = null, claimed_by = null, claimed_at = null
    where tenant_id = $1 and id = any($2::uuid[])`
  await tx.rows({ name: 'stuck_requeue', text }, [tx.tenantId, rows.map((row) => row.messageId)])
  await saveStatuses(
    tx,
    rows.map((row) => ({
      id: row.messageId,
      status: 'queued',
      error: null,
      version: row.messageVersion + 1,
      providerId: null,
      ticket: row,
      isChanged: true,
      isUnreachable: false,
    })),
  )
  tx.afterCommit(wakeSender)
}

const drop = async (tx: Tx, directory: Directory, rows: Stuck[]) => {
  const ids = rows.map((row) => row.messageId)
  const update = `update messages set is_deleted = true, version = version + 1 where tenant_id = $1 and id = any($2::uuid[])`
  await tx.rows({ name: 'stuck_drop', text: update }, [tx.tenantId, ids])
  const read = `select ${messageColumns} from messages m ${messageJoins} where m.tenant_id = $1 and m.id = any($2::uuid[])`
  const after = await tx.rows<MessageRow>({ name: 'stuck_dropped', text: read }, [tx.tenantId, ids])
  const ticketOf = new Map(rows.map((row) => [row.messageId, row]))
  await emitAll(
    tx,
    after.flatMap((row) => {
      const ticket = ticketOf.get(row.id)
      if (!ticket) return []
      const payload = presentMessage(row, tx.tenantId, directory.people)
      return [{ name: 'message.updated' as const, payload, audience: ticketAudience(ticket, true) }]
    }),
  )
  await refreshLastMessages(tx, [...new Set(rows.map((row) => row.id))])
}

const countLeft = async (tx: Tx, actor: Actor, directory: Directory, connectionId: string): Promise<number> => {
  const { values, bind } = binding()
  const text = `select count(*) as count from messages m join tickets t on t.tenant_id = m.tenant_id and t.id = m.ticket_id
    where m.tenant_id = ${bind(tx.tenantId)} and m.connection_id = ${bind(connectionId)} and ${isStuck} and ${visibleTo(actor, directory, bind)}`
  const [row] = await tx.rows<{ count: number }>({ name: '', text }, values)
  return row?.count ?? 0
}
