import { expect, test } from 'vitest'
import { daysFrom, todayIn } from './calendar.ts'

test('29 February is kept on the 28th of a common year, by the company’s clock', () => {
  const at = (moment: string) => todayIn('America/Sao_Paulo', new Date(moment))
  expect(at('2027-02-28T15:00:00Z')).toEqual({ date: '2027-02-28', year: 2027, birthdays: [228, 229] })
  expect(at('2028-02-28T15:00:00Z')).toEqual({ date: '2028-02-28', year: 2028, birthdays: [228] })
  expect(at('2028-02-29T15:00:00Z')).toEqual({ date: '2028-02-29', year: 2028, birthdays: [229] })
})

test('the day begins at the company’s midnight, wherever the server is and whatever its clock did that night', () => {
  const dayIn = (timeZone: string, moment: string) => todayIn(timeZone, new Date(moment)).date
  expect(dayIn('America/Sao_Paulo', '2027-01-01T02:59:00Z')).toBe('2026-12-31')
  expect(dayIn('America/Sao_Paulo', '2027-01-01T03:00:00Z')).toBe('2027-01-01')
  expect(dayIn('America/Rio_Branco', '2027-01-01T04:59:00Z')).toBe('2026-12-31')
  expect(dayIn('America/Noronha', '2027-01-01T02:00:00Z')).toBe('2027-01-01')
  // São Paulo, 2018: midnight itself was skipped; New York, 2026: an hour came twice.
  expect(dayIn('America/Sao_Paulo', '2018-11-04T02:59:00Z')).toBe('2018-11-03')
  expect(dayIn('America/Sao_Paulo', '2018-11-04T03:00:00Z')).toBe('2018-11-04')
  expect(dayIn('America/New_York', '2026-11-01T05:30:00Z')).toBe(dayIn('America/New_York', '2026-11-01T06:30:00Z'))
})

test('the days ahead go over the end of the year, and no birthday is on two of them', () => {
  const days = daysFrom('America/Sao_Paulo', 31, new Date('2026-12-20T12:00:00Z'))
  expect(days.at(0)).toMatchObject({ date: '2026-12-20', year: 2026 })
  expect(days.at(-1)).toMatchObject({ date: '2027-01-19', year: 2027, birthdays: [119] })
  const all = daysFrom('America/Sao_Paulo', 365, new Date('2027-01-01T12:00:00Z')).flatMap((day) => day.birthdays)
  expect(all).toHaveLength(366)
  expect(new Set(all).size).toBe(366)
})
