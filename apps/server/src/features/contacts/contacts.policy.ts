import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../kit/actor.ts'
import { getDirectory } from '../directory/directory.ts'

/**
 * Contacts of the alias `c` this person may know of: all; where DirectTicketsToWallets is on, a contact somebody owns is
 * only for its owners and the administrators.
 */
export const visibleContacts = async (actor: Actor): Promise<SQL | undefined> => {
  const { settings } = await getDirectory(actor.tenantId)
  if (actor.profile === 'admin' || !settings.DirectTicketsToWallets) return undefined
  const wallets = sql`select from contact_wallets w where w.tenant_id = ${actor.tenantId} and w.contact_id = c.id`
  return sql`(not exists (${wallets}) or exists (${wallets} and w.user_id = ${actor.userId}))`
}
