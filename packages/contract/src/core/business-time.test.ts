import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { alwaysOpen, type BusinessDay, type Holiday, isOpenAt } from './business-hours.ts'
import {
  addBusinessMinutes,
  type BusinessCalendar,
  businessMinutesBetween,
  lastClosing,
  nextOpening,
} from './business-time.ts'
import { nationalHolidays } from './holidays.ts'
import { momentAt } from './wall-time.ts'

type Clocks = [hr1: string, hr2: string, hr3: string, hr4: string]
const none = '00:00'
/** The weekdays named (0 is Sunday) with these periods, the others closed. */
const on = (days: number[], [hr1, hr2, hr3, hr4]: Clocks): BusinessDay[] =>
  alwaysOpen.map((day) => ({ ...day, type: days.includes(day.day) ? 'H' : 'C', hr1, hr2, hr3, hr4 }))

const hours = {
  /** Monday to Friday 8–12 and 13–18: nine hours a day. */
  office: on([1, 2, 3, 4, 5], ['08:00', '12:00', '13:00', '18:00']),
  /** The same, and Saturday 8–12. */
  shop: on([1, 2, 3, 4, 5, 6], ['08:00', '12:00', '13:00', '18:00']).map((day) =>
    day.day === 6 ? { ...day, hr3: none, hr4: none } : day,
  ),
  /** Every day 9–17. */
  daily: on([0, 1, 2, 3, 4, 5, 6], ['09:00', '17:00', none, none]),
  /** Monday to Friday 22–6: the night belongs to the evening it began on. */
  night: on([1, 2, 3, 4, 5], ['22:00', '06:00', none, none]),
  /** Every day 18–24. */
  evening: on([0, 1, 2, 3, 4, 5, 6], ['18:00', none, none, none]),
  /** Every night 23–4: across every change of clocks. */
  late: on([0, 1, 2, 3, 4, 5, 6], ['23:00', '04:00', none, none]),
  /** Two periods that overlap: 8–13 and 12–14 are six hours. */
  overlap: on([1, 2, 3, 4, 5], ['08:00', '13:00', '12:00', '14:00']),
  sunday: on([0], ['10:00', '12:00', none, none]),
  always: alwaysOpen,
  unset: [],
} satisfies Record<string, BusinessDay[]>

const holidaySets: Record<string, Holiday[]> = {
  none: [],
  brazil: [2024, 2025, 2026, 2027].flatMap(nationalHolidays),
  /** 24 and 31 December 2026, and one that is switched off. */
  own: [
    { date: '2026-12-24', description: 'Recesso', active: true },
    { date: '2026-12-31', description: 'Recesso', active: true },
    { date: '2026-12-30', description: 'Ponte', active: false },
  ],
}

const zones = {
  sp: 'America/Sao_Paulo',
  mao: 'America/Manaus',
  ny: 'America/New_York',
  lis: 'Europe/Lisbon',
  utc: 'UTC',
  kat: 'Asia/Kathmandu',
} as const

type Row = [
  zone: keyof typeof zones,
  hours: keyof typeof hours,
  holidays: keyof typeof holidaySets,
  from: string,
  minutes: number,
  to: string,
]
/**
 * Times as the wall of the zone shows them; where the wall shows one twice, with the offset. 16 November 2026 is a
 * Monday, 20 November a holiday in Brazil; Christmas and New Year 2026/27 are Fridays.
 */
