import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { getDirectory } from '../../core/directory/directory.ts'

/**
 * Contacts of the alias `c` this person finds in lists, searches and exports: all; where DirectTicketsToWallets is on, a
 * contact somebody owns is only for its owners and the administrators.
 */
export const visibleContacts = async (
  actor: Pick<Actor, 'tenantId' | 'userId' | 'permissions'>,
): Promise<SQL | undefined> => {
  const { settings } = await getDirectory(actor.tenantId)
  if (actor.permissions.has('contacts.showAll') || !settings.DirectTicketsToWallets) return undefined
  const wallets = sql`select from contact_wallets w where w.tenant_id = ${actor.tenantId} and w.contact_id = c.id`
  return sql`(not exists (${wallets}) or exists (${wallets} and w.user_id = ${actor.userId}))`
}

/**
 * Those, and the ones of conversations this person serves, served or takes part in: what stands beside a conversation is
 * for whoever works on it, in whosoever's wallet the contact is. `readersOf` says the same of one contact.
 */
export const readableContacts = async (actor: Actor): Promise<SQL | undefined> => {
  const visible = await visibleContacts(actor)
  if (!visible) return undefined
  return sql`(${visible} or exists (select from tickets s where s.tenant_id = ${actor.tenantId} and s.contact_id = c.id
    and (s.user_id = ${actor.userId} or ${actor.userId}::uuid = any(s.shared_with))))`
}

/** Who but the administrators may read a contact; undefined: everybody. */
export const readersOf = async (tx: Tx, contactId: string): Promise<string[] | undefined> => {
  const { rows } = await tx.db.execute<{ owners: string[]; workers: string[] }>(
    sql`select array(select w.user_id from contact_wallets w where w.tenant_id = t.id and w.contact_id = ${contactId}) as owners,
        array(select unnest(s.user_id || s.shared_with) from tickets s where s.tenant_id = t.id and s.contact_id = ${contactId}) as workers
      from tenants t where t.id = ${tx.tenantId} and t.settings->>'DirectTicketsToWallets' = 'true'`,
  )
  const [row] = rows
  return row?.owners.length ? [...new Set([...row.owners, ...row.workers.filter(Boolean)])] : undefined
}
