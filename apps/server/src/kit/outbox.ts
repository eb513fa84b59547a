import type { EventName, EventPayload } from '@balcao/contract/events.ts'
import type { Prepared, Tx } from '../db/database.ts'
import type { Audience } from '../db/schema/core/audience.ts'
import { announce } from './signals/signals.ts'

export type { Audience, TicketFacts } from '../db/schema/core/audience.ts'
export type OutboxEvent = { tenantId: number; seq: number; name: EventName; payload: unknown; audience: Audience }

type Relay = (events: OutboxEvent[]) => void
/** A process without sockets tells those that have some where to find it. */
const tellRelays: Relay = (events) => {
  for (const { tenantId, seq } of events) announce('events.written', { tenantId, seq })
}
let relay = tellRelays
/** `realtime/` registers how committed events reach their rooms; answers how to end that. */
export const onCommittedEvents = (handler: Relay) => {
  relay = handler
  return () => {
    relay = tellRelays
  }
}

/** Writes an event in the transaction of the change it tells of; right after commit this process relays it. */
export const emit = async <N extends EventName>(tx: Tx, name: N, payload: EventPayload<N>, audience: Audience) =>
  write(tx, [{ name, payload, audience }])

export type NewEvent = { [N in EventName]: { name: N; payload: EventPayload<N>; audience: Audience } }[EventName]
/** Several events of one transaction, in their order, in one statement. */
export const emitAll = async (tx: Tx, given: NewEvent[]) => {
  if (given.length) write(tx, given)
}

type Told = Pick<OutboxEvent, 'name' | 'payload' | 'audience'>
const write = (tx: Tx, events: Told[]) =>
  tx.late(insert, [tx.tenantId, JSON.stringify(events)], (rows) =>
    relayCommitted(tx.tenantId, events, rows as { seq: number }[]),
  )
const insert: Prepared = {
  name: 'outbox_write',
  text: `insert into outbox (tenant_id, name, payload, audience)
    select $1, e.name, e.payload, e.audience from rows from (jsonb_to_recordset($2::jsonb) as (name text, payload jsonb, audience jsonb))
      with ordinality as e(name, payload, audience, n) order by e.n returning seq`,
}

/** For a statement that wrote these rows of the outbox itself, in this order: hands them to the relay, once committed. */
export const relayCommitted = (tenantId: number, events: Told[], rows: { seq: number }[]) =>
  relay(events.map((event, at) => ({ tenantId, ...event, seq: rows[at]?.seq ?? 0 })))