const golden: Row[] = [
  // One day.
  ['sp', 'office', 'none', '2026-11-16T09:00', 30, '2026-11-16T09:30'],
  ['sp', 'office', 'none', '2026-11-16T08:00', 240, '2026-11-16T12:00'], // closing time, not 13:00
  ['sp', 'office', 'none', '2026-11-16T08:00', 241, '2026-11-16T13:01'],
  ['sp', 'office', 'none', '2026-11-16T11:45', 30, '2026-11-16T13:15'],
  ['sp', 'office', 'none', '2026-11-16T12:30', 1, '2026-11-16T13:01'],
  ['sp', 'office', 'none', '2026-11-16T07:00', 60, '2026-11-16T09:00'],
  ['sp', 'office', 'none', '2026-11-16T08:00', 540, '2026-11-16T18:00'],
  ['sp', 'office', 'none', '2026-11-16T08:00', 0, '2026-11-16T08:00'],
  ['sp', 'office', 'none', '2026-11-16T22:00', 0, '2026-11-16T22:00'],
  // Over nights and week ends.
  ['sp', 'office', 'none', '2026-11-16T17:30', 30, '2026-11-16T18:00'],
  ['sp', 'office', 'none', '2026-11-16T17:30', 31, '2026-11-17T08:01'],
  ['sp', 'office', 'none', '2026-11-16T17:30', 60, '2026-11-17T08:30'],
  ['sp', 'office', 'none', '2026-11-16T18:00', 10, '2026-11-17T08:10'],
  ['sp', 'office', 'none', '2026-11-16T23:59', 10, '2026-11-17T08:10'],
  ['sp', 'office', 'none', '2026-11-20T17:00', 120, '2026-11-23T09:00'],
  ['sp', 'office', 'none', '2026-11-21T10:00', 15, '2026-11-23T08:15'],
  ['sp', 'office', 'none', '2026-11-22T23:59', 15, '2026-11-23T08:15'],
  ['sp', 'office', 'none', '2026-11-16T08:00', 2700, '2026-11-20T18:00'], // a whole week
  ['sp', 'office', 'none', '2026-11-16T08:00', 2701, '2026-11-23T08:01'],
  ['sp', 'office', 'none', '2026-11-16T08:00', 5400, '2026-11-27T18:00'],
  ['sp', 'shop', 'none', '2026-11-20T17:30', 60, '2026-11-21T08:30'],
  ['sp', 'shop', 'none', '2026-11-21T11:00', 90, '2026-11-23T08:30'],
  ['sp', 'sunday', 'none', '2026-11-16T08:00', 120, '2026-11-22T12:00'],
  ['sp', 'sunday', 'none', '2026-11-16T08:00', 121, '2026-11-29T10:01'],
  ['sp', 'overlap', 'none', '2026-11-16T08:00', 360, '2026-11-16T14:00'],
  ['sp', 'overlap', 'none', '2026-11-16T12:30', 91, '2026-11-17T08:01'],
  // Holidays: the nation's and the company's.
  ['sp', 'office', 'brazil', '2026-11-19T17:00', 120, '2026-11-23T09:00'], // Friday 20 is one
  ['sp', 'office', 'brazil', '2026-11-20T10:00', 5, '2026-11-23T08:05'],
  ['sp', 'shop', 'brazil', '2026-11-19T17:30', 60, '2026-11-21T08:30'],
  ['sp', 'daily', 'brazil', '2026-12-24T16:30', 60, '2026-12-26T09:30'], // Christmas
  ['sp', 'daily', 'brazil', '2026-12-31T16:30', 60, '2027-01-02T09:30'], // over the year's end
  ['sp', 'office', 'brazil', '2026-12-31T17:30', 60, '2027-01-04T08:30'],
  ['sp', 'always', 'brazil', '2026-11-19T23:30', 60, '2026-11-21T00:30'],
  ['sp', 'unset', 'brazil', '2026-11-19T23:30', 60, '2026-11-21T00:30'],
  ['sp', 'office', 'brazil', '2026-02-13T17:30', 60, '2026-02-16T08:30'], // Carnival is no holiday by law
  ['sp', 'office', 'brazil', '2026-04-02T17:30', 60, '2026-04-06T08:30'], // Good Friday
  ['sp', 'office', 'own', '2026-12-23T17:30', 60, '2026-12-25T08:30'],
  ['sp', 'office', 'own', '2026-12-29T17:30', 60, '2026-12-30T08:30'], // switched off
  ['sp', 'office', 'own', '2026-12-30T17:30', 60, '2027-01-01T08:30'],
  // Night shifts.
  ['sp', 'night', 'none', '2026-11-16T21:00', 60, '2026-11-16T23:00'],
  ['sp', 'night', 'none', '2026-11-16T22:00', 480, '2026-11-17T06:00'],
  ['sp', 'night', 'none', '2026-11-16T22:00', 481, '2026-11-17T22:01'],
  ['sp', 'night', 'none', '2026-11-16T03:00', 60, '2026-11-16T23:00'], // Sunday has no night
  ['sp', 'night', 'none', '2026-11-20T23:00', 420, '2026-11-21T06:00'], // Friday's runs into Saturday
  ['sp', 'night', 'none', '2026-11-20T23:00', 421, '2026-11-23T22:01'],
  ['sp', 'night', 'none', '2026-11-21T05:00', 90, '2026-11-23T22:30'],
  ['sp', 'night', 'brazil', '2026-11-19T22:00', 120, '2026-11-20T00:00'], // midnight begins the holiday
  ['sp', 'night', 'brazil', '2026-11-19T22:00', 121, '2026-11-21T00:01'], // and ends it
  ['sp', 'evening', 'none', '2026-11-16T23:30', 30, '2026-11-17T00:00'],
  ['sp', 'evening', 'none', '2026-11-16T23:30', 31, '2026-11-17T18:01'],
  // Ends of months, leap days.
  ['sp', 'daily', 'none', '2024-02-28T16:30', 60, '2024-02-29T09:30'],
  ['sp', 'daily', 'none', '2024-02-29T16:30', 60, '2024-03-01T09:30'],
  ['sp', 'daily', 'none', '2025-02-28T16:30', 60, '2025-03-01T09:30'],
  ['sp', 'daily', 'none', '2026-04-30T16:30', 60, '2026-05-01T09:30'],
  ['sp', 'always', 'none', '2024-02-28T00:00', 2880, '2024-03-01T00:00'],
  ['utc', 'always', 'none', '2026-01-01T00:00', 525_600, '2027-01-01T00:00'],
  // São Paulo when it still changed its clocks, at midnight: no 00:00–00:59 on 4 November 2018, 23:00–23:59 twice on 16 February 2019.
  ['sp', 'always', 'none', '2018-11-03T23:30', 60, '2018-11-04T01:30'],
  ['sp', 'daily', 'none', '2018-11-03T16:00', 120, '2018-11-04T10:00'],
  ['sp', 'late', 'none', '2018-11-03T23:00', 240, '2018-11-04T04:00'], // an hour short
  ['sp', 'late', 'none', '2018-11-03T23:00', 241, '2018-11-04T23:01'],
  ['sp', 'always', 'none', '2019-02-16T23:30-02:00', 60, '2019-02-16T23:30-03:00'],
  ['sp', 'late', 'none', '2019-02-16T23:00-02:00', 360, '2019-02-17T04:00'], // an hour longer
  ['sp', 'evening', 'none', '2019-02-16T18:00', 420, '2019-02-17T00:00'],
  ['sp', 'office', 'none', '2019-02-15T17:30', 60, '2019-02-18T08:30'],
  // New York: no 02:00–02:59 on 8 March 2026, 01:00–01:59 twice on 1 November 2026.
  ['ny', 'office', 'none', '2026-03-06T17:30', 60, '2026-03-09T08:30'],
  ['ny', 'always', 'none', '2026-03-08T01:30', 60, '2026-03-08T03:30'],
  ['ny', 'late', 'none', '2026-03-07T23:00', 240, '2026-03-08T04:00'],
  ['ny', 'always', 'none', '2026-11-01T01:30-04:00', 60, '2026-11-01T01:30-05:00'],
  ['ny', 'late', 'none', '2026-10-31T23:00', 360, '2026-11-01T04:00'],
  ['ny', 'daily', 'none', '2026-10-31T16:00', 120, '2026-11-01T10:00'],
  // Lisbon: no 01:00–01:59 on 29 March 2026, 01:00–01:59 twice on 25 October 2026.
  ['lis', 'office', 'none', '2026-03-27T17:30', 60, '2026-03-30T08:30'],
  ['lis', 'always', 'none', '2026-03-29T00:30', 60, '2026-03-29T02:30'],
  ['lis', 'late', 'none', '2026-10-24T23:00', 360, '2026-10-25T04:00'],
  ['lis', 'always', 'none', '2026-10-25T00:30', 120, '2026-10-25T01:30+00:00'],
  // Elsewhere.
  ['mao', 'office', 'brazil', '2026-11-19T17:30', 60, '2026-11-23T08:30'],
  ['kat', 'office', 'none', '2026-11-16T17:30', 60, '2026-11-17T08:30'], // a quarter of an hour beside the others
]

