import type { SlowStatement } from '@balcao/contract/platform/monitor.ts'

const mostNames = 1_000
const listed = 8
let seen = new Map<string, SlowStatement>()

/** Counts a round trip under the name of its statement. What only opens and ends transactions is not counted. */
export const noteStatement = ({ name, text }: { name?: string; text: string }, ms: number) => {
  const key = name ? name.replace(/_[0-9a-f]{16}$/, '') : text.slice(0, 80).replace(/\s+/g, ' ')
  if (/^(begin|commit|rollback|savepoint|release)\b/i.test(key)) return
  const one = seen.get(key)
  if (one) {
    one.calls += 1
    one.totalMs += ms
    one.maxMs = Math.max(one.maxMs, ms)
  } else if (seen.size < mostNames) seen.set(key, { name: key, calls: 1, totalMs: ms, maxMs: ms })
}

/** Those that took most of the time since last asked. */
export const takeSlowStatements = (): SlowStatement[] => {
  const all = [...seen.values()]
  seen = new Map()
  return all
    .toSorted((a, b) => b.totalMs - a.totalMs)
    .slice(0, listed)
    .map((one) => ({ ...one, totalMs: Math.round(one.totalMs), maxMs: Math.round(one.maxMs) }))
}
