import type { Segment } from '@balcao/contract/contacts/segments/segments.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { refers, tenantTable, versioned } from '../columns.ts'
import { users } from '../people/users.ts'

/** Contacts that have something in common, by rules. */
export const segments = tenantTable(
  'segments',
  {
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    userId: uuid('user_id').notNull(),
    isShared: boolean('is_shared').notNull().default(false),
    rules: jsonb('rules').$type<Segment>().notNull(),
    ...versioned(),
  },
  (t) => [
    uniqueIndex('segments_name').on(t.tenantId, t.userId, sql`lower(${t.name})`),
    index('segments_shared').on(t.tenantId, t.isShared, t.name),
    refers(t, t.userId, () => users, 'cascade'),
  ],
)
