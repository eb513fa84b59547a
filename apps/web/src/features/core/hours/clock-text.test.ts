import { expect, test } from 'vitest'
import { maskClock, wholeClock } from './clock-text.ts'

const type = (keys: string) => [...keys].reduce((text, key) => maskClock(text + key, text), '')

test('four digits become a time, with or without the colon', () => {
  expect(type('0830')).toBe('08:30')
  expect(type('08:30')).toBe('08:30')
  expect(type('08x3')).toBe('08:3')
})

test('taking letters away does not bring them back', () => {
  expect(maskClock('08:', '08:3')).toBe('08:')
  expect(maskClock('08', '08:')).toBe('08')
})

test('a hurried time is completed, nonsense is not', () => {
  expect(['8', '18', '830', '8:3', '08:30', '24', '99', ''].map(wholeClock)).toEqual([
    '08:00',
    '18:00',
    '08:30',
    '08:30',
    '08:30',
    undefined,
    undefined,
    undefined,
  ])
})
