import { expect, test } from 'vitest'
import { dateFrom, momentFrom, showDate, showMoment, weekdayOf } from './dates.ts'

test.each([
  ['31/12/2026', '2026-12-31'],
  ['1/2/26', '2026-02-01'],
  ['25122026', '2026-12-25'],
  ['29/02/2028', '2028-02-29'],
  ['29/02/2026', null],
  ['31/11/2026', null],
  ['amanhã', null],
  ['', null],
])('%s is read as %s', (text, date) => {
  expect(dateFrom(text)).toBe(date)
})

test('a date is written as people write it', () => {
  expect(showDate('2026-04-03')).toBe('03/04/2026')
  expect(weekdayOf('2026-04-03')).toBe('sex.')
})

test('a moment is typed as people write it; a day alone begins at nine', () => {
  expect(momentFrom('31/12/2026 14:30')).toBe('2026-12-31 14:30:00')
  expect(momentFrom('31/12/26 8h')).toBe('2026-12-31 08:00:00')
  expect(momentFrom('2026-12-31T14:30')).toBe('2026-12-31 14:30:00')
  expect(momentFrom('31/12/2026')).toBe('2026-12-31 09:00:00')
  expect(momentFrom('31/12/2026 25:00')).toBeNull()
  expect(momentFrom('amanhã')).toBeNull()
  expect(showMoment('2026-12-31 14:30:00')).toBe('31/12/2026 14:30')
})
