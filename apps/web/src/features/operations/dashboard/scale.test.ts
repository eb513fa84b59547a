import { expect, test } from 'vitest'
import { niceTop, peakOf, ticksOf } from './scale.ts'

test('the axis ends at a round number that holds every bar', () => {
  expect([0, 1, 4, 5, 9, 11, 37, 60, 99, 100, 101, 1234].map(niceTop)).toEqual([
    4, 4, 4, 6, 10, 20, 40, 60, 100, 100, 200, 2000,
  ])
})

test('the marks are whole and end at the top', () => {
  for (const top of [4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 2000]) {
    const ticks = ticksOf(top)
    expect(ticks.every(Number.isInteger)).toBe(true)
    expect([ticks[0], ticks.at(-1)]).toEqual([0, top])
  }
})

test('an empty day has no peak', () => {
  expect(peakOf([0, 0, 0])).toBeUndefined()
  expect(peakOf([1, 5, 5, 2])).toBe(1)
})
