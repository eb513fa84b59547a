import { expect, test } from 'vitest'
import { formatBytes, formatDay, formatSeconds, isSameDay } from './format.ts'

const at = (day: number, hour = 12) => new Date(2026, 4, day, hour).toISOString()
const now = new Date(2026, 4, 20, 0, 30)

test('days are named as people name them', () => {
  expect(formatDay(at(20, 0), now)).toBe('Hoje')
  expect(formatDay(at(19, 23), now)).toBe('Ontem')
  expect(formatDay(at(18), now)).toBe('segunda-feira, 18 de maio')
  expect(formatDay(new Date(2025, 4, 18).toISOString(), now)).toBe('18 de maio de 2025')
})

test('a day ends at midnight of the visitor', () => {
  expect(isSameDay(at(19, 0), at(19, 23))).toBe(true)
  expect(isSameDay(at(19, 23), at(20, 0))).toBe(false)
})

test('sizes and lengths are short', () => {
  expect(formatBytes(900)).toBe('900 B')
  expect(formatBytes(1500)).toBe('1,5 kB')
  expect(formatBytes(10_000_000)).toBe('10 MB')
  expect(formatSeconds(65)).toBe('1:05')
})
