import { text, uniqueIndex } from 'drizzle-orm/pg-core'
import { tenantTable, versioned } from '../columns.ts'

/** Phones, as contacts have them, whose messages are not attended. */
export const blockedNumbers = tenantTable(
  'blocked_numbers',
  {
    number: text('number').notNull(),
    reason: text('reason').notNull().default(''),
    ...versioned(),
  },
  (t) => [uniqueIndex('blocked_numbers_number').on(t.tenantId, t.number)],
)
