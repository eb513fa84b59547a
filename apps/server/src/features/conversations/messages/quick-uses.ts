import type { Prepared, Tx } from '../../../db/database.ts'

/** A quick message was sent once more, by this person or by itself; one that is gone is not counted. */
export const countQuickUse = (tx: Tx, { quickMessageId, userId }: { quickMessageId: string; userId: string | null }) =>
  tx.rows(countUse, [tx.tenantId, quickMessageId, userId])

/** A person sends one after the other; what sends by itself takes one of sixteen rows, so that few wait for each other. */
const countUse: Prepared = {
  name: 'quick_message_count_use',
  text: `insert into quick_message_uses (tenant_id, quick_message_id, user_id, slot, count, last_at)
    select $1, q.id, coalesce($3::uuid, '${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}'),
      case when $3::uuid is null then floor(random() * 16) else 0 end, 1, now()
      from quick_messages q where q.tenant_id = $1 and q.id = $2
    on conflict (tenant_id, quick_message_id, user_id, slot)
      do update set count = quick_message_uses.count + 1, last_at = excluded.last_at`,
}
