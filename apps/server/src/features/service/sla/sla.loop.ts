import { repeat } from '../../../kit/repeat.ts'
import { onStaleDeadlines } from '../../conversations/deadlines/mark-stale.ts'
import { markBreaches } from './breaches.ts'
import { recomputeStaleDeadlines } from './recompute.ts'

const everyMs = 10_000

/** The worker's watch over the deadlines. */
export const startSla = () => {
  const loop = repeat('sla', everyMs, async () => {
    await recomputeStaleDeadlines()
    await markBreaches()
  })
  onStaleDeadlines(loop.wake)
  return {
    stop: async () => {
      onStaleDeadlines(() => {})
      await loop.stop()
    },
  }
}
