import type { Holiday } from '../../core/business-hours.ts'
import { momentAt, wallTimeOf } from '../../core/wall-time.ts'
import type { CampaignWindow } from './campaigns.ts'

/** What one connection has to send, and what holds it back. */
export type Load = {
  count: number
  /** Seconds between two sends on average. */
  restSeconds: number
  /** Left of today, and of each day after it, the first being tomorrow's; null: no limit. */
  leftToday: number | null
  mostOn: (day: number) => number | null
  /** It sends nothing to many between the two; `HH:mm`. */
  quiet: { from: string; until: string } | null
}
export type Calendar = { window: CampaignWindow; holidays: readonly Holiday[]; timeZone: string }

const mostDays = 400
const minuteOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))
const dayMinutes = 24 * 60

/** Minutes of a day in which may be sent, as pairs of beginning and end. */
const openMinutes = (
  { from, until }: Pick<CampaignWindow, 'from' | 'until'>,
  quiet: Load['quiet'],
): [number, number][] => {
  const spans = spansOf(minuteOf(from), minuteOf(until))
  if (!quiet || quiet.from === quiet.until) return spans
  const loud = spansOf(minuteOf(quiet.until), minuteOf(quiet.from))
  return spans
    .flatMap(([a, b]) => loud.map(([c, d]): [number, number] => [Math.max(a, c), Math.min(b, d)]))
    .filter(([a, b]) => a < b)
}
/** From one time of the clock to another of the same day; over midnight it is two. The same twice is the whole day. */
const spansOf = (from: number, until: number): [number, number][] => {
  if (from === until) return [[0, dayMinutes]]
  return from < until
    ? [[from, until]]
    : (
        [
          [0, until],
          [from, dayMinutes],
        ] as [number, number][]
      ).filter(([a, b]) => a < b)
}

/** Whether a day of the calendar, as `2026-11-24`, is one of those. */
export const isSendingDay = (date: string, { window, holidays }: Pick<Calendar, 'window' | 'holidays'>): boolean =>
  window.days.includes(new Date(`${date}T12:00:00Z`).getUTCDay()) &&
  !(window.skipHolidays && holidays.some((one) => one.active && one.date === date))

const dayAfter = (date: string) => new Date(Date.parse(`${date}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10)

/** When the last of a load has left; null: not within a year or so. */
export const endOf = (load: Load, calendar: Calendar, from: Date): Date | null => {
  const { timeZone } = calendar
  let left = load.count
  if (left <= 0) return from
  const perMinute = 60 / Math.max(load.restSeconds, 0.000_1)
  const wall = wallTimeOf(from, timeZone)
  const spans = openMinutes(calendar.window, load.quiet)
  let date = wall.slice(0, 10)
  for (let day = 0; day < mostDays; day += 1, date = dayAfter(date)) {
    if (!isSendingDay(date, calendar)) continue
    let most = (day === 0 ? load.leftToday : load.mostOn(day)) ?? Infinity
    const now = day === 0 ? minuteOf(wall.slice(11)) : 0
    for (const [begin, end] of spans) {
      const start = Math.max(begin, now)
      if (start >= end || most <= 0) continue
      const able = Math.min(most, (end - start) * perMinute)
      if (left <= able) {
        const minutes = Math.min(dayMinutes - 1, Math.floor(start + left / perMinute))
        const at = momentAt(`${date}T${clockOf(minutes)}`, timeZone)
        return new Date(Math.max(Date.parse(at), from.getTime() + 1_000))
      }
      left -= able
      most -= able
    }
  }
  return null
}

/** So many leave first, and what is left so many hours after them: a test, the first few. */
export type Wait = { first: number; hours: number }
/** The same where it does not go in one: the waits one after the other, of those of fewer people first. */
const endWithWaits = (load: Load, waits: readonly Wait[], calendar: Calendar, from: Date): Date | null => {
  const dayOf = (at: Date) => Date.parse(`${wallTimeOf(at, calendar.timeZone).slice(0, 10)}T00:00:00Z`) / 86_400_000
  let [left, at] = [load, from]
  let gone = 0
  for (const { first, hours } of waits.toSorted((a, b) => a.first - b.first)) {
    const count = Math.min(first, load.count) - gone
    if (count <= 0 || gone + count >= load.count) continue
    const end = endOf({ ...left, count }, calendar, at)
    const next = end && firstOpen(calendar, new Date(end.getTime() + hours * 3_600_000), load.quiet)
    if (!next) return null
    gone += count
    const days = dayOf(next) - dayOf(from)
    const isSameDay = dayOf(next) === dayOf(at)
    left = {
      ...{ ...load, count: load.count - gone, mostOn: (day) => load.mostOn(day + days) },
      leftToday: isSameDay ? left.leftToday && Math.max(0, left.leftToday - count) : load.mostOn(days),
    }
    at = next
  }
  return endOf(left, calendar, at)
}

/**
 * When the last send of all steps has left, where nobody answers: each step is due so many hours after the one before it,
 * and all of them share the pace; `waits` are those of the first one. `null`: not within a year or so.
 */
export const endOfSteps = (
  load: Load,
  afterHours: readonly number[],
  calendar: Calendar,
  from: Date,
  waits: readonly Wait[] = [],
): Date | null => {
  let end = endWithWaits(load, waits, calendar, from)
  for (const [at, hours] of afterHours.entries()) {
    if (!end) return null
    const due = firstOpen(calendar, new Date(end.getTime() + hours * 3_600_000), load.quiet)
    const all = endOf({ ...load, count: load.count * (at + 2) }, calendar, from)
    end = due && all && new Date(Math.max(due.getTime(), all.getTime()))
  }
  return end
}
const clockOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** The first moment from then on in which anything may leave. */
export const firstOpen = (calendar: Calendar, from: Date, quiet: Load['quiet'] = null): Date | null => {
  const wall = wallTimeOf(from, calendar.timeZone)
  const spans = openMinutes(calendar.window, quiet)
  let date = wall.slice(0, 10)
  for (let day = 0; day < mostDays; day += 1, date = dayAfter(date)) {
    if (!isSendingDay(date, calendar)) continue
    const now = day === 0 ? minuteOf(wall.slice(11)) : 0
    const span = spans.find(([, end]) => end > now)
    if (!span) continue
    if (day === 0 && span[0] <= now) return from
    return new Date(momentAt(`${date}T${clockOf(span[0])}`, calendar.timeZone))
  }
  return null
}
