import { eq } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { tenants } from '../../../db/schema/platform/companies.ts'

let wake = () => {}
/** The worker's loop registers here. */
export const onStaleDeadlines = (handler: () => void) => {
  wake = handler
}

/**
 * Call with a change of settings, hours of a queue or of a person: the deadlines of active tickets are computed anew,
 * soon. Without a worker in this process the next round of another finds the mark.
 */
export const markDeadlinesStale = async (tx: Tx) => {
  await tx.db.update(tenants).set({ slaStaleAt: new Date() }).where(eq(tenants.id, tx.tenantId))
  tx.afterCommit(() => wake())
}
