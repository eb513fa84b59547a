import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { bulkJobs } from '../../../db/schema/operations/bulk-jobs.ts'
import { emit } from '../../../kit/outbox.ts'

export type JobRow = typeof bulkJobs.$inferSelect

/** Writes what became of a locked job and tells whoever asked for it. */
export const saveJob = async (tx: Tx, before: JobRow, change: Partial<JobRow>): Promise<BulkJob> => {
  const job = presentJob({ ...before, ...change })
  await tx.db
    .update(bulkJobs)
    .set(change)
    .where(and(eq(bulkJobs.tenantId, tx.tenantId), eq(bulkJobs.id, before.id)))
  await emit(tx, 'job.updated', job, { kind: 'user', userId: before.userId })
  return job
}

export const presentJob = (row: JobRow): BulkJob => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  total: row.total,
  done: row.done,
  failed: row.failed,
  error: row.error,
  createdAt: row.createdAt.toISOString(),
  finishedAt: row.finishedAt?.toISOString() ?? null,
})
