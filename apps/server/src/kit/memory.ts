import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Not at once: who waits for the first answer would wait for the collection too. */
const firstAfterMs = 3_000
const lookEveryMs = 10_000
const atMostEveryMs = 60_000
const worthItBytes = 200_000_000

/**
 * Loading the program, like every rush later, fills V8's heap with garbage whose room it would keep. One thorough
 * collection gives it back: soon after the start, and again when a rush is over and nobody is waiting.
 */
export const keepMemoryLow = () => {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') return
  const release = () => void collect({ type: 'major', execution: 'async', flavor: 'last-resort' })
  setTimeout(release, firstAfterMs).unref()

  let seen = performance.eventLoopUtilization()
  let releasedAt = Date.now()
  setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(seen)
    seen = performance.eventLoopUtilization()
    const isDue = Date.now() - releasedAt > atMostEveryMs && process.memoryUsage.rss() > worthItBytes
    if (utilization > 0.05 || !isDue) return
    releasedAt = Date.now()
    release()
  }, lookEveryMs).unref()
}
