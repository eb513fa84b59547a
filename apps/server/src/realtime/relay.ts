import type { EventName, EventPayload } from '@balcao/contract/events.ts'
import { type Prepared, platformRows } from '../db/database.ts'
import { viewersOf } from '../features/conversations/tickets/tickets.policy.ts'
import { type Directory, findDirectory } from '../features/core/directory/directory.ts'
import { platformTenant } from '../features/core/integrations/gateways.ts'
import { createLanes } from '../kit/in-order.ts'
import { log } from '../kit/log.ts'
import { type Audience, type OutboxEvent, onCommittedEvents } from '../kit/outbox.ts'
import { onSignal } from '../kit/signals/signals.ts'
import type { Round, Worker } from '../kit/workers.ts'
import { createMonitorSignal } from './monitor-signal.ts'
import { expelViewers } from './presence.ts'
import { userRoom } from './rooms.ts'
import type { StaffNamespace } from './staff-data.ts'

const flushAfterMs = 50
const flushRetryMs = 1_000

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
 * after commit; one without sockets says where they are, and whoever takes them first relays them. Rows that stay in the
 * outbox (their writer died, what it said was lost) are rescued by the clock.
 */
export const startRelay = (staff: StaffNamespace, keep: Keeper) => {
  /** Rows this process relays or has relayed and not yet deleted: its own rescue leaves them alone. */
  const inHand = new Set<number>()
  let relayed: OutboxEvent[] = []
  let flushing: NodeJS.Timeout | undefined
  const lanes = createLanes<number>()
  const keeping = new Set<Promise<void>>()
  const monitors = createMonitorSignal(staff)

  const deliver = async (event: OutboxEvent) => {
    const at = event.audience.kind === 'platform' ? platformTenant : event.tenantId
    const directory = await findDirectory(at)
    if (!directory) return
    send(staff, event, { at, directory })
    monitors.hear(event, directory)
    for (const listener of listeners) listener(event)
  }
  /** The next event does not wait for what is kept of this one. */
  const finish = (event: OutboxEvent) => {
    const kept = keep(event)
      .then(
        () => {
          relayed.push(event)
          flushing ??= setTimeout(flush, flushAfterMs)
        },
        () => void inHand.delete(event.seq), // as below
      )
      .finally(() => keeping.delete(kept))
    keeping.add(kept)
  }
  /** Events of one tenant leave in the order they were committed here. */
  const relay = (event: OutboxEvent) => {
    inHand.add(event.seq)
    lanes
      .run(event.tenantId, () => deliver(event))
      .then(() => finish(event))
      .catch((error) => {
        inHand.delete(event.seq) // the row is still there: the rescue tries again
        log.error({ err: error, tenantId: event.tenantId, event: event.name }, 'event not relayed')
      })
  }
  const unhook = onCommittedEvents((events) => {
    for (const event of events) relay(event)
  })

  /** What was relayed in a moment leaves the outbox in one statement. */
  const flush = async () => {
    const batch = relayed
    relayed = []
    let againInMs = flushAfterMs
    try {
      if (batch.length)
        await platformRows(forget, [batch.map((event) => event.tenantId), batch.map((event) => event.seq)])
      for (const event of batch) inHand.delete(event.seq)
    } catch (error) {
      relayed = [...batch, ...relayed]
      againInMs = flushRetryMs
      log.error({ err: error }, 'relayed events not forgotten')
    }
    flushing = relayed.length ? setTimeout(flush, againInMs) : undefined
  }
  const relayAll = (rows: OutboxEvent[]) => {
    for (const event of rows.toSorted((a, b) => a.seq - b.seq)) relay(event)
  }
  const rescue = async (): Promise<Round> => {
    const rows = await platformRows<OutboxEvent>(claimForgotten, [[...inHand]])
    relayAll(rows)
    return { did: rows.length, isMore: rows.length === rescueAtOnce }
  }

  let written: Written[] = []
  let taking: Promise<void> | undefined
  /** One statement at a time: what is told of meanwhile goes together, and in its order. */
  const take = async () => {
    while (written.length) {
      const batch = written
      written = []
      const values = [batch.map(({ tenantId }) => tenantId), batch.map(({ seq }) => seq)]
      await platformRows<OutboxEvent>(claimWritten, values).then(relayAll, (error) =>
        log.warn({ err: error }, 'events of another process not taken'),
      )
    }
    taking = undefined
  }
  const unhear = onSignal('events.written', (one) => {
    written.push(one)
    taking ??= take()
  })
  const unwatch = onSignal('deliveries.tried', ({ tenantId, ...told }) => void tellDeliveries(staff, tenantId, told))

  return {
    workers: [
      {
        name: 'outbox rescue',
        role: 'api',
        everyMs: 1_000,
        due: 'select from outbox where due_at <= now()',
        run: rescue,
      },
    ] satisfies Worker[],
    stop: async () => {
      unhear()
      unwatch()
      unhook()
      monitors.stop()
      await taking
      await lanes.settled()
      await Promise.all(keeping)
      clearTimeout(flushing)
      await flush()
      clearTimeout(flushing)
    },
  }
}

