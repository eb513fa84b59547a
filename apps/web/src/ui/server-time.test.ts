import { beforeEach, expect, test, vi } from 'vitest'

let clock: typeof import('./server-time.ts')
beforeEach(async () => {
  vi.resetModules()
  clock = await import('./server-time.ts')
})
const aheadMs = () => clock.nowMs() - Date.now()
const noon = Date.parse('2026-11-27T12:00:00Z')

test('a clock that is right is left alone, however long an answer takes', () => {
  clock.heardServerTime(noon, noon + 400, noon + 900)
  clock.heardServerTime(noon + 9_000, noon, noon + 20_000)
  clock.heardServerTime(Number.NaN, noon, noon)
  expect(Math.abs(aheadMs())).toBeLessThan(50)
})

test('one that is an hour late or a day early is put right within a second of what the answer tells', () => {
  const told = vi.fn()
  clock.onOtherTime(told)
  clock.heardServerTime(noon + 3_600_000, noon, noon + 300)
  expect(told).toHaveBeenCalledOnce()
  expect(Math.abs(aheadMs() - 3_600_000)).toBeLessThan(1_050)
  clock.heardServerTime(noon - 86_400_000, noon, noon + 300)
  expect(Math.abs(aheadMs() + 86_400_000)).toBeLessThan(1_050)
})
