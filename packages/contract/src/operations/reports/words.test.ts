import { expect, test } from 'vitest'
import { axisText } from './words.ts'

test('the steps of an axis below some cents are even', () => {
  expect([0, 0.35, 0.7, 1.05, 1.4].map((cents) => axisText(cents, 'money', 1.3).replaceAll('\u00a0', ' '))).toEqual([
    'R$ 0,00',
    'R$ 0,0035',
    'R$ 0,007',
    'R$ 0,0105',
    'R$ 0,014',
  ])
  expect(axisText(1_400, 'money', 1_400).replaceAll('\u00a0', ' ')).toBe('R$ 14,00')
})

test('large amounts beside an axis are short', () => {
  expect(
    [0, 2_000_000, 150_000_000].map((cents) => axisText(cents, 'money', 150_000_000).replaceAll('\u00a0', ' ')),
  ).toEqual(['R$ 0', 'R$ 20 mil', 'R$ 1,5 mi'])
})
