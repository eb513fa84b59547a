import { afterEach, expect, test, vi } from 'vitest'
import type { Directory } from '../features/core/directory/directory.ts'
import type { OutboxEvent } from '../kit/outbox.ts'
import { createMonitorSignal } from './monitor-signal.ts'
import type { StaffNamespace } from './staff-data.ts'

afterEach(() => void vi.useRealTimers())

test('many changes are told once every two seconds, to those who read the monitor', () => {
  vi.useFakeTimers()
  const told: string[][] = []
  const staff = { to: (rooms: string[]) => ({ emit: (name: string) => told.push([name, ...rooms]) }) }
  const person = (id: string, permission: string) => [id, { id, isBlocked: false, permissions: new Set([permission]) }]
  const directory = { people: new Map([person('ana', 'monitor.read'), person('bia', 'tickets.read')] as never) }
  const event = (name: string) => ({ tenantId: 7, name }) as OutboxEvent
  const signal = createMonitorSignal(staff as unknown as StaffNamespace)
  const hear = (name: string) => signal.hear(event(name), directory as unknown as Directory)

  hear('tag.created')
  vi.advanceTimersByTime(2_000)
  expect(told).toEqual([])
  for (let n = 0; n < 50; n += 1) hear('ticket.updated')
  vi.advanceTimersByTime(2_000)
  expect(told).toEqual([['monitor.changed', 'u:7:ana']])
  hear('message.created')
  vi.advanceTimersByTime(2_000)
  expect(told).toHaveLength(2)
  hear('ticket.created')
  signal.stop()
  vi.advanceTimersByTime(2_000)
  expect(told).toHaveLength(2)
})
