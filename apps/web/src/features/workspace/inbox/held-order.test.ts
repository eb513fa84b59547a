import { expect, test } from 'vitest'
import { inOrder } from './held-order.ts'

const rows = (...ids: string[]) => ids.map((id) => ({ id }))
const idsOf = (all: { id: string }[]) => all.map(({ id }) => id).join('')

test('while it is held no row takes the place of another; a further page comes below, what is new above waits', () => {
  const order = ['a', 'b', 'c']
  expect(idsOf(inOrder(order, rows('c', 'a', 'b')))).toBe('abc')
  expect(idsOf(inOrder(order, rows('x', 'a', 'b', 'c')))).toBe('abc')
  expect(idsOf(inOrder(order, rows('c', 'a', 'b', 'd', 'e')))).toBe('abcde')
  expect(idsOf(inOrder(order, rows('a', 'c')))).toBe('ac')
  expect(idsOf(inOrder([], rows('a', 'b')))).toBe('ab')
  expect(idsOf(inOrder(order, rows('x')))).toBe('x')
})
