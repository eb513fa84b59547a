import type { EventName, EventPayload } from '@balcao/contract/events.ts'
import type { Tx } from '../db/database.ts'
import type { Audience } from '../db/schema/core/audience.ts'
import { outbox } from '../db/schema/core/outbox.ts'
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
export const emit = async <N extends EventName>(tx: Tx, name: N, payload: EventPayload<N>, audience: Audience) => {
  const [row] = await tx.db
    .insert(outbox)
    .values({ tenantId: tx.tenantId, name, payload, audience })
    .returning({ seq: outbox.seq })
  if (row) relayAfterCommit(tx, { tenantId: tx.tenantId, seq: row.seq, name, payload, audience })
}

export type NewEvent = { [N in EventName]: { name: N; payload: EventPayload<N>; audience: Audience } }[EventName]
/** Several events of one transaction, in their order, in one statement. */
export const emitAll = async (tx: Tx, given: NewEvent[]) => {
  if (!given.length) return
  const events = given.map((event) => ({ tenantId: tx.tenantId, ...event }))
  const stored = await tx.db.insert(outbox).values(events).returning({ seq: outbox.seq })
  for (const [at, event] of events.entries()) relayAfterCommit(tx, { ...event, seq: stored[at]?.seq ?? 0 })
}

/** For a chained statement that wrote the outbox row itself: hands the event to the relay once committed. */
export const relayAfterCommit = (tx: Tx, event: OutboxEvent) => {
  tx.afterCommit(() => relay([event]))
}
