import { v7 } from 'uuid'
import type { Tx } from '../../../db/database.ts'
import { platformAudit } from '../../../db/schema/platform/companies.ts'

/** What the platform's people do, across companies; needs a platform transaction. */
export const writePlatformAudit = async (
  tx: Tx,
  entry: { userId: string | null; tenantId: number | null; action: string; details?: Record<string, unknown> },
) => {
  await tx.db.insert(platformAudit).values({
    id: v7(),
    userId: entry.userId,
    subjectTenantId: entry.tenantId,
    action: entry.action,
    details: entry.details ?? {},
  })
}

/** A platform transaction that speaks of one company: its events and audit rows go there. */
export const inTenant = (tx: Tx, tenantId: number): Tx => ({ ...tx, tenantId })
