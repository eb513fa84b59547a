import { markBreaches } from './breaches.ts'
import { recomputeStaleDeadlines } from './recompute.ts'

/** The watch over the deadlines: those to be computed anew, then those that have passed. */
export const watchDeadlines = async () => {
  await recomputeStaleDeadlines()
  await markBreaches()
  return undefined
}
