import { sql } from 'drizzle-orm'
import { boolean, index, integer, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { refers, tenantTable, versioned } from '../columns.ts'

/** Tags that belong together: "Origem", "Interesse". */
export const tagGroups = tenantTable(
  'tag_groups',
  {
    name: text('name').notNull(),
    color: text('color').notNull(),
    position: integer('position').notNull().default(0),
    ...versioned(),
  },
  (t) => [uniqueIndex('tag_groups_name').on(t.tenantId, sql`lower(${t.name})`)],
)

export const tags = tenantTable(
  'tags',
  {
    name: text('name').notNull(),
    color: text('color').notNull(),
    groupId: uuid('group_id'),
    isActive: boolean('is_active').notNull().default(true),
    ...versioned(),
  },
  (t) => [
    uniqueIndex('tags_name').on(t.tenantId, sql`lower(${t.name})`),
    index('tags_group').on(t.tenantId, t.groupId),
    refers(t, t.groupId, () => tagGroups, 'set null'),
  ],
)
