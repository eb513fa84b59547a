import { integer, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, tenantTable, updatedAt } from '../columns.ts'

/** Phones, as contacts have them, whose messages are not attended. */
export const blockedNumbers = tenantTable(
  'blocked_numbers',
  {
    number: text('number').notNull(),
    reason: text('reason').notNull().default(''),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex('blocked_numbers_number').on(t.tenantId, t.number)],
)
