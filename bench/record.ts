import pg from 'pg'
import type { Ask } from '../apps/server/src/db/one-trip.ts'

export type Statement = { text: string; values: unknown[] }
let recording: Statement[] | undefined

const query = pg.Client.prototype.query
Object.defineProperty(pg.Client.prototype, 'query', {
  configurable: true,
  writable: true,
  value(this: pg.Client, ...args: unknown[]) {
    const [first, given] = args
    if (recording && typeof first === 'object' && first && 'asks' in first) {
      // Several in one round trip (db/one-trip.ts).
      for (const [{ text }, values] of first.asks as Ask[]) recording.push({ text, values })
    }
    if (recording && typeof first === 'object' && first && 'text' in first && typeof first.text === 'string') {
      const values = 'values' in first ? first.values : given
      recording.push({ text: first.text, values: Array.isArray(values) ? values : [] })
    }
    return Reflect.apply(query, this, args)
  },
})

/** The prepared statements this process sends while `work` runs: the product's own SQL, for the bare server to repeat. */
export const recordStatements = async (work: () => Promise<unknown>): Promise<Statement[]> => {
  recording = []
  try {
    await work()
    return recording
  } finally {
    recording = undefined
  }
}
