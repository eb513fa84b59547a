import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import type { Tx } from '../../../db/database.ts'
import { type Audience, emit } from '../../../kit/outbox.ts'
import { readersOf } from './contacts.policy.ts'

/** Tells whoever may read the contact that it changed. */
export const emitContact = async (
  tx: Tx,
  { id, name, profilePicUrl, version }: Pick<Contact, 'id' | 'name' | 'profilePicUrl' | 'version'>,
) => {
  for (const audience of await audiencesOf(tx, id))
    await emit(tx, 'contact.updated', { id, name, profilePicUrl, version }, audience)
}

/** Tells that it is gone; ask `audiencesOf` before deleting it. */
export const emitContactDeleted = async (tx: Tx, id: string, audiences: Audience[]) => {
  for (const audience of audiences) await emit(tx, 'contact.deleted', { id }, audience)
}

/** Whoever may read the contact. */
export const audiencesOf = async (tx: Tx, contactId: string): Promise<Audience[]> => {
  const readers = await readersOf(tx, contactId)
  if (!readers) return [{ kind: 'permission', can: 'contacts.read' }]
  return [
    { kind: 'permission', can: 'contacts.delete' },
    ...readers.map((userId): Audience => ({ kind: 'user', userId })),
  ]
}
