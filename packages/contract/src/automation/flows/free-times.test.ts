import { expect, test } from 'vitest'
import { freeTimes, timeLabel, timeWords } from './free-times.ts'

const timezone = 'America/Sao_Paulo'
const hourOf = (moment: Date) => (moment.getUTCHours() + 21) % 24
const asked = {
  ...{ minutes: 60, days: 3, noticeHours: 2, offers: 6, timezone, busy: [] },
  now: new Date('2026-11-23T12:10:00Z'),
  isOpen: (moment: Date) => hourOf(moment) >= 9 && hourOf(moment) < 12,
}
const labels = (more: object = {}) => freeTimes({ ...asked, ...more }).map((one) => timeLabel(one, timezone))

test('free times lie within the hours, after the notice, and some are of another day', () => {
  expect(labels()).toEqual([
    'ter 24/11, 09:00',
    'ter 24/11, 09:30',
    'ter 24/11, 10:00',
    'ter 24/11, 10:30',
    'qua 25/11, 09:00',
    'qua 25/11, 09:30',
  ])
  // The last begins early enough to end within the hours.
  expect(labels({ noticeHours: 0, days: 0 })).toEqual([
    'seg 23/11, 09:30',
    'seg 23/11, 10:00',
    'seg 23/11, 10:30',
    'seg 23/11, 11:00',
  ])
})

test('what is taken is not offered, not even in part', () => {
  const busy = [{ from: new Date('2026-11-24T12:45:00Z'), to: new Date('2026-11-24T13:15:00Z') }]
  expect(labels({ busy, days: 1 })).toEqual(['ter 24/11, 10:30', 'ter 24/11, 11:00'])
  expect(labels({ isOpen: () => false })).toEqual([])
})

test('a time is called by its hour as people write it', () => {
  expect(timeWords('2026-11-24T12:00:00.000Z', timezone)).toEqual(['09:00', '09h00', '9h', '9 horas'])
})
