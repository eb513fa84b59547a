import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { emit } from '../../../kit/outbox.ts'
import { invalidateDirectory } from '../../core/directory/directory.ts'
import type { funnelParts } from './replace-stage.service.ts'
import type { replaceable } from './replaceable.ts'

type Replaced = (typeof replaceable)[keyof typeof replaceable] | (typeof funnelParts)[keyof typeof funnelParts]
type Event = 'tag' | 'queue' | 'reason' | 'stage' | 'pipeline'

/** What gave way to another goes as if deleted by hand; nothing happens where somebody was faster. */
export const deleteReplaced = async (tx: Tx, { table, resource }: Replaced, id: string, userId: string) => {
  const [gone] = await tx.db
    .delete(table)
    .where(and(eq(table.tenantId, tx.tenantId), eq(table.id, id)))
    .returning()
  if (!gone) return
  const by = { userId, impersonatorId: null }
  await writeAudit(tx, by, { action: `${resource.event}.deleted`, entity: resource.event, entityId: id, before: gone })
  await emit(tx, `${resource.event as Event}.deleted`, { id }, { kind: 'permission', can: resource.can.read })
  tx.afterCommit(() => invalidateDirectory(tx.tenantId))
}
