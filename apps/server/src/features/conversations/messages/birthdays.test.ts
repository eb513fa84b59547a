import { expect, test } from 'vitest'
import { todayIn } from './birthdays.ts'

test('29 February is kept on the 28th of a common year, by the company’s clock', () => {
  const at = (moment: string) => todayIn('America/Sao_Paulo', new Date(moment))
  expect(at('2027-02-28T15:00:00Z')).toEqual({ year: 2027, days: [228, 229] })
  expect(at('2028-02-28T15:00:00Z')).toEqual({ year: 2028, days: [228] })
  expect(at('2028-02-29T15:00:00Z')).toEqual({ year: 2028, days: [229] })
  expect(at('2027-01-01T02:00:00Z')).toEqual({ year: 2026, days: [1231] })
})
