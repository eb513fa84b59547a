import { and, asc, desc, eq, gt, lt, or, sql } from 'drizzle-orm'
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

/** How much there is to take back: not all of what was done changed something. */
export const countKept = async (tx: Tx, jobId: string): Promise<number> => {
  const [kept] = await tx.db
    .select({ many: sql<number>`coalesce(sum(json_array_length(${jobParts.body}::json)), 0)::int` })
    .from(jobParts)
    .where(and(eq(jobParts.tenantId, tx.tenantId), eq(jobParts.jobId, jobId)))
  return kept?.many ?? 0
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

/** The same one by one, the latest first, for what can only be taken back in the order it was done in. */
export const nextKeptBack = async (
  tx: Tx,
  { id, cursor }: { id: string; cursor: string | null },
  limit: number,
): Promise<{ one: unknown; cursor: string }[]> => {
  const [place, left] = cursor?.split(':').map(Number) ?? []
  const isBefore =
    place === undefined ? undefined : or(lt(jobParts.place, place), left ? eq(jobParts.place, place) : undefined)
  const [part] = await tx.db
    .select({ place: jobParts.place, changed: sql<unknown[]>`${jobParts.body}::jsonb` })
    .from(jobParts)
    .where(and(eq(jobParts.tenantId, tx.tenantId), eq(jobParts.jobId, id), isBefore))
    .orderBy(desc(jobParts.place))
    .limit(1)
  if (!part) return []
  const kept = part.place === place ? part.changed.slice(0, left) : part.changed
  return kept
    .map((one, at) => ({ one, cursor: `${part.place}:${at}` }))
    .reverse()
    .slice(0, limit)
}
