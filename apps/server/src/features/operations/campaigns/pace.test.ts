import { expect, test } from 'vitest'
import { loadOf } from './pace.ts'

test('what else a connection sent today counts in what it may send, not in what the campaign may', () => {
  const left = (options: object, dailyMost: number | null) =>
    loadOf(
      { kind: 'waba', options, createdAt: new Date('2026-01-01T12:00:00Z') },
      {
        ...{
          count: 10,
          sentToday: 340,
          writtenToday: 0,
          timeZone: 'America/Sao_Paulo',
          now: new Date('2026-11-24T13:00:00Z'),
        },
        pace: { minSeconds: 0, maxSeconds: 0, dailyMost },
      },
    ).leftToday
  expect(left({}, null)).toBeNull()
  expect(left({}, 4)).toBe(4)
  expect(left({ dailyMost: 350 }, null)).toBe(10)
  expect(left({ dailyMost: 342 }, 4)).toBe(2)
  expect(left({ dailyMost: 300 }, 4)).toBe(0)
})

test('what the campaign wrote today counts in what it may write today, and tomorrow is whole', () => {
  const load = (more: object) =>
    loadOf(
      { kind: 'waba', options: { dailyMost: 350, warmUpFirst: 100 }, createdAt: new Date('2026-11-23T12:00:00Z') },
      {
        ...{ count: 10, sentToday: 40, writtenToday: 30, timeZone: 'America/Sao_Paulo' },
        ...{ now: new Date('2026-11-24T13:00:00Z'), pace: { minSeconds: 0, maxSeconds: 0, dailyMost: 32 } },
        ...more,
      },
    )
  expect(load({}).leftToday).toBe(2)
  const wide = { pace: { minSeconds: 0, maxSeconds: 0, dailyMost: null } }
  expect(load(wide).leftToday).toBe(110)
  const later = load({ ...wide, from: new Date('2026-11-25T11:00:00Z') })
  expect([later.leftToday, later.mostOn(0), later.mostOn(1)]).toEqual([225, 225, 337])
})
