import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWithinSlips, plainWords, slipsAllowed } from './plain-words.ts'

test('a text is its words: accents, case and marks aside', () => {
  expect(plainWords('  Olá!! QUERO a 2ª via… do BOLETO, por favor ')).toBe('ola quero a 2ª via do boleto por favor')
  expect(plainWords('#1 *')).toBe('#1 *')
  expect(plainWords('… — !')).toBe('')
})

test('short words and whatever has a digit allow no slip', () => {
  expect(['sim', 'pix', '2026', 'a1b2c3d4'].map(slipsAllowed)).toEqual([0, 0, 0, 0])
  expect(['boleto', 'preco'].map(slipsAllowed)).toEqual([1, 1])
  expect(slipsAllowed('cancelamento')).toBe(2)
})

test('a letter too many, too few, another, or two swapped is one slip', () => {
  for (const other of ['boletto', 'boleo', 'boneto', 'bolteo'])
    expect([other, isWithinSlips('boleto', other, 1)]).toEqual([other, true])
  for (const other of ['bole', 'balata', 'oblteo'])
    expect([other, isWithinSlips('boleto', other, 1)]).toEqual([other, false])
})

/** The same by the whole table, as the books have it. */
const slipsBetween = (one: string, other: string): number => {
  const cells: number[][] = Array.from({ length: one.length + 1 }, (_, row) => [row])
  for (let at = 0; at <= other.length; at += 1) (cells[0] ?? [])[at] = at
  for (let row = 1; row <= one.length; row += 1)
    for (let at = 1; at <= other.length; at += 1) {
      const cell = (up: number, left: number) => cells[row - up]?.[at - left] ?? Infinity
      const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
      ;(cells[row] ?? [])[at] = Math.min(
        cell(1, 0) + 1,
        cell(0, 1) + 1,
        cell(1, 1) + (one[row - 1] === other[at - 1] ? 0 : 1),
        isSwapped ? cell(2, 2) + 1 : Infinity,
      )
    }
  return cells[one.length]?.[other.length] ?? Infinity
}
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ç', 'ã'), maxLength: 9 })

test('near the diagonal it is what the whole table says, whichever word comes first', () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 3 }), (one, other, most) => {
      expect(isWithinSlips(one, other, most)).toBe(slipsBetween(one, other) <= most)
      expect(isWithinSlips(other, one, most)).toBe(isWithinSlips(one, other, most))
    }),
    { numRuns: 2_000 },
  )
})

test('no word costs its square', () => {
  const [one, other] = ['a'.repeat(10_000), `${'a'.repeat(9_999)}b`]
  const from = performance.now()
  expect(isWithinSlips(one, other, 2)).toBe(true)
  expect(performance.now() - from).toBeLessThan(1_000)
})