const calendarOf = (zone: keyof typeof zones, which: keyof typeof hours, set: string): BusinessCalendar => ({
  hours: hours[which],
  holidays: holidaySets[set] ?? [],
  timeZone: zones[zone],
})
const momentOf = (wall: string, zone: keyof typeof zones) =>
  wall.length > 16 ? new Date(`${wall.slice(0, 16)}:00${wall.slice(16)}`) : new Date(momentAt(wall, zones[zone]))

describe('golden table', () => {
  test.each(golden)('%s %s, holidays %s: %s + %i = %s', (zone, which, set, from, minutes, to) => {
    const calendar = calendarOf(zone, which, set)
    const [start, end] = [momentOf(from, zone), momentOf(to, zone)]
    expect(addBusinessMinutes(calendar, start, minutes)?.toISOString()).toBe(end.toISOString())
    expect(businessMinutesBetween(calendar, start, end)).toBe(minutes)
    expect(businessMinutesBetween(calendar, end, start)).toBe(0 - minutes)
  })
})

test('the next opening is now when open, else when the next stretch begins', () => {
  const opening = (zone: keyof typeof zones, which: keyof typeof hours, set: string, at: string) =>
    nextOpening(calendarOf(zone, which, set), momentOf(at, zone))?.toISOString()
  const at = (wall: string) => momentOf(wall, 'sp').toISOString()
  expect(opening('sp', 'office', 'none', '2026-11-16T09:17')).toBe(at('2026-11-16T09:17'))
  expect(opening('sp', 'office', 'none', '2026-11-16T12:00')).toBe(at('2026-11-16T13:00'))
  expect(opening('sp', 'office', 'none', '2026-11-16T18:00')).toBe(at('2026-11-17T08:00'))
  expect(opening('sp', 'office', 'brazil', '2026-11-19T18:00')).toBe(at('2026-11-23T08:00'))
  expect(opening('sp', 'night', 'none', '2026-11-21T06:00')).toBe(at('2026-11-23T22:00'))
  expect(opening('sp', 'always', 'brazil', '2026-11-20T10:00')).toBe(at('2026-11-21T00:00'))
})

