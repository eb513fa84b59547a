import { sql } from 'drizzle-orm'
import { boolean, date, index, integer, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantTable } from '../columns.ts'
import { integrations } from '../core/integrations.ts'

/** A calendar of the company that is kept in step with the forecasts. */
export const calendarSyncs = tenantTable(
  'calendar_syncs',
  {
    integrationId: uuid('integration_id').notNull(),
    /** What its provider tells changes by; null: everything is to be read. */
    syncToken: text('sync_token'),
    /** What is ours is taken out of it, and then the account goes. */
    isLeaving: boolean('is_leaving').notNull().default(false),
    /** Whoever compares both sides has moved it on: nobody else does until then. */
    dueAt: moment('due_at').notNull().defaultNow(),
    attempts: integer('attempts').notNull().default(0),
    syncedAt: moment('synced_at'),
    problem: text('problem'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('calendar_syncs_integration').on(t.tenantId, t.integrationId),
    // Asked of all companies at once.
    index('calendar_syncs_due').on(t.dueAt),
    // It goes by being disconnected, so that nothing of ours stays behind.
    refers(t, t.integrationId, () => integrations),
  ],
)

/** Events of a calendar as both sides last knew them. */
export const calendarEvents = tenantTable(
  'calendar_events',
  {
    integrationId: uuid('integration_id').notNull(),
    /** At its provider. */
    eventId: text('event_id').notNull(),
    /** Whose forecast it is; it has no reference: of one that goes, the event is still to be taken out. */
    opportunityId: uuid('opportunity_id'),
    summary: text('summary').notNull(),
    description: text('description').notNull().default(''),
    location: text('location').notNull().default(''),
    startDay: date('start_day'),
    endDay: date('end_day'),
    startAt: moment('start_at'),
    endAt: moment('end_at'),
    attendees: text('attendees').array().notNull().default(sql`'{}'`),
    url: text('url'),
    isGone: boolean('is_gone').notNull().default(false),
    /** When it last changed there. */
    changedAt: moment('changed_at').notNull(),
    /** The fingerprint of what we wrote on it last. */
    pushed: text('pushed'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('calendar_events_event').on(t.tenantId, t.integrationId, t.eventId),
    index('calendar_events_opportunity')
      .on(t.tenantId, t.integrationId, t.opportunityId)
      .where(sql`${t.opportunityId} is not null`),
    index('calendar_events_day').on(
      t.tenantId,
      sql`coalesce(${t.startAt}, ${t.startDay}::timestamp at time zone 'UTC')`,
    ),
    refers(t, t.integrationId, () => integrations, 'cascade'),
  ],
)
