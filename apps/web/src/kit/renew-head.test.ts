import { expect, test } from 'vitest'
import { withHead, withoutRows } from './renew-head.ts'

const row = (n: number) => ({ id: String(n), at: new Date(n).toISOString() })
const page = (ids: number[], nextCursor: string | null, count?: number) => ({
  items: ids.map(row),
  hasMore: nextCursor !== null,
  nextCursor,
  count,
})
const ids = (list: { pages: { items: { id: string | number }[] }[] } | undefined) =>
  list?.pages.map(({ items }) => items.map(({ id }) => Number(id)))

test('what is new stands above, what is gone is gone, and what was read below stays', () => {
  const now = { pages: [page([9, 8, 7], 'a', 6), page([6, 5, 4], null)], pageParams: [null, 'a'] }
  const after = withHead(now, page([10, 9, 7], 'b', 6))
  expect(ids(after)).toEqual([
    [10, 9, 7],
    [6, 5, 4],
  ])
  expect(after.pages[0]).toMatchObject({ nextCursor: 'a', count: 6 })
  expect(ids(withHead(now, page([6, 5], null, 2)))).toEqual([[6, 5], []])
})

test('a list of one page takes the way on from its new head, unless it knows more', () => {
  const one = { pages: [page([3, 2, 1], null)], pageParams: [null] }
  const grown = withHead(one, page([4, 3, 2], 'x'))
  expect(ids(grown)).toEqual([[4, 3, 2, 1]])
  expect(grown.pages[0]?.nextCursor).toBeNull()
  expect(withHead({ pages: [page([], null)], pageParams: [null] }, page([2, 1], 'x')).pages[0]?.nextCursor).toBe('x')
})

test('rows that are gone are no longer counted', () => {
  const now = { pages: [page([3, 2, 1], null, 3)], pageParams: [null] }
  const after = withoutRows(now, ({ id }) => id === '2')
  expect(ids(after)).toEqual([[3, 1]])
  expect(after?.pages[0]?.count).toBe(2)
  expect(withoutRows(now, () => false)).toBe(now)
})
