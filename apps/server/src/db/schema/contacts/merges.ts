import { sql } from 'drizzle-orm'
import { index, jsonb, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantTable } from '../columns.ts'
import { contacts } from './contacts.ts'

/** Two contacts made one: everything needed to make them two again. */
export const contactMerges = tenantTable(
  'contact_merges',
  {
    keptId: uuid('kept_id').notNull(),
    mergedId: uuid('merged_id').notNull(),
    moved: jsonb('moved').$type<ContactMergeMoved>().notNull(),
    /** Null: its provider said that they are one person. */
    userId: uuid('user_id'),
    undoneAt: moment('undone_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('contact_merges_kept').on(t.tenantId, t.keptId, t.createdAt),
    uniqueIndex('contact_merges_merged').on(t.tenantId, t.mergedId).where(sql`${t.undoneAt} is null`),
    refers(t, t.keptId, () => contacts, 'cascade'),
    refers(t, t.mergedId, () => contacts, 'cascade'),
  ],
)

/** What a merge took from the one and changed in the other. */
export type ContactMergeMoved = {
  identities: { kind: string; value: string }[]
  ticketIds: string[]
  scheduleIds: string[]
  taskIds: string[]
  opportunityIds: string[]
  /** Questions for a grade that ended, because the kept contact had one open on the same connection. */
  expiredRatingIds: string[]
  /** Tags and owners the kept contact did not have. */
  tagIds: string[]
  walletIds: string[]
  /** Fields of the kept contact the merge changed, as they were and as it left them. */
  before: Record<string, unknown>
  after: Record<string, unknown>
  /** The number of the merged contact, which another may not have meanwhile. */
  number: string | null
}
