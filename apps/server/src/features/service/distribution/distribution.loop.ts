import { platformRows } from '../../../db/database.ts'
import { log } from '../../../kit/log.ts'
import { repeat } from '../../../kit/repeat.ts'
import { onDistribution } from '../../conversations/tickets/wake-distribution.ts'
import { companiesWithWork, distributeTickets } from './distribute.ts'

const everyMs = 3_000

/** The worker's distributor: at once when something began to wait here, and every few seconds wherever something waits. */
export const startDistribution = () => {
  const asked = new Set<number>()
  let lastLookAt = 0
  const loop = repeat('distribution', everyMs, async () => {
    const now = Date.now()
    if (now - lastLookAt >= everyMs) {
      lastLookAt = now
      for (const { tenantId } of await platformRows<{ tenantId: number }>(companiesWithWork, [])) asked.add(tenantId)
    }
    const tenantIds = [...asked]
    asked.clear()
    for (const tenantId of tenantIds) if (await attempt(tenantId)) asked.add(tenantId)
    if (asked.size) loop.wake()
  })
  onDistribution((tenantId) => {
    asked.add(tenantId)
    loop.wake()
  })
  return {
    stop: async () => {
      onDistribution(() => {})
      await loop.stop()
    },
  }
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
