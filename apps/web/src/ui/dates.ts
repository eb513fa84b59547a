/** "31/12/2026" from `2026-12-31`. */
export const showDate = (date: string) => date.slice(0, 10).split('-').reverse().join('/')

/** "31/12/2026 14:00" from `2026-12-31 14:00:00`. */
export const showMoment = (wall: string) => `${showDate(wall)} ${wall.slice(11, 16)}`

/** "31/12/2026", "31/12/26", "31122026" and the machine's own `2026-12-31`; null when it is no day of the calendar. */
export const dateFrom = (text: string): string | null => {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return dateFrom(showDate(text))
  const [, day = '', month = '', year = ''] = /^\s*(\d{1,2})\D?(\d{1,2})\D?(\d{4}|\d{2})\s*$/.exec(text) ?? []
  if (!year) return null
  const whole = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const moment = new Date(`${whole}T00:00:00Z`)
  return Number.isNaN(moment.getTime()) || moment.toISOString().slice(0, 10) !== whole ? null : whole
}

/** "31/12/2026 14:30", "31/12/26 14h30" and `2026-12-31T14:30`; a day alone begins at nine. */
export const momentFrom = (text: string): string | null => {
  const [, day = '', hour = '9', minute = '00'] = /^\s*(\S+?)(?:[T\s]+(\d{1,2})(?:[:h](\d{2})?)?)?\s*$/.exec(text) ?? []
  const date = dateFrom(day)
  if (!date || Number(hour) > 23 || Number(minute) > 59) return null
  return `${date} ${hour.padStart(2, '0')}:${minute}:00`
}

const weekdays = new Intl.DateTimeFormat('pt-BR', { weekday: 'short', timeZone: 'UTC' })

/** "sex.", the day of the week of a calendar date. */
export const weekdayOf = (date: string) => weekdays.format(new Date(`${date}T00:00:00Z`))
