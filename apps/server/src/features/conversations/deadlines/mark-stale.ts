import { eq } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { tenants } from '../../../db/schema/platform/companies.ts'
import { announce } from '../../../kit/signals/signals.ts'

/** Call with a change of settings, hours of a queue or of a person: the deadlines of active tickets are computed anew, soon. */
export const markDeadlinesStale = async (tx: Tx) => {
  await tx.db.update(tenants).set({ slaStaleAt: new Date() }).where(eq(tenants.id, tx.tenantId))
  tx.afterCommit(() => announce('deadlines.stale'))
}
