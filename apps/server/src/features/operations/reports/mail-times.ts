import { momentAt, wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import { type MailRhythm, mailHour } from '@balcao/contract/operations/reports/views.ts'
import { addDays } from './report-filters.ts'

/** The next moment after `now` at which a view of that rhythm is sent; null: never. */
export const nextMailAt = (every: MailRhythm, timezone: string, now: Date): Date | null => {
  if (every === 'never') return null
  const today = wallTimeOf(now, timezone).slice(0, 10)
  for (let ahead = 0; ; ahead += 1) {
    const day = addDays(today, ahead)
    const at = new Date(momentAt(`${day}T${String(mailHour).padStart(2, '0')}:00`, timezone))
    if (at > now && isDay(every, day)) return at
  }
}
const isDay = (every: MailRhythm, day: string) =>
  every === 'day' ||
  (every === 'week' && new Date(`${day}T00:00Z`).getUTCDay() === 1) ||
  (every === 'month' && day.endsWith('-01'))

/** What has just ended when it is sent on that day: yesterday, the last seven days, the last month. */
export const mailedDays = (every: MailRhythm, today: string): { dateFrom: string; dateTo: string } => {
  const dateTo = addDays(today, -1)
  if (every === 'month') return { dateFrom: `${dateTo.slice(0, 7)}-01`, dateTo }
  return { dateFrom: every === 'week' ? addDays(today, -7) : dateTo, dateTo }
}
