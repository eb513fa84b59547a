import { expect, test } from 'vitest'
import { momentAt, wallTimeOf } from './wall-time.ts'

test.each([
  ['2026-11-18T14:30', 'America/Sao_Paulo', '2026-11-18T17:30:00.000Z'],
  ['2026-11-18T00:00', 'America/Rio_Branco', '2026-11-18T05:00:00.000Z'],
  ['2026-12-31T23:59', 'America/Noronha', '2027-01-01T01:59:00.000Z'],
  ['2026-07-01T12:00', 'America/New_York', '2026-07-01T16:00:00.000Z'],
  ['2026-01-01T12:00', 'America/New_York', '2026-01-01T17:00:00.000Z'],
])('%s on the wall of %s is %s, and back', (wall, timeZone, moment) => {
  expect(momentAt(wall, timeZone)).toBe(moment)
  expect(wallTimeOf(moment, timeZone)).toBe(wall)
})

test('a time the clock skips is moved over the leap; one that comes twice is the first', () => {
  expect(momentAt('2026-03-08T02:30', 'America/New_York')).toBe('2026-03-08T07:30:00.000Z')
  expect(momentAt('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z')
})
