import { expect, test } from 'vitest'
import { loadOf } from './pace.ts'

test('what else a connection sent today counts in what it may send, not in what the campaign may', () => {
  const left = (options: object, dailyMost: number | null) =>
    loadOf(
      { kind: 'waba', options, createdAt: new Date('2026-01-01T12:00:00Z') },
      {
        ...{ count: 10, sentToday: 340, timeZone: 'America/Sao_Paulo', now: new Date('2026-11-24T13:00:00Z') },
        pace: { minSeconds: 0, maxSeconds: 0, dailyMost },
      },
    ).leftToday
  expect(left({}, null)).toBeNull()
  expect(left({}, 4)).toBe(4)
  expect(left({ dailyMost: 350 }, null)).toBe(10)
  expect(left({ dailyMost: 342 }, 4)).toBe(2)
  expect(left({ dailyMost: 300 }, 4)).toBe(0)
})