test('the last closing is now while open, else when the last stretch ended', () => {
  const closing = (which: keyof typeof hours, set: string, at: string) =>
    lastClosing(calendarOf('sp', which, set), momentOf(at, 'sp'), 31)?.toISOString()
  const at = (wall: string) => momentOf(wall, 'sp').toISOString()
  expect(closing('office', 'none', '2026-11-16T09:17')).toBe(at('2026-11-16T09:17'))
  expect(closing('office', 'none', '2026-11-16T12:30')).toBe(at('2026-11-16T12:00'))
  expect(closing('office', 'brazil', '2026-11-23T07:59')).toBe(at('2026-11-19T18:00'))
  expect(closing('night', 'none', '2026-11-23T21:59')).toBe(at('2026-11-21T06:00'))
})

test('whoever never opens promises nothing, and is known at once', () => {
  const closed: BusinessCalendar = { hours: on([], ['08:00', '12:00', none, none]), holidays: [], timeZone: zones.sp }
  const from = new Date('2026-11-16T12:00:00Z')
  expect(addBusinessMinutes(closed, from, 1)).toBeUndefined()
  expect(addBusinessMinutes(closed, from, 0)).toEqual(from)
  expect(nextOpening(closed, from)).toBeUndefined()
  expect(lastClosing(closed, from, 31)).toBeUndefined()
  expect(businessMinutesBetween(closed, from, new Date('2027-11-16T12:00:00Z'))).toBe(0)
})

