import type { Prepared, Tx } from '../../../db/database.ts'

/** Remembers which automatic answer a conversation heard last: its choices count from now on. */
export const noteAutoReply = (tx: Tx, ticketId: string, ruleId: string) =>
  tx.rows(note, [tx.tenantId, ticketId, ruleId])

const note: Prepared = {
  name: 'ticket_auto_reply',
  text: 'update tickets set auto_reply_id = $3, auto_replied_at = now() where tenant_id = $1 and id = $2',
}
