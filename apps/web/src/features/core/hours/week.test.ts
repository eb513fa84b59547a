import { type BusinessDay, isOpenAt } from '@balcao/contract/core/business-hours.ts'
import { expect, test } from 'vitest'
import {
  copyDayTo,
  dayProblem,
  fullWeek,
  hasBreak,
  overnightHint,
  weekProblems,
  withBreak,
  workdays,
  workWeek,
} from './week.ts'

const day = (hr1: string, hr2: string, hr3 = hr2, hr4 = hr2): BusinessDay => ({
  day: 1,
  label: 'Segunda-feira',
  type: 'H',
  hr1,
  hr2,
  hr3,
  hr4,
})

test.each([
  [day('08:00', '18:00'), true],
  [day('08:00', '12:00', '13:00', '18:00'), true],
  [day('08:00', '12:00', '12:00', '18:00'), true],
  [day('22:00', '06:00'), true],
  [day('18:00', '00:00'), true],
  [day('11:00', '15:00', '18:00', '02:00'), true],
  [day('08:00', '08:00'), false],
  [day('08:00', '12:00', '11:00', '18:00'), false],
  [day('22:00', '06:00', '08:00', '10:00'), false],
  [day('18:00', '00:00', '08:00', '10:00'), false],
  [day('08:00', '12:00', '18:00', '09:00'), false],
])('%o is accepted: %s', (value, isFine) => {
  expect(dayProblem(value) === undefined).toBe(isFine)
})

test('a closed or open day is never wrong', () => {
  expect(dayProblem({ ...day('08:00', '08:00'), type: 'C' })).toBeUndefined()
  expect(dayProblem({ ...day('08:00', '08:00'), type: 'O' })).toBeUndefined()
})

test('a night is told by where it ends', () => {
  expect(overnightHint(day('22:00', '06:00'))).toBe('até 06:00 do dia seguinte')
  expect(overnightHint(day('11:00', '15:00', '18:00', '00:00'))).toBe('até a meia-noite')
  expect(overnightHint(day('08:00', '18:00'))).toBeUndefined()
})

test('a day is copied to the days asked for and to no other', () => {
  const week = copyDayTo(workWeek(), { ...day('09:00', '17:00') }, workdays)
  expect(week.filter((one) => one.hr1 === '09:00').map((one) => one.day)).toEqual([1, 2, 3, 4, 5])
  expect(week.find((one) => one.day === 0)).toMatchObject({ type: 'C', label: 'Domingo' })
  expect(week.map((one) => one.day)).toEqual([0, 1, 2, 3, 4, 5, 6])
})

test('the week is shown from Monday to Sunday, with what was never written down as open', () => {
  expect(fullWeek([]).map((day) => [day.day, day.type])).toEqual([1, 2, 3, 4, 5, 6, 0].map((day) => [day, 'O']))
})

test('the week a limit begins with is closed on Sunday and at lunch', () => {
  const at = (iso: string) => isOpenAt(workWeek(), [], new Date(iso), 'America/Sao_Paulo')
  expect(at('2026-03-01T15:00:00Z')).toBe(false)
  expect(at('2026-03-02T15:30:00Z')).toBe(false)
  expect(at('2026-03-02T17:00:00Z')).toBe(true)
})

test('a period can be taken away and put back', () => {
  const whole = withBreak({ ...day('08:00', '12:00', '13:00', '18:00') }, false)
  expect(hasBreak(whole)).toBe(false)
  expect(weekProblems([whole], 'x')).toEqual([])
  expect(hasBreak(withBreak(whole, true))).toBe(true)
  expect(weekProblems([withBreak({ ...whole, hr2: '23:30' }, true)], 'x')).toHaveLength(1)
})

test('a week is told by the name of the day that is wrong', () => {
  const [problem] = weekProblems([day('13:00', '13:00')], 'allowedHours')
  expect(problem).toEqual({ path: 'allowedHours.1', message: expect.stringContaining('Segunda-feira') })
  expect(weekProblems([day('08:00', '12:00', '11:00', '18:00')], 'x')).toHaveLength(1)
})
