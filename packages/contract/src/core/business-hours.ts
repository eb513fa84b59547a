import { z } from 'zod'
import { timeOfDay } from '../common.ts'
import { wallTimeOf } from './wall-time.ts'

/** One weekday: `O` open all day, `C` closed, `H` by up to two periods (domain §15). 0 is Sunday. */
export const businessDay = z.object({
  day: z.int().min(0).max(6),
  label: z.string().max(20),
  type: z.enum(['O', 'C', 'H']),
  hr1: timeOfDay.default('08:00'),
  hr2: timeOfDay.default('12:00'),
  hr3: timeOfDay.default('13:00'),
  hr4: timeOfDay.default('18:00'),
})
export type BusinessDay = z.output<typeof businessDay>
export const businessHours = z.array(businessDay).max(7)

export const weekdayLabels = [
  'Domingo',
  'Segunda-feira',
  'Terça-feira',
  'Quarta-feira',
  'Quinta-feira',
  'Sexta-feira',
  'Sábado',
] as const

export const alwaysOpen: BusinessDay[] = weekdayLabels.map((label, day) => ({
  day,
  label,
  type: 'O',
  hr1: '08:00',
  hr2: '12:00',
  hr3: '13:00',
  hr4: '18:00',
}))

export const holiday = z.object({ date: z.iso.date(), description: z.string().trim().max(120), active: z.boolean() })
export type Holiday = z.output<typeof holiday>

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** Wall clock of a moment in a time zone. */
export const wallClock = (at: Date, timeZone: string) => {
  const [date = '', clock = ''] = wallTimeOf(at, timeZone).split('T')
  return {
    date,
    weekday: new Date(`${date}T12:00:00Z`).getUTCDay(),
    minutes: minutesOf(clock),
  }
}

/**
 * True when `at` falls in the hours; a holiday wins over the weekday; a day not listed is open; the end of a period is
 * closed. A period that ends at or before its beginning runs past midnight (`18:00–00:00`, `22:00–06:00`) and belongs
 * to the day it began on; one without length is none.
 */
export const isOpenAt = (
  hours: readonly BusinessDay[],
  holidays: readonly Holiday[],
  at: Date,
  timeZone: string,
): boolean => {
  const now = wallClock(at, timeZone)
  if (holidays.some((one) => one.active && one.date === now.date)) return false
  const today = hours.find((one) => one.day === now.weekday)
  if (!today || today.type === 'O') return true
  const yesterday = hours.find((one) => one.day === (now.weekday + 6) % 7)
  return isWithin(today, now.minutes) || isWithin(yesterday, now.minutes + dayMinutes)
}

const dayMinutes = 24 * 60

/** `minutes` count from midnight of that day and may run into the next. */
const isWithin = (day: BusinessDay | undefined, minutes: number) => {
  if (day?.type !== 'H') return false
  const periods = [
    [minutesOf(day.hr1), minutesOf(day.hr2)],
    [minutesOf(day.hr3), minutesOf(day.hr4)],
  ] as const
  return periods.some(([from, to]) => from !== to && minutes >= from && minutes < (to < from ? to + dayMinutes : to))
}
