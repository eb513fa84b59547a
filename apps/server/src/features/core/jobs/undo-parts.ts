import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { bulkJobs, jobParts } from '../../../db/schema/operations/bulk-jobs.ts'
import type { Step } from './job-kinds.ts'

/** Keeps what this step changed with the job, for the kind that takes it back. */
export const keepForUndo = async ({ tx, job }: Pick<Step<unknown>, 'tx' | 'job'>, changed: unknown[]) => {
  if (!changed.length) return
  const { tenantId } = tx
  const place = job.done + job.failed
  await tx.db.insert(jobParts).values({ tenantId, jobId: job.id, place, body: JSON.stringify(changed) })
  if (job.hasResult) return
  await tx.db
    .update(bulkJobs)
    .set({ hasResult: true })
    .where(and(eq(bulkJobs.tenantId, tenantId), eq(bulkJobs.id, job.id)))
}

/** What a step of the job that is taken back kept, after this cursor. */
export const nextKept = async (
  tx: Tx,
  { id, cursor }: { id: string; cursor: string | null },
): Promise<{ place: number; changed: unknown } | undefined> => {
  const [part] = await tx.db
    .select({ place: jobParts.place, changed: sql<unknown>`${jobParts.body}::jsonb` })
    .from(jobParts)
    .where(
      and(eq(jobParts.tenantId, tx.tenantId), eq(jobParts.jobId, id), gt(jobParts.place, cursor ? Number(cursor) : -1)),
    )
    .orderBy(asc(jobParts.place))
    .limit(1)
  return part
}
