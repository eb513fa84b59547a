/** Months are written `2026-11`, days `2026-11-18`; all of it is calendar, nothing is a moment. */

export const monthIn = (text: string, today: string) =>
  /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : today.slice(0, 7)

export const shiftMonth = (month: string, by: number): string => {
  const [year = 0, index = 1] = month.split('-').map(Number)
  return isoDay(new Date(Date.UTC(year, index - 1 + by, 1))).slice(0, 7)
}

/** Whole weeks, from a Sunday to a Saturday, that hold the month. */
export const weeksOf = (month: string): string[] => {
  const first = new Date(`${month}-01T00:00:00Z`)
  const start = first.getTime() - first.getUTCDay() * dayMs
  const last = new Date(`${shiftMonth(month, 1)}-01T00:00:00Z`).getTime() - dayMs
  const end = last + (6 - new Date(last).getUTCDay()) * dayMs
  const count = Math.round((end - start) / dayMs) + 1
  return Array.from({ length: count }, (_, index) => isoDay(new Date(start + index * dayMs)))
}

export const monthTitle = (month: string) => {
  const title = new Intl.DateTimeFormat('pt-BR', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )
  return title.charAt(0).toUpperCase() + title.slice(1)
}
/** "quarta-feira, 18 de novembro". */
export const dayTitle = (day: string) =>
  new Intl.DateTimeFormat('pt-BR', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )

export const weekdays = ['dom', 'seg', 'ter', 'qua', 'qui', 'sex', 'sáb'] as const

const dayMs = 86_400_000
const isoDay = (date: Date) => date.toISOString().slice(0, 10)
