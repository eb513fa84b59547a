import { type Prepared, withTenant } from '../../../db/database.ts'

type Place = { tenantId: number; connectionId: string; contactId: string | null }
type Conversation = { id: string; status: 'pending' | 'open'; userId: string | null }

/** The conversation this visitor is in, if one is active. */
export const findConversation = async ({ tenantId, connectionId, contactId }: Place) => {
  if (!contactId) return undefined
  const [row] = await withTenant(tenantId, (tx) => tx.rows<Conversation>(active, [tenantId, connectionId, contactId]))
  return row
}
const active: Prepared = {
  name: 'webchat_ticket',
  text: `select id, status, user_id as "userId" from tickets
    where tenant_id = $1 and connection_id = $2 and contact_id = $3 and status <> 'closed'`,
}
