/** "31/12/2026" from `2026-12-31`. */
export const showDate = (date: string) => date.slice(0, 10).split('-').reverse().join('/')

/** "31/12/2026", "31/12/26" and "31122026" as `2026-12-31`; null when it is no day of the calendar. */
export const dateFrom = (text: string): string | null => {
  const [, day = '', month = '', year = ''] = /^\s*(\d{1,2})\D?(\d{1,2})\D?(\d{4}|\d{2})\s*$/.exec(text) ?? []
  if (!year) return null
  const whole = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const moment = new Date(`${whole}T00:00:00Z`)
  return Number.isNaN(moment.getTime()) || moment.toISOString().slice(0, 10) !== whole ? null : whole
}

const weekdays = new Intl.DateTimeFormat('pt-BR', { weekday: 'short', timeZone: 'UTC' })

/** "sex.", the day of the week of a calendar date. */
export const weekdayOf = (date: string) => weekdays.format(new Date(`${date}T00:00:00Z`))
