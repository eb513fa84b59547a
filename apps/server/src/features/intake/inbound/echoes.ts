import type { MessageStatus } from '@balcao/contract/conversations/messages.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { nextStatus } from '../../conversations/messages/message-status.ts'
import { lockProviderIds, saveStatuses } from '../../conversations/messages/statuses.ts'
import { type TicketState, ticketStateColumns } from '../../conversations/timeline/ticket-state.ts'
import type { Received } from './arrivals.ts'

/**
 * What a provider says was written on our side may be what we are sending ourselves: a message to the same contact, on its
 * way, by the id we chose for it, or with the same words where nobody has told its id yet. Then the notice is its receipt. Answers the
 * provider's ids that were settled so.
 */
export const settleEchoes = async (tx: Tx, connectionId: string, ours: Received[]): Promise<ReadonlySet<string>> => {
  if (!ours.length) return new Set()
  await lockProviderIds(
    tx,
    connectionId,
    ours.map(({ arrival }) => arrival.event.providerId),
  )
  const asked = ours.map(({ arrival: { event }, known }) => ({
    provider_id: event.providerId,
    contact_id: known.contactId,
    type: event.content.type,
    body: event.content.body,
  }))
  const rows = await tx.rows<OnItsWay>(onTheirWay, [tx.tenantId, connectionId, JSON.stringify(asked)])
  const left = new Set(rows)
  const settled = asked.flatMap((echo) => {
    const row = [...left].find((one) => one.echoOf === echo.provider_id)
    if (!row) return []
    for (const one of left) if (one.messageId === row.messageId || one.echoOf === echo.provider_id) left.delete(one)
    return [row]
  })
  await saveStatuses(
    tx,
    settled.map((row) => ({
      id: row.messageId,
      status: nextStatus(row.messageStatus, 'sent'),
      error: null,
      version: row.messageVersion + 1,
      providerId: row.echoOf,
      ticket: row,
      isChanged: true,
      isUnreachable: false,
    })),
  )
  return new Set(settled.map(({ echoOf }) => echoOf))
}

type OnItsWay = TicketState & {
  echoOf: string
  messageId: string
  messageStatus: MessageStatus
  messageVersion: number
}
const onTheirWay: Prepared = {
  name: 'inbound_echoes',
  text: `select e.provider_id as "echoOf", m.id as "messageId", m.status as "messageStatus", m.version as "messageVersion", ${ticketStateColumns}
    from jsonb_to_recordset($3::jsonb) as e(provider_id text, contact_id uuid, type text, body text)
    join messages m on m.tenant_id = $1 and m.connection_id = $2 and m.contact_id = e.contact_id and m.from_me
      and m.status in ('sending', 'uncertain')
      and (m.provider_id = e.provider_id or m.provider_id is null and m.type = e.type and m.body = e.body)
      and m.created_at > now() - interval '10 minutes'
    join tickets t on t.tenant_id = $1 and t.id = m.ticket_id
    order by m.seq for no key update of m`,
}
