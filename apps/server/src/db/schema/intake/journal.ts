import { messageStatuses } from '@balcao/contract/conversations/messages.ts'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { connections } from '../channels/connections.ts'
import { createdAt, moment, refers, tenantTable } from '../columns.ts'

/** What providers told us, raw, written before we answer them. One row per event of the provider. */
export const journal = tenantTable(
  'journal',
  {
    seq: bigint('seq', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
    connectionId: uuid('connection_id').notNull(),
    /** The provider's own key of this event: twice delivered is once seen. */
    eventKey: text('event_key').notNull(),
    /** Events of one conversation are handled in the order of `seq`, whichever process has them; null: at once. */
    conversation: text('conversation'),
    payload: jsonb('payload').$type<unknown>().notNull(),
    state: text('state', { enum: ['received', 'done', 'unknown', 'failed'] })
      .notNull()
      .default('received'),
    attempts: integer('attempts').notNull().default(0),
    error: text('error'),
    receivedAt: moment('received_at').notNull().defaultNow(),
    processedAt: moment('processed_at'),
  },
  (t) => [
    uniqueIndex('journal_event').on(t.tenantId, t.connectionId, t.eventKey),
    // What waits, by conversation. A second one by `seq` alone would be taken by whatever is planned while nothing waits.
    index('journal_order').on(t.tenantId, t.connectionId, t.conversation, t.seq).where(sql`${t.state} = 'received'`),
    index('journal_unknown')
      .on(t.tenantId, t.connectionId, t.receivedAt)
      .where(sql`${t.state} in ('unknown', 'failed')`),
    /** What is shown of a connection, and what is forgotten of it. */
    index('journal_of_connection').on(t.tenantId, t.connectionId, t.receivedAt, t.id),
    refers(t, t.connectionId, () => connections, 'cascade'),
  ],
)

/**
 * A state of a message we do not know yet: the provider was faster than our own record. What is read until a moment is
 * kept by the id of ours that was being sent then.
 */
export const earlyStatuses = tenantTable(
  'early_statuses',
  {
    connectionId: uuid('connection_id').notNull(),
    providerId: text('provider_id').notNull(),
    status: text('status', { enum: messageStatuses }).notNull(),
    error: text('error'),
    isUnreachable: boolean('is_unreachable').notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('early_statuses_key').on(t.tenantId, t.connectionId, t.providerId, t.status),
    refers(t, t.connectionId, () => connections, 'cascade'),
  ],
)
