import { sql } from 'drizzle-orm'
import { boolean, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { tenantTable, versioned } from '../columns.ts'

export const tags = tenantTable(
  'tags',
  {
    name: text('name').notNull(),
    color: text('color').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    ...versioned(),
  },
  (t) => [uniqueIndex('tags_name').on(t.tenantId, sql`lower(${t.name})`)],
)
