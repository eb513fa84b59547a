import { expect, test } from 'vitest'
import { boxOf } from './box.ts'

test('the box keeps the proportions, and tames what is very long or very small', () => {
  expect(boxOf({ width: 1600, height: 1200 })).toEqual({ width: 320, height: 240 })
  expect(boxOf({ width: 900, height: 1800 })).toEqual({ width: 170, height: 340 })
  expect(boxOf({ width: 4000, height: 100 })).toEqual({ width: 320, height: 120 })
  expect(boxOf({ width: 40, height: 40 })).toEqual({ width: 120, height: 120 })
  expect(boxOf({ width: null, height: null })).toEqual({ width: 260, height: 200 })
})
