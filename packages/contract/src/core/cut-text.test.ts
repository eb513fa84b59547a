import { expect, test } from 'vitest'
import { cutText } from './cut-text.ts'

test('a text is cut before a sign that would be cut in two, and only there', () => {
  expect([cutText('ab😀', 3), cutText('ab😀', 4), cutText('abcd', 3), cutText('😀', 9)]).toEqual([
    'ab',
    'ab😀',
    'abc',
    '😀',
  ])
})
