import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import { tenants } from '../../db/schema/platform.ts'
import { repeat } from '../../kit/repeat.ts'
import { markBreaches } from './breaches.ts'
import { renewStalePromises } from './recompute.ts'

const everyMs = 10_000
let wake = () => {}

/**
 * Call with a change of settings, hours of a queue or of a person: what is promised of active tickets is reckoned anew,
 * soon. Without a worker in this process the next round of another finds the mark.
 */
export const markPromisesStale = async (tx: Tx) => {
  await tx.db.update(tenants).set({ slaStaleAt: new Date() }).where(eq(tenants.id, tx.tenantId))
  tx.afterCommit(() => wake())
}

/** The worker's watch over what was promised. */
export const startSla = () => {
  const loop = repeat('sla', everyMs, async () => {
    await renewStalePromises()
    await markBreaches()
  })
  wake = loop.wake
  return {
    stop: async () => {
      wake = () => {}
      await loop.stop()
    },
  }
}
