import type { Tx } from '../db/database.ts'
import { audit } from '../db/schema/core/audit.ts'
import type { Actor } from './actor.ts'

/** What was done to which row. `before` and `after` are presented rows: never a hash, a token or a provider's secret. */
export type AuditEntry = { action: string; entity: string; entityId: string; before?: unknown; after?: unknown }

/** One audit row per administrative write, in the transaction of the write it tells of. */
export const writeAudit = async (tx: Tx, actor: Pick<Actor, 'userId' | 'impersonatorId'> | null, entry: AuditEntry) => {
  await tx.db.insert(audit).values({
    tenantId: tx.tenantId,
    userId: actor?.userId ?? null,
    impersonatorId: actor?.impersonatorId ?? null,
    action: entry.action,
    entity: entry.entity,
    entityId: entry.entityId,
    before: entry.before ?? null,
    after: entry.after ?? null,
  })
}
