import type { EventName } from '@balcao/contract/events.ts'
import type { Directory } from '../features/core/directory/directory.ts'
import type { OutboxEvent } from '../kit/outbox.ts'
import { userRoom } from './rooms.ts'
import type { StaffNamespace } from './staff-data.ts'

const calmMs = 2_000
const counted: ReadonlySet<EventName> = new Set(['ticket.created', 'ticket.updated', 'message.created'])

/**
 * Who reads the monitor counts conversations they may not see: they are told that something moved, never what, at most
 * every two seconds.
 */
export const createMonitorSignal = (staff: StaffNamespace) => {
  const waiting = new Map<number, NodeJS.Timeout>()
  return {
    hear: ({ name, tenantId }: OutboxEvent, directory: Directory) => {
      if (!counted.has(name) || waiting.has(tenantId)) return
      const tell = () => {
        waiting.delete(tenantId)
        const people = [...directory.people.values()].filter(
          (one) => !one.isBlocked && one.permissions.has('monitor.read'),
        )
        if (people.length) staff.to(people.map((one) => userRoom(tenantId, one.id))).emit('monitor.changed', {})
      }
      waiting.set(tenantId, setTimeout(tell, calmMs).unref())
    },
    stop: () => {
      for (const timer of waiting.values()) clearTimeout(timer)
      waiting.clear()
    },
  }
}
