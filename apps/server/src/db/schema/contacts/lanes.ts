import { sql } from 'drizzle-orm'
import { boolean, integer, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { tenantTable, versioned } from '../columns.ts'

export const lanes = tenantTable(
  'lanes',
  {
    name: text('name').notNull(),
    color: text('color').notNull(),
    position: integer('position').notNull(),
    limit: integer('limit'),
    isActive: boolean('is_active').notNull().default(true),
    ...versioned(),
  },
  (t) => [uniqueIndex('lanes_name').on(t.tenantId, sql`lower(${t.name})`)],
)
