import type { Action } from '@balcao/contract/conversations/actions/index.ts'
import { quickMessageScopes } from '@balcao/contract/service/quick-messages.ts'
import { sql } from 'drizzle-orm'
import { jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { refers, tenantTable, versioned } from '../columns.ts'
import { files } from '../core/files.ts'
import { users } from '../people/users.ts'
import { queues } from './queues.ts'

export const quickMessages = tenantTable(
  'quick_messages',
  {
    key: text('key').notNull(),
    message: text('message').notNull(),
    scope: text('scope', { enum: quickMessageScopes }).notNull(),
    userId: uuid('user_id').notNull(),
    queueId: uuid('queue_id'),
    mediaId: uuid('media_id'),
    ...versioned(),
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
