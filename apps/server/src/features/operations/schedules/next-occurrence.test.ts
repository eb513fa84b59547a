import { expect, test } from 'vitest'
import { nextOccurrence } from './next-occurrence.ts'

const after = (wallTime: string, everyDays: number, timeZone: string, now: string) => {
  const next = nextOccurrence({ wallTime, everyDays, timeZone }, new Date(now))
  return [next.wallTime, next.dueAt.toISOString()]
}

test.each([
  [
    'over the end of a month',
    '2027-01-31T09:00',
    1,
    'America/Sao_Paulo',
    '2027-02-01T09:00',
    '2027-02-01T12:00:00.000Z',
  ],
  [
    'thirty days from 31 January',
    '2027-01-31T09:00',
    30,
    'America/Sao_Paulo',
    '2027-03-02T09:00',
    '2027-03-02T12:00:00.000Z',
  ],
  ['onto 29 February', '2028-02-28T23:59', 1, 'America/Rio_Branco', '2028-02-29T23:59', '2028-03-01T04:59:00.000Z'],
  ['over the end of a year', '2027-12-30T08:00', 5, 'America/Noronha', '2028-01-04T08:00', '2028-01-04T10:00:00.000Z'],
  [
    'the same time of the wall after the clocks changed',
    '2027-03-10T09:00',
    7,
    'America/New_York',
    '2027-03-17T09:00',
    '2027-03-17T13:00:00.000Z',
  ],
  [
    'a time the clock skips that day keeps its wall for the next',
    '2027-03-13T02:30',
    1,
    'America/New_York',
    '2027-03-14T02:30',
    '2027-03-14T07:30:00.000Z',
  ],
])('%s', (_what, wallTime, everyDays, timeZone, wall, dueAt) => {
  expect(after(wallTime, everyDays, timeZone, '2027-01-01T00:00:00Z')).toEqual([wall, dueAt])
})

test('those that passed while nobody was there are left out', () => {
  expect(after('2027-01-01T09:00', 5, 'UTC', '2027-01-17T10:00:00Z')[0]).toBe('2027-01-21T09:00')
})
