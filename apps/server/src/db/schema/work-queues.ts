import { messageStatuses } from '@balcao/contract/conversations/messages.ts'
import type { EventName } from '@balcao/contract/events.ts'
import { sql } from 'drizzle-orm'
import { bigint, bigserial, index, integer, jsonb, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Audience } from './audience.ts'
import { createdAt, moment, refers, tenantLink, tenantTable } from './columns.ts'
import { contacts } from './contacts.ts'
import { connections } from './conversations.ts'

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
    index('journal_waiting').on(t.tenantId, t.seq).where(sql`${t.state} = 'received'`),
    index('journal_order').on(t.tenantId, t.connectionId, t.conversation, t.seq).where(sql`${t.state} = 'received'`),
    index('journal_unknown')
      .on(t.tenantId, t.connectionId, t.receivedAt)
      .where(sql`${t.state} in ('unknown', 'failed')`),
    index('journal_old').on(t.tenantId, t.receivedAt),
    refers(t, t.connectionId, () => connections, 'cascade'),
  ],
)

/** A state of a message we do not know yet: the provider was faster than our own record. */
export const earlyStatuses = tenantTable(
  'early_statuses',
  {
    connectionId: uuid('connection_id').notNull(),
    providerId: text('provider_id').notNull(),
    status: text('status', { enum: messageStatuses }).notNull(),
    error: text('error'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('early_statuses_key').on(t.tenantId, t.connectionId, t.providerId, t.status),
    refers(t, t.connectionId, () => connections, 'cascade'),
  ],
)

/** Events that commit with the change they tell of. Relayed by their writer right after commit, rescued by a poll. */
export const outbox = tenantLink(
  'outbox',
  {
    seq: bigserial('seq', { mode: 'number' }).notNull(),
    name: text('name').$type<EventName>().notNull(),
    payload: jsonb('payload').$type<unknown>().notNull(),
    audience: jsonb('audience').$type<Audience>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.seq] }), index('outbox_waiting').on(t.tenantId, t.createdAt)],
)

/** A browser of a web chat visitor: the rotating resume token, hashed, in its family. */
export const webchatSessions = tenantTable(
  'webchat_sessions',
  {
    connectionId: uuid('connection_id').notNull(),
    visitorId: text('visitor_id').notNull(),
    contactId: uuid('contact_id'),
    familyId: uuid('family_id').notNull(),
    hash: text('hash').notNull(),
    verifiedAs: text('verified_as'),
    page: jsonb('page').$type<{ url: string; title: string; referrer?: string; device?: string }>(),
    deliveredSeq: bigint('delivered_seq', { mode: 'number' }).notNull().default(0),
    readSeq: bigint('read_seq', { mode: 'number' }).notNull().default(0),
    rotatedAt: moment('rotated_at'),
    revokedAt: moment('revoked_at'),
    expiresAt: moment('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('webchat_sessions_hash').on(t.tenantId, t.hash),
    index('webchat_sessions_family').on(t.tenantId, t.familyId),
    index('webchat_sessions_visitor').on(t.tenantId, t.visitorId),
    refers(t, t.connectionId, () => connections, 'cascade'),
    refers(t, t.contactId, () => contacts, 'cascade'),
  ],
)
