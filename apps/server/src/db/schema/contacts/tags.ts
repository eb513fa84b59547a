import { sql } from 'drizzle-orm'
import { boolean, integer, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, tenantTable, updatedAt } from '../columns.ts'

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