type Written = { tenantId: number; seq: number }
const rescueAtOnce = 500

/** Nobody waits for the disk: what is lost with the machine is relayed once more. */
const forget: Prepared = {
  name: 'outbox_forget',
  text: `with unhurried as (select set_config('synchronous_commit', 'off', true))
    delete from outbox o using unhurried, unnest($1::int[], $2::bigint[]) as d(tenant_id, seq)
    where o.tenant_id = d.tenant_id and o.seq = d.seq`,
}
/** Taken by one process, for as long as it may need: what it does not finish is taken by another. */
const claim = (which: string) => `with d as (${which} for update skip locked)
    update outbox o set due_at = now() + interval '10 seconds' from d
    where o.tenant_id = d.tenant_id and o.seq = d.seq
    returning o.tenant_id as "tenantId", o.seq, o.name, o.payload, o.audience`
export const claimForgotten: Prepared = {
  name: 'outbox_rescue',
  text: claim(`select tenant_id, seq from outbox where due_at <= now() and seq <> all($1::bigint[])
      order by seq limit ${rescueAtOnce}`),
}
/** Those a process without sockets has written; one that is taken is due later than any that was just written. */
const claimWritten: Prepared = {
  name: 'outbox_take',
  text: claim(`select tenant_id, seq from outbox where (tenant_id, seq) in (select * from unnest($1::int[], $2::bigint[]))
      and due_at <= now() + interval '3 seconds'`),
}

type Place = { at: number; directory: Directory }
const send = (staff: StaffNamespace, event: OutboxEvent, { at, directory }: Place) => {
  const room = (userId: string) => userRoom(at, userId)
  const now = audienceOf(event.audience, directory)
  if (now.length) staff.to(now.map(room)).emit(event.name, event.payload)

  if (event.audience.kind !== 'ticket' || !event.audience.before) return
  const { facts, before } = event.audience
  const still = new Set(now)
  const lost = viewersOf(directory, before).filter((userId) => !still.has(userId))
  if (!lost.length) return
  const hidden: EventName = 'ticket.hidden'
  staff.to(lost.map(room)).emit(hidden, { id: facts.id })
  expelViewers(event.tenantId, facts.id, lost)
}

/** A signal that every process hears: each tells its own windows. */
const tellDeliveries = async (staff: StaffNamespace, tenantId: number, told: EventPayload<'integration.delivered'>) => {
  const directory = await findDirectory(tenantId).catch(() => undefined)
  if (!directory) return
  const people = audienceOf({ kind: 'permission', can: 'integrations.write' }, directory)
  if (people.length) staff.local.to(people.map((id) => userRoom(tenantId, id))).emit('integration.delivered', told)
}

/** The people an event is for: the same policy that guards reads. */
const audienceOf = (audience: Audience, directory: Directory): string[] => {
  if (audience.kind === 'ticket') return viewersOf(directory, audience.facts)
  if (audience.kind === 'user') return [audience.userId]
  if (audience.kind === 'users') return audience.userIds
  const { userId = undefined } = audience.kind === 'permission' ? audience : {}
  const people = [...directory.people.values()].filter((person) => !person.isBlocked)
  const isMeant = (person: (typeof people)[number]) =>
    audience.kind === 'queue'
      ? person.queueIds.includes(audience.queueId) || person.permissions.has('quick-messages.share')
      : person.permissions.has(audience.can) || person.id === userId
  return people.filter(isMeant).map((person) => person.id)
}
