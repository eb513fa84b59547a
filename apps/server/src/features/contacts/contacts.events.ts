import type { Contact } from '@balcao/contract/contacts.ts'
import { sql } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import { type Audience, emit } from '../../kit/outbox.ts'

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

/** Everybody; where wallets close contacts to others (DirectTicketsToWallets), an owned one's owners and the administrators. */
export const audiencesOf = async (tx: Tx, contactId: string): Promise<Audience[]> => {
  const { rows } = await tx.db.execute<{ owners: string[] | null }>(
    sql`select array_agg(w.user_id) as owners from contact_wallets w
      join tenants t on t.id = w.tenant_id and t.settings->>'DirectTicketsToWallets' = 'true'
      where w.tenant_id = ${tx.tenantId} and w.contact_id = ${contactId}`,
  )
  const owners = rows[0]?.owners
  if (!owners) return [{ kind: 'permission', can: 'contacts.read' }]
  return [
    { kind: 'permission', can: 'contacts.delete' },
    ...owners.map((userId): Audience => ({ kind: 'user', userId })),
  ]
}
