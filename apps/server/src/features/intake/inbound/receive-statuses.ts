import type { MessageStatus } from '@balcao/contract/conversations/messages.ts'
import { v7 } from 'uuid'
import type { InboundEvent } from '../../../channels/adapter.ts'
import { type Prepared, type Tx, withTenant, withTenantAfter } from '../../../db/database.ts'
import { unhurried } from '../../../db/unhurried.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { normalizeIdentities } from '../../contacts/contacts/identify.ts'
import { keepCosts, type ToldPrice } from '../../conversations/costs/keep-costs.ts'
import { lockProviderIds, movedBy, type StatusChange, saveStatuses } from '../../conversations/messages/statuses.ts'
import { type TicketState, ticketStateColumns } from '../../conversations/timeline/ticket-state.ts'
import { endJournal } from './journal.ts'

export type StatusEvent = Extract<InboundEvent, { kind: 'status' }>

/**
 * Moves our messages forward by what the provider tells. A status of a message we do not know yet (the provider was
 * faster than our own record) is kept and applied when the record is written. `journalIds`: the rows that tell all of it,
 * which are ticked with it. Then nobody waits for the disk: what is lost with the machine is told anew by those rows.
 */
export const receiveStatuses = (connection: OpenConnection, events: StatusEvent[], journalIds: string[] = []) =>
  withTenantAfter(connection.tenantId, journalIds.length ? [[unhurried, []]] : [], async (tx) => {
    if (journalIds.length) tx.late(endJournal, [tx.tenantId, journalIds])
    const missing = await apply(tx, connection.id, events)
    if (!missing.length) return
    // Under the same lock as the sender's record: either it sees these rows, or we see its message.
    await lockProviderIds(
      tx,
      connection.id,
      missing.map((event) => event.providerId),
    )
    await keepForLater(tx, connection.id, await apply(tx, connection.id, missing))
  })

/**
 * Everything of ours they had got by then is read. What was being sent at that moment may be among it: that is kept under
 * our own id of it, and holds once the provider is known to have taken it.
 */
export const receiveReadUntil = (
  connection: OpenConnection,
  { from, at }: Extract<InboundEvent, { kind: 'readUntil' }>,
) =>
  withTenant(connection.tenantId, async (tx) => {
    const who = JSON.stringify(normalizeIdentities(from.identities))
    const mine = await tx.rows<{ key: string; isLeaving: boolean }>(lockUnread, [tx.tenantId, connection.id, who, at])
    const read = (isLeaving: boolean) =>
      mine
        .filter((one) => one.isLeaving === isLeaving)
        .map(({ key }): StatusEvent => ({ kind: 'status', providerId: key, status: 'read' }))
    await apply(tx, connection.id, read(false))
    await keepForLater(tx, connection.id, read(true))
  })

const keepForLater = async (tx: Tx, connectionId: string, events: StatusEvent[]) => {
  if (!events.length) return
  await tx.rows(keepEarly, [
    tx.tenantId,
    connectionId,
    JSON.stringify(events.map((event) => ({ id: v7(), isUnreachable: false, ...event }))),
  ])
}

/** Applies what concerns known messages; answers the rest. */
const apply = async (tx: Tx, connectionId: string, events: StatusEvent[]): Promise<StatusEvent[]> => {
  const rows = await tx.rows<Locked>(lockMessages, [
    tx.tenantId,
    connectionId,
    events.flatMap(({ providerId, parts = [] }) => [providerId, ...parts]),
    events.flatMap((event) => event.messageId ?? []),
  ])
  const now = new Map<string, StatusChange>()
  const missing: StatusEvent[] = []
  const priced = new Map<string, { messageId: string; price: ToldPrice }>()
  for (const event of events) {
    const row =
      rows.find((one) => one.providerId === event.providerId) ??
      rows.find((one) => one.messageId === event.messageId && mayBeOf(one))
    const parts = rows.filter(({ providerId }) => providerId && event.parts?.includes(providerId))
    if (!row) missing.push(event)
    else if (row.fromMe) {
      for (const one of [row, ...parts]) now.set(one.messageId, moved(now.get(one.messageId) ?? unchanged(one), event))
      if (event.price && isDelivered(event)) priced.set(row.messageId, { messageId: row.messageId, price: event.price })
    }
  }
  await saveStatuses(
    tx,
    [...now.values()].filter((change) => change.isChanged),
  )
  await keepCosts(tx, connectionId, [...priced.values()])
  return missing
}

/** Only what was delivered is charged. */
const isDelivered = ({ status }: StatusEvent) => status !== 'sent' && status !== 'failed'

/** One that waits to be sent once more was not given to the provider yet: it speaks of an attempt before. */
const mayBeOf = ({ providerId, messageStatus, sends }: Locked) =>
  !providerId && (messageStatus !== 'queued' || sends > 0)

type Locked = TicketState & {
  messageId: string
  providerId: string | null
  fromMe: boolean
  messageStatus: MessageStatus
  error: string | null
  messageVersion: number
  /** How often it was given to the provider. */
  sends: number
}
const unchanged = (row: Locked): StatusChange => ({
  id: row.messageId,
  status: row.messageStatus,
  error: row.error,
  version: row.messageVersion,
  providerId: row.providerId,
  ticket: row,
  isChanged: false,
  isUnreachable: false,
})

const moved = (change: StatusChange, event: StatusEvent): StatusChange => {
  const after = movedBy(change, event)
  return after === change ? change : { ...after, providerId: change.providerId ?? event.providerId }
}

/** Held, so that whoever records the one that is leaving comes before or after, and reads what is kept for it. */
const lockUnread: Prepared = {
  name: 'inbound_unread',
  text: `with read as materialized (
      select m.id from jsonb_to_recordset($3::jsonb) as r(kind text, value text)
      join contact_identities i on i.tenant_id = $1 and i.kind = r.kind and i.value = r.value
      join messages m on m.tenant_id = $1 and m.contact_id = i.contact_id and m.connection_id = $2 and m.from_me
        and m.status in ('sending', 'sent', 'delivered') and m.timestamp <= $4
      order by m.seq desc limit 1000)
    select case when m.status = 'sending' then m.id::text else m.provider_id end as key, m.status = 'sending' as "isLeaving"
    from messages m where m.tenant_id = $1 and m.id = any(array(select id from read))
      and (m.status = 'sending' and m.claimed_at <= $4 or m.status in ('sent', 'delivered') and m.provider_id is not null)
    order by m.id for no key update`,
}
const lockMessages: Prepared = {
  name: 'inbound_status_lock',
  text: `with locked as (
      select id, provider_id, from_me, status, error, version, attempts, ticket_id from messages
      where tenant_id = $1 and ((connection_id = $2 and provider_id = any($3::text[])) or (id = any($4::uuid[]) and connection_id = $2))
      order by id for no key update)
    select m.id as "messageId", m.provider_id as "providerId", m.from_me as "fromMe", m.status as "messageStatus", m.error,
      m.version as "messageVersion", m.attempts as sends, ${ticketStateColumns}
    from locked m join tickets t on t.tenant_id = $1 and t.id = m.ticket_id`,
}
const keepEarly: Prepared = {
  name: 'inbound_status_early',
  text: `insert into early_statuses (tenant_id, id, connection_id, provider_id, status, error, is_unreachable)
    select $1, e.id, $2, e."providerId", e.status, e.error, e."isUnreachable"
    from jsonb_to_recordset($3::jsonb) as e(id uuid, "providerId" text, status text, error text, "isUnreachable" boolean) on conflict do nothing`,
}
