import { expect, test } from 'vitest'
import { repeatsOf } from './schedules.ts'

const weekly = { wallTime: '2027-03-01T09:00', recurrence: { everyDays: 7, times: 3 }, state: 'pending' } as const

test('what repeats is sent again at the same time of the wall, also when clocks change', () => {
  expect(repeatsOf(weekly, 'America/New_York', '2027-04-30')).toEqual([
    '2027-03-08T14:00:00.000Z',
    '2027-03-15T13:00:00.000Z',
    '2027-03-22T13:00:00.000Z',
  ])
  expect(repeatsOf(weekly, 'America/Sao_Paulo', '2027-03-15')).toHaveLength(2)
})

test('what is no longer to be sent repeats no more', () => {
  expect(repeatsOf({ ...weekly, state: 'canceled' }, 'America/Sao_Paulo', '2027-04-30')).toEqual([])
  expect(repeatsOf({ ...weekly, recurrence: null }, 'America/Sao_Paulo', '2027-04-30')).toEqual([])
})
