import { bulkJobKinds, bulkJobStates } from '@balcao/contract/operations/bulk-jobs.ts'
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantTable } from '../columns.ts'
import { users } from '../people/users.ts'

/** Work over many rows that somebody asked for and watches. */
export const bulkJobs = tenantTable(
  'bulk_jobs',
  {
    kind: text('kind', { enum: bulkJobKinds }).notNull(),
    params: jsonb('params').$type<Record<string, unknown>>().notNull(),
    state: text('state', { enum: bulkJobStates }).notNull().default('pending'),
    total: integer('total').notNull().default(0),
    done: integer('done').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    error: text('error'),
    /** The last row handled: work goes on after it. */
    cursor: text('cursor'),
    userId: uuid('user_id').notNull(),
    claimedAt: moment('claimed_at'),
    finishedAt: moment('finished_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('bulk_jobs_recent').on(t.tenantId, t.createdAt, t.id),
    index('bulk_jobs_todo').on(t.createdAt).where(sql`${t.state} in ('pending', 'running')`),
    refers(t, t.userId, () => users),
  ],
)
