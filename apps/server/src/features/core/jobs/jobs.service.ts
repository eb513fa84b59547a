import { Readable } from 'node:stream'
import type { BulkJob, BulkJobKind, JobRefusal } from '@balcao/contract/operations/bulk-jobs.ts'
import { and, asc, count, desc, eq, min } from 'drizzle-orm'
import { type Tx, withTenant } from '../../../db/database.ts'
import { bulkJobs, jobParts, jobRefusals } from '../../../db/schema/operations/bulk-jobs.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { type JobRow, kindOf, presentJob, saveJob } from './job-kinds.ts'
import { wakeJobs } from './jobs.loop.ts'

type NewJob = {
  kind: BulkJobKind
  params: Record<string, unknown>
  total: number
  /** What the company reads about it; else the job and what it was asked for. */
  audit?: Parameters<typeof writeAudit>[2]
}

/** Puts work over many rows on the list; the runner begins right after. */
export const enqueueJob = async (tx: Tx, actor: Actor, { kind, params, total, audit }: NewJob): Promise<BulkJob> => {
  const [row] = await tx.db
    .insert(bulkJobs)
    .values({ tenantId: tx.tenantId, kind, params, total, userId: actor.userId })
    .returning()
  if (!row) throw new AppError('ERR_INTERNAL')
  await writeAudit(
    tx,
    actor,
    audit ?? { action: `bulk.${kind}`, entity: 'bulkJob', entityId: row.id, after: { total, ...params } },
  )
  const job = presentJob(row)
  await emit(tx, 'job.updated', job, { kind: 'user', userId: actor.userId })
  tx.afterCommit(wakeJobs)
  return job
}

const recent = 20
/** What this person asked for lately, newest first. */
export const listJobs = (actor: Actor) =>
  withTenant(actor.tenantId, async (tx) => {
    const rows = await tx.db
      .select()
      .from(bulkJobs)
      .where(and(eq(bulkJobs.tenantId, tx.tenantId), eq(bulkJobs.userId, actor.userId)))
      .orderBy(desc(bulkJobs.createdAt), desc(bulkJobs.id))
      .limit(recent)
    return { items: rows.map(presentJob), hasMore: false, nextCursor: null }
  })

const ofActor = (tx: Tx, actor: Actor, jobId: string) =>
  and(eq(bulkJobs.tenantId, tx.tenantId), eq(bulkJobs.id, jobId), eq(bulkJobs.userId, actor.userId))

export const getJob = (actor: Actor, jobId: string): Promise<BulkJob> =>
  withTenant(actor.tenantId, async (tx) => presentJob(await getOwn(tx, actor, jobId)))

const getOwn = async (tx: Tx, actor: Actor, jobId: string): Promise<JobRow> => {
  const [row] = await tx.db
    .select()
    .from(bulkJobs)
    .where(ofActor(tx, actor, jobId))
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return row
}

/** Waits for the step under way, a second at most; what was done stays done. */
const change = (actor: Actor, jobId: string, from: JobRow['state'][], to: Partial<JobRow>): Promise<BulkJob> =>
  withTenant(actor.tenantId, async (tx) => {
    const [before] = await tx.db
      .select()
      .from(bulkJobs)
      .where(ofActor(tx, actor, jobId))
      .for('update')
    if (!before) throw new AppError('ERR_NOT_FOUND')
    if (!from.includes(before.state)) return presentJob(before)
    tx.afterCommit(wakeJobs)
    return saveJob(tx, before, to)
  })

export const cancelJob = (actor: Actor, jobId: string) =>
  change(actor, jobId, ['pending', 'running', 'paused'], { state: 'canceled', finishedAt: new Date() })
export const pauseJob = (actor: Actor, jobId: string) =>
  change(actor, jobId, ['pending', 'running'], { state: 'paused' })
export const resumeJob = (actor: Actor, jobId: string) => change(actor, jobId, ['paused'], { state: 'pending' })

const mostReasons = 20
/** Why some could not be done: each reason with how many, and one of them. */
export const listRefusals = (actor: Actor, jobId: string): Promise<JobRefusal[]> =>
  withTenant(actor.tenantId, async (tx) => {
    await getOwn(tx, actor, jobId)
    const many = count()
    return tx.db
      .select({ reason: jobRefusals.reason, count: many, example: min(jobRefusals.item) })
      .from(jobRefusals)
      .where(and(eq(jobRefusals.tenantId, tx.tenantId), eq(jobRefusals.jobId, jobId)))
      .groupBy(jobRefusals.reason)
      .orderBy(desc(many), asc(jobRefusals.reason))
      .limit(mostReasons)
  })

/** The file a job made, part by part, while whoever asked may still have it. */
export const openResult = async (actor: Actor, jobId: string): Promise<Readable> => {
  const { kind, hasResult } = await getJob(actor, jobId)
  if (!hasResult) throw new AppError('ERR_NOT_FOUND')
  if (!actor.permissions.has(kindOf(kind).can)) throw new AppError('ERR_NO_PERMISSION')
  return Readable.from(parts(actor.tenantId, jobId))
}
async function* parts(tenantId: number, jobId: string) {
  for (let place = 0; ; place += 1) {
    const [part] = await withTenant(tenantId, (tx) =>
      tx.db
        .select({ body: jobParts.body })
        .from(jobParts)
        .where(and(eq(jobParts.tenantId, tenantId), eq(jobParts.jobId, jobId), eq(jobParts.place, place))),
    )
    if (!part) return
    yield part.body
  }
}