test('more minutes than ten years hold are no promise', () => {
  const sundays = calendarOf('sp', 'sunday', 'none')
  const from = new Date('2026-11-16T12:00:00Z')
  expect(addBusinessMinutes(sundays, from, 525_600)).toBeUndefined()
  expect(addBusinessMinutes(sundays, from, 52 * 120)).toBeDefined()
})

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '15', '30', '45'))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`)
const week = fc.subarray([0, 1, 2, 3, 4, 5, 6]).chain((days) =>
  fc.tuple(
    ...days.map((day) =>
      fc.record({
        day: fc.constant(day),
        label: fc.constant(''),
        type: fc.constantFrom('O' as const, 'C' as const, 'H' as const, 'H' as const, 'H' as const),
        hr1: clock,
        hr2: clock,
        hr3: clock,
        hr4: clock,
      }),
    ),
  ),
)
/** Around the days on which clocks change, and elsewhere. */
const around = (iso: string) => fc.integer({ min: -3, max: 2 }).map((days) => Date.parse(iso) + days * 86_400_000)
const day = fc.oneof(
  around('2018-11-04T03:00Z'),
  around('2019-02-17T02:00Z'),
  around('2026-03-08T07:00Z'),
  around('2026-11-01T06:00Z'),
  around('2026-03-29T01:00Z'),
  around('2026-10-25T01:00Z'),
  around('2026-11-20T12:00Z'),
  around('2024-02-29T12:00Z'),
)
const calendar = fc.record({
  hours: week,
  holidays: fc.constantFrom(...Object.values(holidaySets)),
  timeZone: fc.constantFrom(...Object.values(zones)),
})
const moment = fc.tuple(day, fc.integer({ min: 0, max: 1_440 })).map(([at, minute]) => new Date(at + minute * 60_000))

/** One look at every minute. */
const counted = ({ hours, holidays, timeZone }: BusinessCalendar, from: Date, to: Date) => {
  let minutes = 0
  for (let at = from.getTime(); at < to.getTime(); at += 60_000)
    if (isOpenAt(hours, holidays, new Date(at), timeZone)) minutes += 1
  return minutes
}

test('agrees with whoever looks at every minute', () => {
  fc.assert(
    fc.property(calendar, moment, fc.integer({ min: 1, max: 2_000 }), (given, from, length) => {
      const to = new Date(from.getTime() + length * 60_000)
      expect(businessMinutesBetween(given, from, to)).toBe(counted(given, from, to))
    }),
    { numRuns: 60 },
  )
}, 60_000)

test('what was added is what lies between, and not a moment more', () => {
  fc.assert(
    fc.property(calendar, moment, fc.integer({ min: 1, max: 20_000 }), (given, from, minutes) => {
      const to = addBusinessMinutes(given, from, minutes)
      if (!to) return
      expect(businessMinutesBetween(given, from, to)).toBeCloseTo(minutes, 6)
      expect(businessMinutesBetween(given, from, new Date(to.getTime() - 1_000))).toBeLessThan(minutes)
    }),
    { numRuns: 1_000 },
  )
})

test('later begun or more to do is never sooner done', () => {
  const length = fc.integer({ min: 0, max: 5_000 })
  fc.assert(
    fc.property(calendar, moment, length, length, length, (given, from, minutes, more, wait) => {
      const first = addBusinessMinutes(given, from, minutes)?.getTime() ?? Number.POSITIVE_INFINITY
      const longer = addBusinessMinutes(given, from, minutes + more)?.getTime() ?? Number.POSITIVE_INFINITY
      const later = new Date(from.getTime() + wait * 60_000)
      const second = addBusinessMinutes(given, later, minutes)?.getTime() ?? Number.POSITIVE_INFINITY
      expect(longer).toBeGreaterThanOrEqual(first)
      expect(second).toBeGreaterThanOrEqual(first)
    }),
    { numRuns: 1_000 },
  )
})

test('an opening is open, and nothing before it is', () => {
  fc.assert(
    fc.property(calendar, moment, (given, at) => {
      const opening = nextOpening(given, at)
      if (!opening) return
      expect(isOpenAt(given.hours, given.holidays, opening, given.timeZone)).toBe(true)
      expect(businessMinutesBetween(given, at, opening)).toBe(0)
    }),
    { numRuns: 500 },
  )
})

test('is quick: a promise of a day costs a fraction of a millisecond, one of a year a few', () => {
  const office = calendarOf('sp', 'office', 'brazil')
  const from = new Date('2026-11-16T12:00:00Z')
  addBusinessMinutes(office, from, 480)
  const startedAt = performance.now()
  for (let n = 0; n < 200; n += 1) addBusinessMinutes(office, from, 480)
  expect((performance.now() - startedAt) / 200).toBeLessThan(5)
})
