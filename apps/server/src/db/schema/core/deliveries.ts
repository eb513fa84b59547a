import { deliveryStates } from '@balcao/contract/core/integrations/deliveries.ts'
import type { EventName } from '@balcao/contract/events.ts'
import { sql } from 'drizzle-orm'
import { bigserial, boolean, index, integer, jsonb, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantLink, tenantTable } from '../columns.ts'
import { users } from '../people/users.ts'
import { integrations } from './integrations.ts'

/** A machine that is to hear of events: a browser with its window closed, an address of the company. */
export const consumers = tenantTable(
  'consumers',
  {
    kind: text('kind').notNull(),
    topics: text('topics').array().$type<EventName[]>().notNull(),
    /** Only what names this person; without one, all of the company. */
    userId: uuid('user_id'),
    integrationId: uuid('integration_id'),
    /** Where and how, as its kind knows it. */
    target: jsonb('target').$type<Record<string, string>>().notNull().default({}),
    /** What it is told waits this long: a burst can become one, and what is seen meanwhile none. */
    calmS: integer('calm_s').notNull().default(0),
    /** A newer delivery of a lane takes the place of the one that waits. */
    isLatestOnly: boolean('is_latest_only').notNull().default(false),
    state: text('state', { enum: ['active', 'stopped'] })
      .notNull()
      .default('active'),
    /** In a row, and until when it is left alone for that. */
    failures: integer('failures').notNull().default(0),
    restsUntil: moment('rests_until').notNull().defaultNow(),
    error: text('error'),
    deliveredAt: moment('delivered_at'),
    createdAt: createdAt(),
  },
  (t) => [
    // One browser tells one person: whoever registers it last.
    uniqueIndex('consumers_endpoint').on(sql`(${t.target} ->> 'endpoint')`).where(sql`${t.kind} = 'push'`),
    index('consumers_of_user').on(t.tenantId, t.userId),
    uniqueIndex('consumers_of_integration').on(t.tenantId, t.integrationId),
    refers(t, t.userId, () => users, 'cascade'),
    refers(t, t.integrationId, () => integrations, 'cascade'),
  ],
)

/** What somebody asked a system to be told by hand, beside the events there are. */
export type DeliveryTopic = EventName | 'action.called'
/** What came back from a call. */
export type DeliveryAnswer = { status: number; body: string; ms: number }

/**
 * An event on its way to one consumer, copied by a trigger on `outbox`. What was delivered is gone, or kept for some days
 * where a company set the consumer up.
 */
export const deliveries = tenantLink(
  'deliveries',
  {
    seq: bigserial('seq', { mode: 'number' }).notNull(),
    /** The same at every attempt; another where a newer one took its place. */
    id: uuid('id').notNull().defaultRandom(),
    consumerId: uuid('consumer_id').notNull(),
    topic: text('topic').$type<DeliveryTopic>().notNull(),
    /** Another address than its consumer's. */
    url: text('url'),
    /** What has to arrive in order: a conversation, a row, a line of a bell. */
    lane: text('lane').notNull(),
    isLatestOnly: boolean('is_latest_only').notNull(),
    payload: jsonb('payload').$type<unknown>().notNull(),
    state: text('state', { enum: deliveryStates }).notNull().default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    error: text('error'),
    /** Of the last attempt. */
    answer: jsonb('answer').$type<DeliveryAnswer>(),
    triedAt: moment('tried_at'),
    dueAt: moment('due_at').notNull(),
    /** Somebody asked for it again: its life begins anew, what it tells of does not. */
    revivedAt: moment('revived_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.seq] }),
    index('deliveries_of_consumer').on(t.tenantId, t.consumerId, t.seq),
    index('deliveries_lane').on(t.tenantId, t.consumerId, t.lane, t.seq).where(sql`${t.state} = 'waiting'`),
    index('deliveries_dead').on(t.tenantId, t.consumerId, t.seq).where(sql`${t.state} = 'dead'`),
    uniqueIndex('deliveries_latest')
      .on(t.tenantId, t.consumerId, t.lane)
      .where(sql`${t.isLatestOnly} and ${t.state} = 'waiting'`),
    // Asked of all companies at once.
    index('deliveries_due').on(t.dueAt).where(sql`${t.state} = 'waiting'`),
    refers(t, t.consumerId, () => consumers, 'cascade'),
  ],
)
