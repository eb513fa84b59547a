import type { BusinessDay, Holiday } from './business-hours.ts'

/** When somebody works: `isOpenAt` of business-hours.ts, asked about stretches of time instead of one moment. */
export type BusinessCalendar = {
  hours: readonly BusinessDay[]
  holidays: readonly Holiday[]
  timeZone: string
}

/**
 * The moment at which so many minutes of business time have passed: the earliest, so a day's last minute ends at
 * closing time and not at the next opening. Undefined when the hours do not hold as many within ten years.
 */
export const addBusinessMinutes = (calendar: BusinessCalendar, from: Date, minutes: number): Date | undefined => {
  let left = minutes * minuteMs
  if (left <= 0) return from
  for (const [start, end] of openStretches(calendar, from.getTime(), from.getTime() + lookAheadMs)) {
    if (left <= end - start) return new Date(start + left)
    left -= end - start
  }
  return undefined
}

/** Minutes of business time from `a` to `b`, parts of a minute too; negative when `b` comes first. */
export const businessMinutesBetween = (calendar: BusinessCalendar, a: Date, b: Date): number => {
  if (b < a) return -businessMinutesBetween(calendar, b, a)
  let total = 0
  for (const [start, end] of openStretches(calendar, a.getTime(), b.getTime())) total += end - start
  return total / minuteMs
}

/** The first open moment from `at` on, `at` itself when it is open; undefined when there is none within ten years. */
export const nextOpening = (calendar: BusinessCalendar, at: Date): Date | undefined => {
  for (const [start] of openStretches(calendar, at.getTime(), at.getTime() + lookAheadMs)) return new Date(start)
  return undefined
}

/** When the last open stretch before `at` ended, `at` itself when it lasts; undefined when none was for so long. */
export const lastClosing = (calendar: BusinessCalendar, at: Date, withinDays: number): Date | undefined => {
  let last: number | undefined
  for (const [, end] of openStretches(calendar, at.getTime() - withinDays * dayMs, at.getTime())) last = end
  return last === undefined ? undefined : new Date(last)
}

const minuteMs = 60_000
const dayMs = 86_400_000
const weekMs = 7 * dayMs
const lookAheadMs = 10 * 366 * dayMs

type Stretch = readonly [start: number, end: number]

/** The open stretches between two moments, in order; neighbours may touch. */
function* openStretches(calendar: BusinessCalendar, from: number, to: number): Generator<Stretch> {
  const openOn = openMinutes(calendar)
  if (!openOn) return
  for (const { start, end, offset } of steadyStretches(calendar.timeZone, from, to)) {
    // While the offset stays, the wall clock runs as even as time itself.
    for (let midnight = floorTo(start + offset, dayMs); midnight < end + offset; midnight += dayMs) {
      for (const [opens, closes] of openOn(midnight)) {
        const opensAt = Math.max(start, midnight - offset + opens * minuteMs)
        const closesAt = Math.min(end, midnight - offset + closes * minuteMs)
        if (opensAt < closesAt) yield [opensAt, closesAt]
      }
    }
  }
}

/** Open minutes of a date, which is named by its midnight as if the wall showed UTC; undefined when never open. */
const openMinutes = ({ hours, holidays }: BusinessCalendar) => {
  const week = Array.from({ length: 7 }, (_, day) => openOnWeekday(hours, day))
  if (week.every((minutes) => !minutes.length)) return undefined
  const closed = new Set(holidays.flatMap((one) => (one.active ? Date.parse(`${one.date}T00:00:00Z`) : [])))
  return (midnight: number): Stretch[] => (closed.has(midnight) ? [] : (week[new Date(midnight).getUTCDay()] ?? []))
}

/** As `isOpenAt` has it: what began the evening before goes on past midnight, and a day not listed is open. */
const openOnWeekday = (hours: readonly BusinessDay[], day: number): Stretch[] => {
  const today = hours.find((one) => one.day === day)
  if (!today || today.type === 'O') return [[0, dayMinutes]]
  const yesterday = hours.find((one) => one.day === (day + 6) % 7)
  const stretches = [
    ...periodsOf(yesterday).map(([from, to]): Stretch => [from - dayMinutes, to - dayMinutes]),
    ...periodsOf(today),
  ]
  return merged(stretches.map(([from, to]): Stretch => [Math.max(0, from), Math.min(dayMinutes, to)]))
}

const dayMinutes = 24 * 60
const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** Periods in minutes from the midnight they began on; one that runs past midnight ends beyond the day. */
const periodsOf = (day: BusinessDay | undefined): Stretch[] => {
  if (day?.type !== 'H') return []
  const periods: Stretch[] = [
    [minutesOf(day.hr1), minutesOf(day.hr2)],
    [minutesOf(day.hr3), minutesOf(day.hr4)],
  ]
  return periods.filter(([from, to]) => from !== to).map(([from, to]) => [from, to < from ? to + dayMinutes : to])
}

/** Sorted, without the empty ones, and no minute twice. */
const merged = (stretches: Stretch[]): Stretch[] => {
  const result: Stretch[] = []
  for (const [from, to] of stretches.filter(([from, to]) => from < to).sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last && from <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], to)]
    else result.push([from, to])
  }
  return result
}

/** Cuts time where a zone's clocks change. No zone changes them twice in a week. */
function* steadyStretches(timeZone: string, from: number, to: number) {
  const offsetAt = offsetOf(timeZone)
  let start = from
  let offset = offsetAt(from)
  for (let seen = from; seen < to; ) {
    const next = Math.min(seen + weekMs, to)
    const after = offsetAt(next)
    if (after !== offset) {
      const change = changeBetween(offsetAt, seen, next)
      yield { start, end: change, offset }
      start = change
      offset = after
    } else if (next - start > 8 * weekMs) {
      yield { start, end: next, offset } // what is asked for is mostly near: look no further than needed
      start = next
    }
    seen = next
  }
  if (start < to) yield { start, end: to, offset }
}

/** The first second with the later offset. */
const changeBetween = (offsetAt: (at: number) => number, before: number, after: number): number => {
  const old = offsetAt(before)
  let [low, high] = [Math.floor(before / 1_000), Math.ceil(after / 1_000)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle * 1_000) === old) low = middle
    else high = middle
  }
  return high * 1_000
}

const formats = new Map<string, Intl.DateTimeFormat>()
/** How far ahead of UTC a zone's wall clock is, in milliseconds. */
const offsetOf = (timeZone: string) => {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    formats.set(timeZone, format)
  }
  const known = format
  return (at: number): number => {
    const shown = known.format(at) // `11/20/2026, GMT-03:00`; plain `GMT` in Greenwich
    const [, sign, hours = '0', minutes = '0', seconds = '0'] =
      /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(shown) ?? []
    const ahead = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
    return sign === '-' ? -ahead : ahead
  }
}

const floorTo = (value: number, step: number) => Math.floor(value / step) * step
