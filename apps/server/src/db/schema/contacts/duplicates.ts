import { duplicateReasons } from '@balcao/contract/contacts/duplicates.ts'
import { index, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { moment, refers, tenantLink, tenantTable } from '../columns.ts'
import { contacts } from './contacts.ts'

/** Two contacts that may be one person, and why; `a` is the one that was here first. */
export const duplicatePairs = tenantLink(
  'duplicate_pairs',
  {
    aId: uuid('a_id').notNull(),
    bId: uuid('b_id').notNull(),
    reasons: text('reasons', { enum: duplicateReasons }).array().notNull(),
    /** `apart`: somebody said that they are two; it stays so until somebody takes it back. */
    state: text('state', { enum: ['open', 'apart'] })
      .notNull()
      .default('open'),
    /** When they were found, or kept apart. */
    at: moment('at').notNull().defaultNow(),
    userId: uuid('user_id'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.aId, t.bId] }),
    index('duplicate_pairs_list').on(t.tenantId, t.state, t.at, t.aId, t.bId),
    index('duplicate_pairs_other').on(t.tenantId, t.bId),
    refers(t, t.aId, () => contacts, 'cascade'),
    refers(t, t.bId, () => contacts, 'cascade'),
  ],
)

/**
 * Contacts that are to be compared with the others: new, or with something new to compare. Written by triggers, gone
 * within seconds: without a reference, so that whoever writes contacts pays for nothing but the row.
 */
export const duplicateChecks = tenantTable('duplicate_checks', { contactId: uuid('contact_id').notNull() })
