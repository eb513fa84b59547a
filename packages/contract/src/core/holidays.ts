import type { Holiday } from './business-hours.ts'

/** Easter Sunday of a year (Gregorian, by the anonymous algorithm of Meeus/Jones/Butcher), as `2026-04-05`. */
export const easterSunday = (year: number): string => {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const inCentury = year % 100
  const correction = Math.floor((8 * century + 13) / 25)
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - epact - (inCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const days = epact + weekday - 7 * late + 114
  return isoDate(year, Math.floor(days / 31), (days % 31) + 1)
}

/**
 * The national holidays of Brazil in a year, by date. Carnival and Corpus Christi are no holidays by federal law
 * ("ponto facultativo"): they come along switched off, for the company to decide.
 */
export const nationalHolidays = (year: number): Holiday[] => {
  const easter = easterSunday(year)
  const days: Holiday[] = [
    ...fixed.map(([month, day, description]) => on(isoDate(year, month, day), description)),
    ...(year >= 2024 ? [on(isoDate(year, 11, 20), 'Dia Nacional de Zumbi e da Consciência Negra')] : []), // lei 14.759/2023
    on(daysAfter(easter, -2), 'Paixão de Cristo'),
    { ...on(daysAfter(easter, -48), 'Carnaval (ponto facultativo)'), active: false },
    { ...on(daysAfter(easter, -47), 'Carnaval (ponto facultativo)'), active: false },
    { ...on(daysAfter(easter, 60), 'Corpus Christi (ponto facultativo)'), active: false },
  ]
  return days.sort(byDate)
}

/** The list with the others added, by date; a date that is already there stays as it is. */
export const withHolidays = (list: readonly Holiday[], others: readonly Holiday[]): Holiday[] => {
  const known = new Set(list.map((one) => one.date))
  const fresh = others.filter((one) => !known.has(one.date) && known.add(one.date))
  return [...list, ...fresh].sort(byDate)
}

const fixed = [
  [1, 1, 'Confraternização Universal'],
  [4, 21, 'Tiradentes'],
  [5, 1, 'Dia do Trabalho'],
  [9, 7, 'Independência do Brasil'],
  [10, 12, 'Nossa Senhora Aparecida'],
  [11, 2, 'Finados'],
  [11, 15, 'Proclamação da República'],
  [12, 25, 'Natal'],
] as const

const on = (date: string, description: string): Holiday => ({ date, description, active: true })
const byDate = (a: Holiday, b: Holiday) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0)
const isoDate = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
const daysAfter = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
