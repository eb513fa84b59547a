import { and, eq } from 'drizzle-orm'
import type { Prepared, Tx } from '../../../db/database.ts'
import { macros } from '../../../db/schema/service/library.ts'

/**
 * Quick messages and macros kept for one queue go to another, or to everyone: somebody wrote them, and they do not go
 * with the queue. A shortcut that stands there already gets the queue's name behind it.
 */
export const handOverQueueTexts = async (tx: Tx, queueId: string, toQueueId: string | null) => {
  await tx.db
    .update(macros)
    .set(toQueueId ? { queueId: toQueueId } : { scope: 'everyone', queueId: null })
    .where(and(eq(macros.tenantId, tx.tenantId), eq(macros.queueId, queueId)))
  await tx.rows(handOver, [tx.tenantId, queueId, toQueueId, toQueueId ? 'queue' : 'everyone'])
}

const handOver: Prepared = {
  name: 'quick_messages_hand_over',
  text: `update quick_messages q set queue_id = $3, scope = $4, folder_id = null, version = q.version + 1, updated_at = now(),
      key = case when exists (
          select from quick_messages o where o.tenant_id = $1 and o.key = q.key and o.id <> q.id
            and o.scope = $4 and o.queue_id is not distinct from $3::uuid)
        then left(q.key, 17) || '-' || left(trim(both '-' from regexp_replace(norm(s.name), '[^a-z0-9]+', '-', 'g')), 15)
          || '-' || right(q.id::text, 4)
        else q.key end
    from queues s
    where q.tenant_id = $1 and q.queue_id = $2 and s.tenant_id = $1 and s.id = $2`,
}
