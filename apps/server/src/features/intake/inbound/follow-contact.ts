import type { Prepared, Tx } from '../../../db/database.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { commitTicketChange } from '../../conversations/tickets/commit-ticket-changes.ts'
import { lockTicket } from '../../conversations/tickets/ticket-rows.ts'
import { byContact } from '../../conversations/timeline/ticket-facts.ts'

/**
 * Somebody writes where an open conversation of theirs was before it went on over another channel: it comes along, so
 * that they are answered by whoever knows what it is about (docs/decisions/0078). False: there is none.
 */
export const followContact = async (tx: Tx, connection: OpenConnection, contactId: string): Promise<boolean> => {
  const [left] = await tx.rows<{ id: string }>(leftFrom, [tx.tenantId, contactId, connection.id])
  const before = left && (await lockTicket(tx, left.id))
  if (!before || before.status === 'closed' || before.whatsappId === connection.id) return false
  const { name } = connection
  await commitTicketChange(
    tx,
    {
      before,
      set: { connectionId: connection.id },
      logs: [{ type: 'channel', queueId: before.queueId, note: `${before.whatsapp.name} → ${name}` }],
      lines: [{ type: 'system', body: `${before.contact.name} escreveu por ${name}: o atendimento continua por lá.` }],
      cause: { kind: 'reply' },
    },
    byContact(before),
  )
  return true
}

const leftFrom: Prepared = {
  name: 'inbound_left_from',
  text: `select t.id from tickets t where t.tenant_id = $1 and t.contact_id = $2 and t.status <> 'closed' and not t.is_group
      and exists (select from ticket_logs l where l.tenant_id = $1 and l.ticket_id = t.id and l.type = 'channel'
        and l."from" ->> 'whatsappId' = $3::uuid::text)
    order by t.last_message_at desc nulls last limit 1`,
}
