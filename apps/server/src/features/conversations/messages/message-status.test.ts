import type { MessageStatus } from '@balcao/contract/conversations/messages.ts'
import { expect, test } from 'vitest'
import { nextStatus } from './message-status.ts'

const told = ['sent', 'delivered', 'read', 'failed'] as const
const permutations = <T>(items: readonly T[]): T[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))

test('in all 24 orders a state never goes back, failed is the end, and what was delivered does not fail', () => {
  const orders = permutations(told)
  expect(orders).toHaveLength(24)
  for (const order of orders) {
    const path: MessageStatus[] = ['sending']
    for (const status of order) path.push(nextStatus(path.at(-1) ?? 'sending', status))
    const failedBeforeDelivery = order.indexOf('failed') < Math.min(order.indexOf('delivered'), order.indexOf('read'))
    expect(path.at(-1), order.join()).toBe(failedBeforeDelivery ? 'failed' : 'read')
    const firstFailure = path.indexOf('failed')
    if (firstFailure >= 0) expect(new Set(path.slice(firstFailure))).toEqual(new Set(['failed']))
  }
})

test('an uncertain message is settled by a late status, a received one by none', () => {
  expect(nextStatus('uncertain', 'delivered')).toBe('delivered')
  expect(nextStatus('uncertain', 'failed')).toBe('failed')
  expect(nextStatus('received', 'read')).toBe('received')
})
