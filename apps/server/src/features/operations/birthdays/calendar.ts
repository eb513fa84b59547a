import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'

/** A day of the company's calendar, and the birthdays kept on it, month and day as one number: 1121 for 21 November. */
export type Day = { date: string; year: number; birthdays: number[] }

/** So many days from today on by the company's clock; who was born on 29 February has it on the 28th of a common year. */
export const daysFrom = (timeZone: string, count: number, now = new Date()): Day[] => {
  const today = Date.parse(`${wallTimeOf(now, timeZone).slice(0, 10)}T00:00:00Z`)
  return Array.from({ length: count }, (_, at) => dayOf(new Date(today + at * dayMs)))
}
export const todayIn = (timeZone: string, now = new Date()): Day => {
  const [today] = daysFrom(timeZone, 1, now)
  if (!today) throw new Error('There is always a today')
  return today
}

const dayMs = 86_400_000
/** Of a midnight in UTC, which stands for the day alone. */
const dayOf = (midnight: Date): Day => {
  const year = midnight.getUTCFullYear()
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const own = (midnight.getUTCMonth() + 1) * 100 + midnight.getUTCDate()
  return { date: midnight.toISOString().slice(0, 10), year, birthdays: own === 228 && !isLeap ? [228, 229] : [own] }
}
