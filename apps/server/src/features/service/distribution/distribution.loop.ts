import { platformRows } from '../../../db/database.ts'
import { log } from '../../../kit/log.ts'
import { onSignal } from '../../../kit/signals/signals.ts'
import type { Round } from '../../../kit/workers.ts'
import { companiesWithWork, distributeTickets } from './distribute.ts'

/** Companies that said nothing are looked for this often. */
export const lookEveryMs = 3_000

/** The distributor: at once where something began to wait, and every few seconds wherever something waits. */
export const createDistributor = () => {
  const asked = new Set<number>()
  let lastLookAt = 0
  const unhear = onSignal('distribution.wanted', ({ tenantId }) => asked.add(tenantId))

  const distribute = async (): Promise<Round> => {
    const now = Date.now()
    if (now - lastLookAt >= lookEveryMs) {
      lastLookAt = now
      for (const { tenantId } of await platformRows<{ tenantId: number }>(companiesWithWork, [])) asked.add(tenantId)
    }
    const tenantIds = [...asked]
    asked.clear()
    for (const tenantId of tenantIds) if (await attempt(tenantId)) asked.add(tenantId)
    return { did: tenantIds.length, isMore: asked.size > 0 }
  }
  const finish = async () => unhear()
  return { distribute, finish }
}

/** One company's trouble must not hold up the others. */
const attempt = async (tenantId: number): Promise<boolean> => {
  try {
    return await distributeTickets(tenantId)
  } catch (error) {
    log.error({ err: error, tenantId }, 'not distributed')
    return false
  }
}
