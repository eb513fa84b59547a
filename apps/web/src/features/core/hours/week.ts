import { type BusinessDay, weekdayLabels } from '@balcao/contract/core/business-hours.ts'
import type { FieldProblem } from '@balcao/contract/errors.ts'

/** What a limit begins with: business hours from Monday to Friday. */
export const workWeek = (): BusinessDay[] =>
  weekdayLabels.map((label, day) => ({
    day,
    label,
    type: day === 0 || day === 6 ? 'C' : 'H',
    hr1: '08:00',
    hr2: '12:00',
    hr3: '13:00',
    hr4: '18:00',
  }))

/** All seven days, Monday first; a day nobody wrote down is open. */
export const fullWeek = (days: readonly BusinessDay[]): BusinessDay[] =>
  [1, 2, 3, 4, 5, 6, 0].map(
    (day) =>
      days.find((one) => one.day === day) ?? {
        day,
        label: weekdayLabels[day] ?? '',
        type: 'O',
        hr1: '08:00',
        hr2: '12:00',
        hr3: '13:00',
        hr4: '18:00',
      },
  )

/** A day of one period has a second one without length. */
export const hasBreak = (day: BusinessDay) => day.hr3 !== day.hr4

/** With a second period, after the first; or without it. */
export const withBreak = (day: BusinessDay, wanted: boolean): BusinessDay => {
  if (!wanted) return { ...day, hr3: day.hr2, hr4: day.hr2 }
  const from = day.hr2 < '23:00' ? day.hr2 : '23:00'
  return from < '13:00' ? { ...day, hr3: '13:00', hr4: '18:00' } : { ...day, hr3: from, hr4: '23:59' }
}

export const changeDay = (days: readonly BusinessDay[], next: BusinessDay): BusinessDay[] =>
  fullWeek(days)
    .map((one) => (one.day === next.day ? next : one))
    .sort((a, b) => a.day - b.day)

/** What keeps a day from being saved; undefined when it can. A period may end after midnight, the last one only. */
export const dayProblem = (day: BusinessDay): string | undefined => {
  if (day.type !== 'H') return undefined
  if (day.hr1 === day.hr2) return 'O início e o fim do período são iguais.'
  if (!hasBreak(day)) return undefined
  if (runsOver(day.hr1, day.hr2) && day.hr2 !== '00:00')
    return 'Um período que passa da meia-noite precisa ser o último do dia.'
  if (day.hr3 < day.hr2 || day.hr2 === '00:00') return 'O segundo período precisa começar depois do primeiro.'
  if (runsOver(day.hr3, day.hr4) && day.hr4 > day.hr1) return 'O segundo período entra no primeiro do dia seguinte.'
  return undefined
}

/** Ends on the next day: `22:00–06:00`, and `18:00–00:00` at its very beginning. */
export const runsOver = (from: string, to: string) => to < from

/** "até 06:00 do dia seguinte", where a day's last period passes midnight. */
export const overnightHint = (day: BusinessDay): string | undefined => {
  if (day.type !== 'H') return undefined
  const [from, to] = hasBreak(day) ? [day.hr3, day.hr4] : [day.hr1, day.hr2]
  if (!runsOver(from, to)) return undefined
  return to === '00:00' ? 'até a meia-noite' : `até ${to} do dia seguinte`
}

export const workdays = [1, 2, 3, 4, 5]
export const everyDay = [1, 2, 3, 4, 5, 6, 0]

/** These days like that one. */
export const copyDayTo = (days: readonly BusinessDay[], from: BusinessDay, targets: readonly number[]): BusinessDay[] =>
  fullWeek(days)
    .map((one) => (targets.includes(one.day) ? { ...from, day: one.day, label: one.label } : one))
    .sort((a, b) => a.day - b.day)

/** What keeps a week from being saved, named by its days. */
export const weekProblems = (days: readonly BusinessDay[], path: string): FieldProblem[] =>
  days.flatMap((day) => {
    const problem = dayProblem(day)
    return problem ? [{ path: `${path}.${day.day}`, message: `${day.label}: ${problem}` }] : []
  })
