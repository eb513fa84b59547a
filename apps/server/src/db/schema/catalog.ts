import { mediaKinds } from '@balcao/contract/core/media.ts'
import type { MacroAction } from '@balcao/contract/service/macros.ts'
import { quickMessageScopes } from '@balcao/contract/service/quick-messages.ts'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, refers, tenantTable, updatedAt } from './columns.ts'
import { queues, users } from './people.ts'

export const tags = tenantTable(
  'tags',
  {
    name: text('name').notNull(),
    color: text('color').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex('tags_name').on(t.tenantId, sql`lower(${t.name})`)],
)

/** A stored file; the bytes live in the storage under `key`. */
export const files = tenantTable(
  'files',
  {
    kind: text('kind', { enum: mediaKinds }).notNull(),
    name: text('name').notNull(),
    mime: text('mime').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    sha256: text('sha256').notNull(),
    key: text('key').notNull(),
    thumbKey: text('thumb_key'),
    width: integer('width'),
    height: integer('height'),
    durationMs: integer('duration_ms'),
    /** Who put it here: a user, or a web chat visitor's contact; null for the provider. */
    userId: uuid('user_id'),
    contactId: uuid('contact_id'),
    createdAt: createdAt(),
  },
  (t) => [index('files_user').on(t.tenantId, t.userId)],
)

export const quickMessages = tenantTable(
  'quick_messages',
  {
    key: text('key').notNull(),
    message: text('message').notNull(),
    scope: text('scope', { enum: quickMessageScopes }).notNull(),
    userId: uuid('user_id').notNull(),
    queueId: uuid('queue_id'),
    mediaId: uuid('media_id'),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('quick_messages_everyone').on(t.tenantId, t.key).where(sql`${t.scope} = 'everyone'`),
    uniqueIndex('quick_messages_queue').on(t.tenantId, t.queueId, t.key).where(sql`${t.scope} = 'queue'`),
    uniqueIndex('quick_messages_mine').on(t.tenantId, t.userId, t.key).where(sql`${t.scope} = 'mine'`),
    refers(t, t.userId, () => users, 'cascade'),
    refers(t, t.queueId, () => queues, 'cascade'),
    refers(t, t.mediaId, () => files),
  ],
)

/** A view of the attendance list that somebody named. */
export const savedFilters = tenantTable(
  'saved_filters',
  {
    name: text('name').notNull(),
    userId: uuid('user_id').notNull(),
    isShared: boolean('is_shared').notNull().default(false),
    /** The filter as it stands in the address of the screen. */
    query: text('query').notNull(),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('saved_filters_name').on(t.tenantId, t.userId, sql`lower(${t.name})`),
    index('saved_filters_shared').on(t.tenantId, t.isShared, t.name),
    refers(t, t.userId, () => users, 'cascade'),
  ],
)

/** Several actions on a conversation under one name. */
export const macros = tenantTable(
  'macros',
  {
    name: text('name').notNull(),
    scope: text('scope', { enum: quickMessageScopes }).notNull(),
    userId: uuid('user_id').notNull(),
    queueId: uuid('queue_id'),
    actions: jsonb('actions').$type<MacroAction[]>().notNull(),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('macros_name').on(t.tenantId, t.userId, sql`lower(${t.name})`),
    refers(t, t.userId, () => users, 'cascade'),
    refers(t, t.queueId, () => queues, 'cascade'),
  ],
)
