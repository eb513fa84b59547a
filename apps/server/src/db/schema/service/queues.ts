import type { BusinessDay } from '@balcao/contract/core/business-hours.ts'
import { distributions } from '@balcao/contract/service/queues.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { moment, refers, tenantLink, tenantTable, versioned } from '../columns.ts'
import { users } from '../people/users.ts'

export const queues = tenantTable(
  'queues',
  {
    name: text('name').notNull(),
    color: text('color').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    /** How waiting conversations find a person. */
    distribution: text('distribution', { enum: distributions }).notNull().default('none'),
    /** Minutes a person has to accept what they were handed before it goes to the next; null: for ever. */
    acceptWithin: integer('accept_within'),
    /** Its own hours; empty: the company's. */
    businessHours: jsonb('business_hours').$type<BusinessDay[]>().notNull().default([]),
    /** Its own words for closed hours; empty: the company's. */
    absenceMessage: text('absence_message').notNull().default(''),
    /** Below e-mails; empty: the channel's. */
    mailSignature: text('mail_signature').notNull().default(''),
    /** The flow that begins with whoever starts to wait here; flows watch that they are not named when they go. */
    chatFlowId: uuid('chat_flow_id'),
    ...versioned(),
  },
  (t) => [uniqueIndex('queues_name').on(t.tenantId, sql`lower(${t.name})`)],
)

export const queueMembers = tenantLink(
  'queue_members',
  {
    queueId: uuid('queue_id').notNull(),
    userId: uuid('user_id').notNull(),
    /** When distribution last handed them one: the turn goes to whoever waits longest. */
    lastAssignedAt: moment('last_assigned_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.queueId, t.userId] }),
    refers(t, t.queueId, () => queues, 'cascade'),
    refers(t, t.userId, () => users, 'cascade'),
    index('queue_members_user').on(t.tenantId, t.userId),
  ],
)
