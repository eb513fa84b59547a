import { purposes } from '@balcao/contract/contacts/consent.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { connections } from '../channels/connections.ts'
import { createdAt, moment, refers, tenantTable, updatedAt } from '../columns.ts'
import { contacts } from '../contacts/contacts.ts'
import { files } from '../core/files.ts'
import { users } from '../people/users.ts'

/** A message to be written to a contact at its time. One row is one occurrence: one that repeats leaves the next behind. */
export const schedules = tenantTable(
  'schedules',
  {
    contactId: uuid('contact_id').notNull(),
    connectionId: uuid('connection_id').notNull(),
    body: text('body').notNull().default(''),
    /** What it is sent for: a greeting is not part of a conversation. */
    purpose: text('purpose', { enum: purposes }).notNull().default('service'),
    mediaId: uuid('media_id'),
    dueAt: moment('due_at').notNull(),
    /** `2026-11-18T14:30`: what the wall of `timeZone` shows then; the next occurrence is counted from it. */
    wallTime: text('wall_time').notNull(),
    timeZone: text('time_zone').notNull(),
    /** Days to the next occurrence, and how many are still to follow this one; both null: once. */
    everyDays: integer('every_days'),
    timesLeft: integer('times_left'),
    /** The occurrence this one follows: it is followed once. */
    previousId: uuid('previous_id'),
    /** `written`: it is in the conversation, and how it fares on its way is told by that message. */
    state: text('state', { enum: ['pending', 'written', 'failed', 'canceled'] })
      .notNull()
      .default('pending'),
    isLate: boolean('is_late').notNull().default(false),
    /** When it was written, or given up. */
    doneAt: moment('done_at'),
    /** The message it became. It has no reference: an occurrence outlives the conversation. */
    messageId: uuid('message_id'),
    error: text('error'),
    /** When to look at it: its time, or later after a slip of ours. */
    attemptAt: moment('attempt_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Null: what `rule` names wrote it by itself. */
    createdBy: uuid('created_by'),
    rule: text('rule'),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('schedules_previous').on(t.tenantId, t.previousId).where(sql`${t.previousId} is not null`),
    index('schedules_by_due').on(t.tenantId, t.dueAt, t.id),
    index('schedules_of_contact').on(t.tenantId, t.contactId, t.dueAt),
    // The loop asks for all companies at once.
    index('schedules_waiting').on(t.attemptAt).where(sql`${t.state} = 'pending'`),
    refers(t, t.contactId, () => contacts, 'cascade'),
    refers(t, t.connectionId, () => connections),
    refers(t, t.mediaId, () => files),
    refers(t, t.createdBy, () => users),
  ],
)
