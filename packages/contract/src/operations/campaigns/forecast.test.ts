import { expect, test } from 'vitest'
import { campaignWindow } from './campaigns.ts'
import { endOf, endOfSteps, firstOpen, isSendingDay, type Load } from './forecast.ts'

const timeZone = 'America/Sao_Paulo'
const calendar = (window: object = {}, holidays: string[] = []) => ({
  window: campaignWindow.parse(window),
  holidays: holidays.map((date) => ({ date, description: '', active: true })),
  timeZone,
})
const load = (more: Partial<Load>): Load => ({
  ...{ count: 100, restSeconds: 1, leftToday: null, mostOn: () => null, quiet: null },
  ...more,
})
// A Tuesday, 10:00 in São Paulo.
const now = new Date('2026-11-24T13:00:00Z')
const iso = (at: Date | null) => at?.toISOString().slice(0, 16)

test('a load ends after its pace, within the hours, and goes on the next day it may', () => {
  expect(iso(endOf(load({ count: 600 }), calendar(), now))).toBe('2026-11-24T13:10')
  // Ten hours of the day are left at one a minute: 600; the rest on Wednesday from 08:00.
  expect(iso(endOf(load({ count: 660, restSeconds: 60 }), calendar(), now))).toBe('2026-11-25T12:00')
  expect(iso(endOf(load({ count: 660, restSeconds: 60 }), calendar({ days: [2, 5] }), now))).toBe('2026-11-27T12:00')
  expect(iso(endOf(load({ count: 660, restSeconds: 60 }), calendar({}, ['2026-11-25']), now))).toBe('2026-11-26T12:00')
})

test('what a day may have at most, and quiet hours, hold it back', () => {
  const capped = load({ count: 250, leftToday: 50, mostOn: () => 100 })
  expect(iso(endOf(capped, calendar(), now))).toBe('2026-11-26T11:01')
  const warming = load({ count: 1_000, leftToday: 10, mostOn: (day) => Math.floor(20 * 1.5 ** day) })
  expect(endOf(warming, calendar(), now)?.getTime()).toBeGreaterThan(now.getTime() + 6 * 86_400_000)
  const quiet = load({ count: 60, restSeconds: 60, quiet: { from: '10:30', until: '15:00' } })
  expect(iso(endOf(quiet, calendar(), now))).toBe('2026-11-24T18:30')
  expect(endOf(load({ leftToday: 0, mostOn: () => 0 }), calendar(), now)).toBeNull()
})

test('the first open moment is now, later today, or on another day; over midnight counts too', () => {
  expect(iso(firstOpen(calendar(), now))).toBe('2026-11-24T13:00')
  expect(iso(firstOpen(calendar({ from: '14:00', until: '18:00' }), now))).toBe('2026-11-24T17:00')
  expect(iso(firstOpen(calendar({ days: [0] }), now))).toBe('2026-11-29T11:00')
  expect(iso(firstOpen(calendar({ from: '22:00', until: '02:00' }), now))).toBe('2026-11-25T01:00')
  expect(isSendingDay('2026-12-25', calendar({}, ['2026-12-25']))).toBe(false)
})

test('follow-ups are counted: each is due after the one before it, and they share the pace', () => {
  // 600 end at 10:10; the second send of the last is due two days later, the third a day after that.
  expect(iso(endOfSteps(load({ count: 600 }), [48], calendar(), now))).toBe('2026-11-26T13:10')
  expect(iso(endOfSteps(load({ count: 600 }), [48, 24], calendar(), now))).toBe('2026-11-27T13:10')
  // Slower than the follow-ups come: 1,320 at one a minute are ten hours of today and twelve of tomorrow.
  const slow = load({ count: 660, restSeconds: 60 })
  expect(iso(endOfSteps(slow, [1], calendar(), now))).toBe('2026-11-25T23:00')
  expect(endOfSteps(load({ count: 10, mostOn: () => 0, leftToday: 0 }), [24], calendar(), now)).toBeNull()
  expect(endOfSteps(load({ count: 600 }), [], calendar(), now)).toEqual(endOf(load({ count: 600 }), calendar(), now))
})

test('what is left of a test, and of the first few, waits: the end is after that, and a day’s limit holds for both parts', () => {
  const six = load({ count: 600 })
  // 120 until 10:02, four hours, and 480 in eight minutes.
  expect(iso(endOfSteps(six, [], calendar(), now, [{ first: 120, hours: 4 }]))).toBe('2026-11-24T17:10')
  const both = [
    { first: 120, hours: 4 },
    { first: 60, hours: 1 },
  ]
  expect(iso(endOfSteps(six, [], calendar(), now, both))).toBe('2026-11-24T18:10')
  // The wait ends after the day: the rest goes in the morning, with what that day may have.
  const capped = load({ count: 600, leftToday: 200, mostOn: () => 240 })
  expect(iso(endOfSteps(capped, [], calendar(), now, [{ first: 120, hours: 12 }]))).toBe('2026-11-26T11:04')
  expect(iso(endOfSteps(six, [], calendar(), now, [{ first: 900, hours: 12 }]))).toBe('2026-11-24T13:10')
})
