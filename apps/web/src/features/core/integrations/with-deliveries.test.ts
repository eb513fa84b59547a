import type { Delivery } from '@balcao/contract/core/integrations/deliveries.ts'
import { expect, test } from 'vitest'
import { type List, withDeliveries } from './with-deliveries.ts'

const one = (id: number, more: Partial<Delivery> = {}): Delivery => ({
  id,
  deliveryId: `d${id}`,
  topic: 'ticket.updated',
  state: 'delivered',
  attempts: 1,
  error: null,
  status: 200,
  triedAt: `2026-01-01T10:00:0${id}.000Z`,
  dueAt: null,
  createdAt: '2026-01-01T10:00:00.000Z',
  ...more,
})
const listOf = (...pages: Delivery[][]): List => ({
  pages: pages.map((items) => ({ items, hasMore: false, nextCursor: null })),
  pageParams: pages.map(() => null),
})
const rowsOf = (list: List) => list.pages.map(({ items }) => items.map(({ id, state }) => [id, state]))

test('what was tried stands in its place, what is new at the top; an older word of it is not believed', () => {
  const list = listOf([one(5, { state: 'waiting' }), one(4)], [one(2, { state: 'dead' })])
  const told = [one(7), one(6, { state: 'waiting' }), one(5), one(3), one(2, { state: 'waiting', triedAt: null })]
  expect(rowsOf(withDeliveries(list, told, []))).toEqual([
    [
      [7, 'delivered'],
      [6, 'waiting'],
      [5, 'delivered'],
      [4, 'delivered'],
    ],
    [[2, 'dead']],
  ])
  expect(rowsOf(withDeliveries(listOf([one(5)]), told, ['waiting']))).toEqual([
    [
      [6, 'waiting'],
      [5, 'delivered'],
    ],
  ])
})
