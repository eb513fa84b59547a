import { databaseOpenings, type Tx } from '../../../db/database.ts'
import { type CreatedToday, type HourLoad, messagesByHour } from './dashboard.queries.ts'

/** A transaction that began so long ago has ended: nothing comes in behind it but what was written elsewhere before. */
const settlesInMs = 60_000
/** Which is seen after this long: an imported history, a contact deleted with their messages. */
const recountAfterMs = 60 * 60_000
const companies = 500

type Counted = { midnight: number; countedAt: number; until: Date; hours: HourLoad[] }
const kept = new Map<number, Counted>()
let opening = 0

/**
 * Messages of today by hour. What was counted before is kept, and only what came since is read: a million messages take
 * seconds.
 */
export const countHours = async (tx: Tx, timezone: string, { midnight, asOf }: CreatedToday): Promise<HourLoad[]> => {
  if (opening !== databaseOpenings()) kept.clear()
  opening = databaseOpenings()
  const now = asOf.getTime()
  const last = kept.get(tx.tenantId)
  const before = last?.midnight === midnight.getTime() && now - last.countedAt < recountAfterMs ? last : undefined
  const settled = new Date(now - settlesInMs)
  const since = before?.until ?? midnight
  const found = await messagesByHour(tx, timezone, since, settled)
  if (settled > since) {
    kept.delete(tx.tenantId)
    if (kept.size >= companies) kept.delete(kept.keys().next().value ?? 0)
    kept.set(tx.tenantId, {
      midnight: midnight.getTime(),
      countedAt: before?.countedAt ?? now,
      until: settled,
      hours: sumByHour([...(before?.hours ?? []), ...found.filter((row) => row.isSettled)]),
    })
  }
  return sumByHour([...(before?.hours ?? []), ...found])
}

const sumByHour = (loads: HourLoad[]): HourLoad[] => {
  const hours = new Map<number, HourLoad>()
  for (const { hour, received, sent } of loads) {
    const sum = hours.get(hour) ?? { hour, received: 0, sent: 0 }
    hours.set(hour, { hour, received: sum.received + received, sent: sum.sent + sent })
  }
  return [...hours.values()]
}
