import type { Schedule } from '@balcao/contract/operations/schedules.ts'
import type { Tx } from '../../../db/database.ts'
import { type Audience, emit, emitAll, type TicketFacts } from '../../../kit/outbox.ts'
import { audiencesOf } from '../../contacts/contacts/contacts.events.ts'
import { canSee, viewerOf } from '../../conversations/tickets/tickets.policy.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { conversationOf, conversationsOf } from './schedules.policy.ts'

/** Tells its author and whoever may see its conversation; before there is one, whoever may read the contact. */
export const emitSchedule = async (tx: Tx, name: 'schedule.created' | 'schedule.updated', schedule: Schedule) => {
  const directory = await getDirectory(tx.tenantId)
  const facts = await conversationOf(tx, schedule)
  const audiences: Audience[] = facts ? [{ kind: 'ticket', facts }] : await readersOf(tx, schedule.contact.id)
  const author = schedule.createdBy?.id
  if (author && !audiences.some((audience) => hears(audience, author, directory, facts)))
    audiences.push({ kind: 'user', userId: author })
  for (const audience of audiences) await emit(tx, name, schedule, audience)
}

/** The same of several: whoever may see each conversation, and their author. */
export const emitScheduled = async (
  tx: Tx,
  made: Schedule[],
  name: 'schedule.created' | 'schedule.updated' = 'schedule.created',
) => {
  const directory = await getDirectory(tx.tenantId)
  const conversations = await conversationsOf(
    tx,
    made.map(({ id }) => id),
  )
  await emitAll(
    tx,
    made.flatMap((payload) => {
      const facts = conversations.get(payload.id)
      const audiences: Audience[] = facts ? [{ kind: 'ticket', facts }] : []
      const author = payload.createdBy?.id
      if (author && !audiences.some((audience) => hears(audience, author, directory, facts)))
        audiences.push({ kind: 'user', userId: author })
      return audiences.map((audience) => ({ name, payload, audience }))
    }),
  )
}

const hears = (audience: Audience, userId: string, directory: Directory, facts?: TicketFacts): boolean => {
  const person = directory.people.get(userId)
  if (audience.kind === 'user') return audience.userId === userId
  if (audience.kind === 'permission') return person?.permissions.has(audience.can) ?? false
  return Boolean(facts && person && canSee(viewerOf(directory, userId), facts))
}

const readersOf = async (tx: Tx, contactId: string) =>
  (await audiencesOf(tx, contactId)).map((audience): Audience => {
    const isForAll = audience.kind === 'permission' && audience.can === 'contacts.read'
    return isForAll ? { kind: 'permission', can: 'messages.read' } : audience
  })
