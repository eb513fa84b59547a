import type { Action } from '@balcao/contract/conversations/actions/index.ts'
import { quickMessageScopes } from '@balcao/contract/service/quick-messages.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, primaryKey, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { moment, refers, tenantLink, tenantTable, versioned } from '../columns.ts'
import { partColumns } from '../conversations/parts.ts'
import { files } from '../core/files.ts'
import { users } from '../people/users.ts'
import { queues } from './queues.ts'

/** Where quick messages of one person, one queue or everyone stand together. */
export const quickFolders = tenantTable(
  'quick_folders',
  {
    name: text('name').notNull(),
    scope: text('scope', { enum: quickMessageScopes }).notNull(),
    userId: uuid('user_id').notNull(),
    queueId: uuid('queue_id'),
    position: integer('position').notNull().default(0),
    ...versioned(),
  },
  (t) => [
    uniqueIndex('quick_folders_everyone').on(t.tenantId, sql`lower(${t.name})`).where(sql`${t.scope} = 'everyone'`),
    uniqueIndex('quick_folders_queue')
      .on(t.tenantId, t.queueId, sql`lower(${t.name})`)
      .where(sql`${t.scope} = 'queue'`),
    uniqueIndex('quick_folders_mine').on(t.tenantId, t.userId, sql`lower(${t.name})`).where(sql`${t.scope} = 'mine'`),
    refers(t, t.userId, () => users, 'cascade'),
    refers(t, t.queueId, () => queues, 'cascade'),
  ],
)

export const quickMessages = tenantTable(
  'quick_messages',
  {
    key: text('key').notNull(),
    /** The words of all its parts: what is searched, and what a list shows. */
    message: text('message').notNull(),
    scope: text('scope', { enum: quickMessageScopes }).notNull(),
    userId: uuid('user_id').notNull(),
    queueId: uuid('queue_id'),
    folderId: uuid('folder_id'),
    /** Not offered any more where it is archived, and kept. */
    isActive: boolean('is_active').notNull().default(true),
    /** The name it goes by in the help of the web chat; null: it is not there. */
    helpTitle: text('help_title'),
    ...versioned(),
  },
  (t) => [
    uniqueIndex('quick_messages_everyone').on(t.tenantId, t.key).where(sql`${t.scope} = 'everyone'`),
    uniqueIndex('quick_messages_queue').on(t.tenantId, t.queueId, t.key).where(sql`${t.scope} = 'queue'`),
    uniqueIndex('quick_messages_mine').on(t.tenantId, t.userId, t.key).where(sql`${t.scope} = 'mine'`),
    index('quick_messages_folder').on(t.tenantId, t.folderId),
    refers(t, t.userId, () => users, 'cascade'),
    refers(t, t.queueId, () => queues, 'cascade'),
    refers(t, t.folderId, () => quickFolders, 'set null'),
  ],
)

/** What a quick message sends, one message after the other. */
export const quickMessageParts = tenantTable(
  'quick_message_parts',
  { quickMessageId: uuid('quick_message_id').notNull(), ...partColumns() },
  (t) => [
    uniqueIndex('quick_message_parts_order').on(t.tenantId, t.quickMessageId, t.position),
    index('quick_message_parts_media').on(t.tenantId, t.mediaId).where(sql`${t.mediaId} is not null`),
    refers(t, t.quickMessageId, () => quickMessages, 'cascade'),
    refers(t, t.mediaId, () => files),
  ],
)

/**
 * How often each person sent it: nobody waits for a colleague's count. What sends by itself has no person and spreads
 * over the slots.
 */
export const quickMessageUses = tenantLink(
  'quick_message_uses',
  {
    quickMessageId: uuid('quick_message_id').notNull(),
    /** All zeros: sent by itself. */
    userId: uuid('user_id').notNull(),
    slot: smallint('slot').notNull().default(0),
    count: integer('count').notNull(),
    lastAt: moment('last_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.quickMessageId, t.userId, t.slot] }),
    refers(t, t.quickMessageId, () => quickMessages, 'cascade'),
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
    actions: jsonb('actions').$type<Action[]>().notNull(),
    ...versioned(),
  },
  (t) => [
    uniqueIndex('macros_name').on(t.tenantId, t.userId, sql`lower(${t.name})`),
    refers(t, t.userId, () => users, 'cascade'),
    refers(t, t.queueId, () => queues, 'cascade'),
  ],
)

/** The library of closing messages. */
export const farewells = tenantTable(
  'farewells',
  {
    name: text('name').notNull(),
    message: text('message').notNull(),
    ...versioned(),
  },
  (t) => [uniqueIndex('farewells_name').on(t.tenantId, sql`lower(${t.name})`)],
)
