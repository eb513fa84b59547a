import type { EventName } from '@balcao/contract/events.ts'
import { type Prepared, platformRows } from '../db/database.ts'
import { viewersOf } from '../features/conversations/tickets/tickets.policy.ts'
import { type Directory, findDirectory } from '../features/core/directory/directory.ts'
import { log } from '../kit/log.ts'
import { type Audience, type OutboxEvent, onCommittedEvents } from '../kit/outbox.ts'
import { repeat } from '../kit/repeat.ts'
import { expelViewers } from './presence.ts'
import { userRoom } from './rooms.ts'
import type { StaffNamespace } from './staff-data.ts'

const rescueEveryMs = 1_000
const flushEveryMs = 50

/** Who else wants to hear of committed events: the web chat turns messages of its visitors into its own. */
type Listener = (event: OutboxEvent) => void
/** Stores what follows from an event; its row stays in the outbox until that is done. */
type Keeper = (event: OutboxEvent) => Promise<void>
const listeners: Listener[] = []
export const onRelayedEvent = (listener: Listener) => {
  listeners.push(listener)
}

/**
 * Carries committed events to the people who may read what they tell of. The writer hands its own events over right
 * after commit; rows that stay in the outbox (their writer died, or has no sockets) are rescued by a poll.
 */
export const startRelay = (staff: StaffNamespace, keep: Keeper) => {
  /** Rows this process relays or has relayed and not yet deleted: its own rescue leaves them alone. */
  const inHand = new Set<number>()
  let relayed: OutboxEvent[] = []
  const lanes = new Map<number, Promise<void>>()
  const keeping = new Set<Promise<void>>()

  const deliver = async (event: OutboxEvent) => {
    const directory = await findDirectory(event.tenantId)
    if (!directory) return
    send(staff, event, directory)
    for (const listener of listeners) listener(event)
  }
  /** The next event does not wait for what is kept of this one. */
  const finish = (event: OutboxEvent) => {
    const kept = keep(event)
      .then(
        () => void relayed.push(event),
        () => void inHand.delete(event.seq), // as below
      )
      .finally(() => keeping.delete(kept))
    keeping.add(kept)
  }
  /** Events of one tenant leave in the order they were committed here. */
  const relay = (event: OutboxEvent) => {
    inHand.add(event.seq)
    const lane = (lanes.get(event.tenantId) ?? Promise.resolve())
      .then(() => deliver(event))
      .then(() => finish(event))
      .catch((error) => {
        inHand.delete(event.seq) // the row is still there: the rescue tries again
        log.error({ err: error, tenantId: event.tenantId, event: event.name }, 'event not relayed')
      })
    lanes.set(event.tenantId, lane)
  }
  onCommittedEvents((events) => {
    for (const event of events) relay(event)
  })

  const flush = async () => {
    if (!relayed.length) return
    const batch = relayed
    relayed = []
    try {
      await platformRows(forget, [batch.map((event) => event.tenantId), batch.map((event) => event.seq)])
      for (const event of batch) inHand.delete(event.seq)
    } catch (error) {
      relayed = [...batch, ...relayed]
      throw error
    }
  }
  const rescue = async () => {
    const rows = await platformRows<OutboxEvent>(claimForgotten, [[...inHand]])
    for (const event of rows.toSorted((a, b) => a.seq - b.seq)) relay(event)
  }
  const flushing = repeat('outbox flush', flushEveryMs, flush)
  const rescuing = repeat('outbox rescue', rescueEveryMs, rescue)

  return {
    stop: async () => {
      await Promise.all([flushing.stop(), rescuing.stop()])
      onCommittedEvents(() => {})
      await Promise.all(lanes.values())
      await Promise.all(keeping)
      await flush()
    },
  }
}

const forget: Prepared = {
  name: 'outbox_forget',
  text: `delete from outbox o using unnest($1::int[], $2::bigint[]) as d(tenant_id, seq)
    where o.tenant_id = d.tenant_id and o.seq = d.seq`,
}
/** Taken by one process; a claim is a delete, so that nobody hears of it twice. */
const claimForgotten: Prepared = {
  name: 'outbox_rescue',
  text: `delete from outbox where (tenant_id, seq) in (
      select tenant_id, seq from outbox where created_at < now() - interval '2 seconds' and seq <> all($1::bigint[])
      order by seq limit 500 for update skip locked)
    returning tenant_id as "tenantId", seq, name, payload, audience`,
}

const send = (staff: StaffNamespace, event: OutboxEvent, directory: Directory) => {
  const room = (userId: string) => userRoom(event.tenantId, userId)
  const now = audienceOf(event.audience, directory)
  if (now.length) staff.to(now.map(room)).emit(event.name, event.payload)
  if (event.name === 'session.revoked') staff.in(now.map(room)).disconnectSockets(true)

  if (event.audience.kind !== 'ticket' || !event.audience.before) return
  const { facts, before } = event.audience
  const still = new Set(now)
  const lost = viewersOf(directory, before).filter((userId) => !still.has(userId))
  if (!lost.length) return
  const hidden: EventName = 'ticket.hidden'
  staff.to(lost.map(room)).emit(hidden, { id: facts.id })
  expelViewers(event.tenantId, facts.id, lost)
}

/** The people an event is for: the same policy that guards reads. */
const audienceOf = (audience: Audience, directory: Directory): string[] => {
  if (audience.kind === 'ticket') return viewersOf(directory, audience.facts)
  if (audience.kind === 'user') return [audience.userId]
  if (audience.kind === 'users') return audience.userIds
  const people = [...directory.people.values()].filter((person) => !person.isBlocked)
  const isMeant = (person: (typeof people)[number]) =>
    audience.kind === 'queue'
      ? person.queueIds.includes(audience.queueId) || person.profile === 'admin'
      : person.permissions.has(audience.can)
  return people.filter(isMeant).map((person) => person.id)
}
