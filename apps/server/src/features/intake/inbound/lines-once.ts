import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { Sender } from '../../../channels/adapter.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { normalizeIdentities } from '../../contacts/contacts/identify.ts'
import { lockTicket } from '../../conversations/tickets/ticket-rows.ts'
import { writeLines } from '../../conversations/timeline/lines.ts'

/** Whoever stands behind these identities, and their conversation on this connection that is going on. */
export const findActive = async (tx: Tx, connection: Pick<OpenConnection, 'id'>, { identities }: Sender) => {
  const [found] = await tx.rows<{ contactId: string; ticketId: string | null }>(active, [
    tx.tenantId,
    connection.id,
    JSON.stringify(normalizeIdentities(identities).map((one, rank) => ({ ...one, rank }))),
  ])
  return found
}

type Line = { id: string; body: string; author: Author }
/** A line in the conversation that is going on, which it answers; told again, it is there already. */
export const writeLineOnce = async (
  tx: Tx,
  connection: Pick<OpenConnection, 'id'>,
  of: Sender,
  { id, body, author }: Line,
) => {
  const ticketId = (await findActive(tx, connection, of))?.ticketId
  if (!ticketId) return undefined
  const ticket = await lockTicket(tx, ticketId) // of two who say the same, the second finds it said
  const [known] = await tx.rows(said, [tx.tenantId, id])
  if (!ticket || known) return undefined
  await writeLines(tx, author, [{ ticket, lines: [{ id, type: 'system', body }] }])
  return ticket
}

const active: Prepared = {
  name: 'inbound_active',
  text: `select i.contact_id as "contactId", t.id as "ticketId"
    from jsonb_to_recordset($3::jsonb) as r(kind text, value text, rank int)
      join contact_identities i on i.tenant_id = $1 and i.kind = r.kind and i.value = r.value
      left join tickets t on t.tenant_id = $1 and t.connection_id = $2 and t.contact_id = i.contact_id and t.status <> 'closed'
    order by r.rank limit 1`,
}
const said: Prepared = {
  name: 'inbound_line_said',
  text: 'select from messages where tenant_id = $1 and id = $2',
}
