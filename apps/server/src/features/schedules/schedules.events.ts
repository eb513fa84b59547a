import type { Schedule } from '@balcao/contract/schedules.ts'
import type { Tx } from '../../db/database.ts'
import { emit } from '../../kit/outbox.ts'
import { audiencesOf } from '../contacts/contacts.events.ts'

/** Tells whoever may know of the contact and read messages. */
export const emitSchedule = async (tx: Tx, name: 'schedule.created' | 'schedule.updated', schedule: Schedule) => {
  for (const audience of await audiencesOf(tx, schedule.contact.id)) {
    const isForAll = audience.kind === 'permission' && audience.can === 'contacts.read'
    await emit(tx, name, schedule, isForAll ? { kind: 'permission', can: 'messages.read' } : audience)
  }
}
