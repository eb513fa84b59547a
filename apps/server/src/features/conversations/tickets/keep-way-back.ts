import { undoSeconds } from '@balcao/contract/conversations/tickets.ts'
import { v7 } from 'uuid'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { Goodbye } from './before-close.ts'
import type { Change } from './ticket-changes.ts'

type Given = {
  ticketId: string
  /** Who may take it back. */
  userId: string
  change: Change
  /** What the customer would hear now; only with a closing. */
  goodbye: Goodbye | undefined
}

/**
 * Call for a locked ticket, before a closing or a transfer is stored: keeps how it stood, and what its customer gets
 * once it can no longer be taken back (closing/goodbyes.loop.ts). The last act alone has a way back.
 */
export const keepWayBack = async (tx: Tx, { ticketId, userId, change, goodbye }: Given): Promise<void> => {
  const isTransfer = change.logs.some((entry) => entry.type === 'transfered')
  if (!goodbye && !isTransfer) return
  const { farewell } = goodbye ?? {}
  await tx.rows(keep, [
    tx.tenantId,
    v7(),
    ticketId,
    userId,
    goodbye ? 'close' : 'transfer',
    JSON.stringify({ status: change.status, userId: change.userId, queueId: change.queueId }),
    farewell ? JSON.stringify({ body: farewell.body, userId: farewell.userId ?? null }) : null,
    goodbye?.asksRating ?? false,
    undoSeconds,
  ])
}

type Told = { id: string; status: string; userId: string | null }
/**
 * The customer is not told: its last change may still be taken back, or what is told of is no longer so, since it was
 * taken back before this was asked (the event of that follows).
 */
export const isHeldBack = (tenantId: number, { id, status, userId }: Told): Promise<boolean> =>
  withTenant(tenantId, async (tx) => (await tx.rows(held, [tenantId, id, status, userId])).length > 0)

/** What a closing or a transfer changes, by the names of `tickets`. */
const keptColumns = `k.status, k.user_id, k.queue_id, k.reason_id, k.value, k.unread_messages, k.bot,
  k.started_at, k.closed_at, k.waiting_since, k.paused_at, k.paused_until, k.pause_reason, k.paused_ms, k.distributed_at,
  k.sla_first_due_at, k.sla_resolve_due_at, k.sla_first_breached_at, k.sla_resolve_breached_at, k.sla_paused_ms, k.updated_at`

const held: Prepared = {
  name: 'ticket_held_back',
  text: `select from ticket_undos where tenant_id = $1 and ticket_id = $2 and due_at > now()
    union all select from tickets where tenant_id = $1 and id = $2 and (status <> $3 or user_id is distinct from $4::uuid)`,
}
const keep: Prepared = {
  name: 'ticket_keep_way_back',
  text: `insert into ticket_undos (tenant_id, id, ticket_id, user_id, kind, before, after, farewell, asks_rating, due_at)
    select $1, $2, $3, $4, $5, (select to_jsonb(b) from (select ${keptColumns}) b), $6::jsonb, $7::jsonb, $8, now() + make_interval(secs => $9)
    from tickets k where k.tenant_id = $1 and k.id = $3
    on conflict (tenant_id, ticket_id) do update set id = excluded.id, user_id = excluded.user_id, kind = excluded.kind,
      before = excluded.before, after = excluded.after, farewell = excluded.farewell, asks_rating = excluded.asks_rating,
      due_at = excluded.due_at, created_at = now()`,
}
