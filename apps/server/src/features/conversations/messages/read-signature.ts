import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { mailSignatureOf } from './signature.ts'
import { requireVisible } from './visible.ts'

/** What would stand below an e-mail this person writes in a conversation now; nothing where it is no e-mail. */
export const readMailSignature = async (actor: Actor, ticketId: string): Promise<string> => {
  const directory = await getDirectory(actor.tenantId)
  const ticket = await withTenant(actor.tenantId, (tx) => requireVisible(tx, actor, directory, ticketId))
  if (!ticket.abilities.supports.includes('mail')) return ''
  return mailSignatureOf(directory, ticket, { kind: 'user', id: actor.userId })
}
