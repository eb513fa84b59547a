import { bulkJobKinds, bulkJobStates } from '@balcao/contract/operations/bulk-jobs.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantLink, tenantTable } from '../columns.ts'
import { files } from '../core/files.ts'
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
    /** What it is about, where that is one thing. */
    subject: text('subject'),
    hasResult: boolean('has_result').notNull().default(false),
    /** The file it made whole; one made step by step lies in its parts. */
    resultFileId: uuid('result_file_id'),
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
    index('bulk_jobs_of_user').on(t.tenantId, t.userId, t.createdAt, t.id),
    refers(t, t.userId, () => users),
    refers(t, t.resultFileId, () => files),
  ],
)

/** What a job could not do to one item, and why. */
export const jobRefusals = tenantLink(
  'job_refusals',
  { jobId: uuid('job_id').notNull(), item: text('item').notNull(), reason: text('reason').notNull() },
  (t) => [primaryKey({ columns: [t.tenantId, t.jobId, t.item] }), refers(t, t.jobId, () => bulkJobs, 'cascade')],
)

/** The file a job makes, step by step: each part commits with the step that wrote it. */
export const jobParts = tenantLink(
  'job_parts',
  { jobId: uuid('job_id').notNull(), place: integer('place').notNull(), body: text('body').notNull() },
  (t) => [primaryKey({ columns: [t.tenantId, t.jobId, t.place] }), refers(t, t.jobId, () => bulkJobs, 'cascade')],
)
