import { expect, test } from 'vitest'
import { monthIn, monthTitle, shiftMonth, weeksOf } from './month.ts'

test('a month is shown in whole weeks, Sunday to Saturday', () => {
  const november = weeksOf('2026-11')
  expect([november[0], november.at(-1), november.length]).toEqual(['2026-11-01', '2026-12-05', 35])
  expect(weeksOf('2026-02')).toHaveLength(28) // begins on a Sunday, ends on a Saturday
  expect(weeksOf('2026-08')).toHaveLength(42)
})

test('months follow each other across years', () => {
  expect(shiftMonth('2026-12', 1)).toBe('2027-01')
  expect(shiftMonth('2026-01', -1)).toBe('2025-12')
  expect(monthTitle('2026-03')).toBe('Março de 2026')
})

test('an address that names no month shows the present one', () => {
  expect(monthIn('2026-13', '2026-11-20')).toBe('2026-11')
  expect(monthIn('2025-02', '2026-11-20')).toBe('2025-02')
})
