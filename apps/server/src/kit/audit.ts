import type { Tx } from '../db/database.ts'
import { audit } from '../db/schema/core/audit.ts'
import type { Actor } from './actor.ts'

/** What was done to which row. `before` and `after` are presented rows: never a hash, a token or a provider's secret. */
export type AuditEntry = { action: string; entity: string; entityId: string; before?: unknown; after?: unknown }

type Who = Pick<Actor, 'userId' | 'impersonatorId'> | null

/** One audit row per administrative write, in the transaction of the write it tells of. */
export const writeAudit = (tx: Tx, actor: Who, entry: AuditEntry) => writeAudits(tx, actor, [entry])

/** The same of several, in one statement. */
export const writeAudits = async (tx: Tx, actor: Who, entries: AuditEntry[]) => {
  if (!entries.length) return
  await tx.db.insert(audit).values(
    entries.map(({ before = null, after = null, ...entry }) => ({
      tenantId: tx.tenantId,
      userId: actor?.userId ?? null,
      impersonatorId: actor?.impersonatorId ?? null,
      ...{ ...entry, before, after },
    })),
  )
}
