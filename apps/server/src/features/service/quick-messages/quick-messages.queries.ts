import type { Part } from '@balcao/contract/conversations/parts.ts'
import type { QuickMessageUses } from '@balcao/contract/service/quick-messages.ts'
import { and, eq } from 'drizzle-orm'
import type { Prepared, Tx } from '../../../db/database.ts'
import { quickMessageParts } from '../../../db/schema/service/library.ts'

/** What these send, in order. */
export const partsOf = (tx: Tx, ids: readonly string[]) =>
  tx.rows<Part & { quickMessageId: string }>(readParts, [tx.tenantId, ids])
const readParts: Prepared = {
  name: 'quick_message_parts_read',
  text: `select quick_message_id as "quickMessageId", kind, body, media_id as "mediaId", interactive
    from quick_message_parts where tenant_id = $1 and quick_message_id = any($2::uuid[]) order by quick_message_id, position`,
}

export const replaceParts = async (tx: Tx, quickMessageId: string, parts: readonly Part[]) => {
  const { tenantId } = tx
  await tx.db
    .delete(quickMessageParts)
    .where(and(eq(quickMessageParts.tenantId, tenantId), eq(quickMessageParts.quickMessageId, quickMessageId)))
  await tx.db
    .insert(quickMessageParts)
    .values(parts.map((one, position) => ({ ...one, tenantId, quickMessageId, position })))
}

type Uses = { id: string; total: number; lastAt: string | null }
/** How often these were sent. */
export const usesOf = async (tx: Tx, ids: readonly string[]) => {
  const rows = await tx.rows<Uses>(sumUses, [tx.tenantId, ids])
  return new Map(rows.map(({ id, total, lastAt }) => [id, { total, lastAt }]))
}
const iso = (moment: string) => `to_char(${moment} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const sumUses: Prepared = {
  name: 'quick_message_uses_sum',
  text: `select quick_message_id as id, sum(count)::int as total, ${iso('max(last_at)')} as "lastAt"
    from quick_message_uses where tenant_id = $1 and quick_message_id = any($2::uuid[]) group by quick_message_id`,
}

export const usersOf = (tx: Tx, id: string) =>
  tx.rows<Omit<QuickMessageUses['people'][number], 'name'>>(countByPerson, [tx.tenantId, id])
const countByPerson: Prepared = {
  name: 'quick_message_uses_by_person',
  text: `select case when slot = 0 and user_id <> '00000000-0000-0000-0000-000000000000' then user_id end as "userId",
      sum(count)::int as count, ${iso('max(last_at)')} as "lastAt"
    from quick_message_uses where tenant_id = $1 and quick_message_id = $2 group by 1 order by 2 desc, 3 desc`,
}
