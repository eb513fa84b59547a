import { momentAt, wallAfter } from '@balcao/contract/core/wall-time.ts'

/**
 * The occurrence after the one at `wallTime`: so many days later at the same time of the wall, and in the future. Those
 * that passed while the server was down are not sent in a burst; the series ends as much later.
 */
export const nextOccurrence = (
  { wallTime, everyDays, timeZone }: { wallTime: string; everyDays: number; timeZone: string },
  now: Date,
): { wallTime: string; dueAt: Date } => {
  for (let count = 1; ; count += 1) {
    const wall = wallAfter(wallTime, everyDays * count)
    const dueAt = new Date(momentAt(wall, timeZone))
    if (dueAt > now) return { wallTime: wall, dueAt }
  }
}
