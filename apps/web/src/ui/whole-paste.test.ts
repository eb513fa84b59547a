import { expect, test } from 'vitest'
import { lengthAfter } from './whole-paste.ts'

test('a paste takes the place of what is marked', () => {
  expect(lengthAfter({ value: 'abcdef', selectionStart: 6, selectionEnd: 6 }, 'xyz')).toBe(9)
  expect(lengthAfter({ value: 'abcdef', selectionStart: 0, selectionEnd: 6 }, 'xyz')).toBe(3)
  expect(lengthAfter({ value: 'ana@b.com', selectionStart: null, selectionEnd: null }, 'x')).toBe(10)
})
