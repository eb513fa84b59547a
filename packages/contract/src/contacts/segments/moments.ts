import { momentAt, wallTimeOf } from '../../core/wall-time.ts'

/** When and for whom a segment is asked: both interpreters count days from here. */
export type At = {
  now: Date
  timezone: string
  /** Whose wallet "eu" is; null: nobody's. */
  me: string | null
}

const dayMs = 86_400_000
/** So many days of 24 hours before now. */
export const daysAgo = (days: number, { now }: At): Date => new Date(now.getTime() - days * dayMs)
/** The first moment of a day (`2026-11-18`) by the company's clock. */
export const midnight = (day: string, { timezone }: At): Date => new Date(momentAt(`${day}T00:00`, timezone))
/** The company's day so many days from today: `2026-11-18`. */
export const dayFromNow = (days: number, { now, timezone }: At): string =>
  new Date(Date.parse(`${wallTimeOf(now, timezone).slice(0, 10)}T00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** A birthday as one number, month before day: 1118. */
export const birthdayNumber = (day: string): number => Number(day.slice(5, 7)) * 100 + Number(day.slice(8, 10))
/** The birthdays of today and so many days after it; 29 February is kept on the 28th of a common year. */
export const birthdaysWithin = (days: number, at: At): number[] => {
  const coming = Array.from({ length: Math.min(days, 365) + 1 }, (_, ahead) => dayFromNow(ahead, at))
  const numbers = coming.map(birthdayNumber)
  const isLeapNow = (day: string) => new Date(Date.UTC(Number(day.slice(0, 4)), 1, 29)).getUTCMonth() === 1
  if (coming.some((day) => day.endsWith('-02-28') && !isLeapNow(day))) numbers.push(229)
  return [...new Set(numbers)]
}
