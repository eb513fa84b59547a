import type { MessageStatus } from '@balcao/contract/conversations/messages.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { lockProviderIdsAsk, movedBy, saveStatuses, type ToldStatus } from '../../conversations/messages/statuses.ts'
import { type TicketState, ticketStateColumns } from '../../conversations/timeline/ticket-state.ts'
import type { Received } from './arrivals.ts'

/**
 * What a provider says was written on our side may be what we are sending ourselves: a message to the same contact, on its
 * way, by the id we chose for it, or with the same words where nobody has told its id yet. Then the notice is its receipt. Answers the
 * provider's ids that were settled so, and what was told of any of them before.
 */
export const settleEchoes = async (tx: Tx, connectionId: string, ours: Received[]): Promise<Echoes> => {
  if (!ours.length) return { settled: new Set(), told: new Map() }
  const asked = ours.map(({ arrival: { event }, known }) => ({
    provider_id: event.providerId,
    contact_id: known.contactId,
    type: event.content.type,
    body: event.content.body,
  }))
  const ids = asked.map((echo) => echo.provider_id)
  const [, early, rows] = await tx.trip(
    lockProviderIdsAsk(tx.tenantId, connectionId, ids),
    [takeEarly, [tx.tenantId, connectionId, ids]],
    [onTheirWay, [tx.tenantId, connectionId, JSON.stringify(asked)]],
  )
  const told = Map.groupBy(early as Early[], ({ providerId }) => providerId)
  const left = new Set(rows as OnItsWay[])
  const settled = asked.flatMap((echo) => {
    const row = [...left].find((one) => one.echoOf === echo.provider_id)
    if (!row) return []
    for (const one of left) if (one.messageId === row.messageId || one.echoOf === echo.provider_id) left.delete(one)
    return [row]
  })
  await saveStatuses(
    tx,
    settled.map((row) => {
      const { messageId: id, messageStatus: status, messageVersion: version, echoOf: providerId } = row
      const change = {
        id,
        status,
        error: null,
        version,
        providerId,
        ticket: row,
        isChanged: false,
        isUnreachable: false,
      }
      return (told.get(providerId) ?? []).reduce(movedBy, movedBy(change, { status: 'sent' }))
    }),
  )
  return { settled: new Set(settled.map(({ echoOf }) => echoOf)), told }
}

type Early = ToldStatus & { providerId: string }
type Echoes = { settled: ReadonlySet<string>; told: ReadonlyMap<string, ToldStatus[]> }
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
const takeEarly: Prepared = {
  name: 'inbound_echoes_early',
  text: `with taken as (
      delete from early_statuses where tenant_id = $1 and connection_id = $2 and provider_id = any($3::text[])
      returning id, provider_id as "providerId", status, error, is_unreachable as "isUnreachable")
    select "providerId", status, error, "isUnreachable" from taken order by id`,
}
