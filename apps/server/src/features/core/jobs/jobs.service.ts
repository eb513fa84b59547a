import { Readable } from 'node:stream'
import type { BulkJob, BulkJobKind, bulkJobsQuery, JobRefusal } from '@balcao/contract/operations/bulk-jobs.ts'
import { bulkJobTitles } from '@balcao/contract/operations/job-titles.ts'
import { and, asc, count, desc, eq, min, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import { bulkJobs, jobParts, jobRefusals } from '../../../db/schema/operations/bulk-jobs.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { AppError } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { storage } from '../../../kit/storage.ts'
import { findFile } from '../media/media.service.ts'
import { canRetry, type JobRow, jobAudience, kindOf, presentJob, saveJob } from './job-kinds.ts'
import { wakeJobs } from './jobs.loop.ts'
import { countKept } from './undo-parts.ts'

type NewJob = {
  /** Of whoever asked for it: asked again, it is on the list already. */
  id?: string
  kind: BulkJobKind
  params: Record<string, unknown>
  total: number
  /** What it is about, where that is one thing. */
  subject?: string
  /** What the company reads about it; else the job and what it was asked for. */
  audit?: Parameters<typeof writeAudit>[2]
}

/** Puts work over many rows on the list; the runner begins right after. */
export const enqueueJob = async (
  tx: Tx,
  actor: Pick<Actor, 'userId' | 'impersonatorId'>,
  { id, kind, params, total, subject, audit }: NewJob,
): Promise<BulkJob> => {
  const [row] = await tx.db
    .insert(bulkJobs)
    .values({ tenantId: tx.tenantId, id, kind, params, total, subject, userId: actor.userId })
    .returning()
  if (!row) throw new AppError('ERR_INTERNAL')
  await writeAudit(
    tx,
    actor,
    audit ?? { action: `bulk.${kind}`, entity: 'bulkJob', entityId: row.id, after: { total, ...params } },
  )
  const job = presentJob(row)
  await emit(tx, 'job.updated', job, jobAudience(actor.userId))
  tx.afterCommit(wakeJobs)
  return job
}

const pageSize = 20
/** What this person asked for lately, or everybody, newest first. */
export const listJobs = (actor: Actor, { scope, cursor, limit = pageSize }: z.output<typeof bulkJobsQuery>) =>
  withTenant(actor.tenantId, async (tx) => {
    if (scope === 'all' && !actor.permissions.has('jobs.supervise')) throw new AppError('ERR_NO_PERMISSION')
    const after = cursor ? readCursor(cursor, cursorKey) : undefined
    const rows = await tx.db
      .select()
      .from(bulkJobs)
      .where(
        and(
          eq(bulkJobs.tenantId, tx.tenantId),
          scope === 'mine' ? eq(bulkJobs.userId, actor.userId) : undefined,
          after && sql`(${bulkJobs.createdAt}, ${bulkJobs.id}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`,
        ),
      )
      .orderBy(desc(bulkJobs.createdAt), desc(bulkJobs.id))
      .limit(limit + 1)
    const { items, ...more } = toPage(rows, limit, (row) => [row.createdAt.toISOString(), row.id])
    return { ...more, items: items.map(presentJob) }
  })
const cursorKey = z.tuple([z.iso.datetime(), z.uuid()])

/** One's own; of a company, for who looks after its jobs. */
const seenBy = (tx: Tx, { userId, permissions }: Actor, jobId: string) =>
  and(
    eq(bulkJobs.tenantId, tx.tenantId),
    eq(bulkJobs.id, jobId),
    permissions.has('jobs.supervise') ? undefined : eq(bulkJobs.userId, userId),
  )

export const getJob = (actor: Actor, jobId: string): Promise<BulkJob> =>
  withTenant(actor.tenantId, async (tx) => presentJob(await getSeen(tx, actor, jobId)))

/** A job nobody else changes until this transaction ends. */
export const lockJob = async (tx: Tx, jobId: string): Promise<JobRow | undefined> => {
  const [row] = await tx.db
    .select()
    .from(bulkJobs)
    .where(and(eq(bulkJobs.tenantId, tx.tenantId), eq(bulkJobs.id, jobId)))
    .for('update')
  return row
}

const getSeen = async (tx: Tx, actor: Actor, jobId: string): Promise<JobRow> =>
  found(
    await tx.db
      .select()
      .from(bulkJobs)
      .where(seenBy(tx, actor, jobId)),
  )
const lockSeen = async (tx: Tx, actor: Actor, jobId: string): Promise<JobRow> =>
  found(
    await tx.db
      .select()
      .from(bulkJobs)
      .where(seenBy(tx, actor, jobId))
      .for('update'),
  )
const found = ([row]: JobRow[]): JobRow => {
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return row
}

type Change = { verb: 'canceled' | 'paused' | 'resumed'; from: JobRow['state'][]; to: Partial<JobRow> }
/** Waits for the step under way, a second at most; what was done stays done. */
const change = (actor: Actor, jobId: string, { verb, from, to }: Change): Promise<BulkJob> =>
  withTenant(actor.tenantId, async (tx) => {
    const before = await lockSeen(tx, actor, jobId)
    if (!from.includes(before.state)) return presentJob(before)
    if (verb === 'paused' && kindOf(before.kind).make)
      throw new AppError('ERR_CONFLICT', { message: 'Isto não pode ser pausado. Cancele e peça de novo.' })
    tx.afterCommit(wakeJobs)
    await writeAudit(tx, actor, {
      action: `job.${verb}`,
      entity: 'bulkJob',
      entityId: jobId,
      after: { name: jobNameOf(before) },
    })
    return saveJob(tx, before, to)
  })

export const cancelJob = (actor: Actor, jobId: string) =>
  change(actor, jobId, {
    verb: 'canceled',
    from: ['pending', 'running', 'paused'],
    to: { state: 'canceled', finishedAt: new Date() },
  })
export const pauseJob = (actor: Actor, jobId: string) =>
  change(actor, jobId, { verb: 'paused', from: ['pending', 'running'], to: { state: 'paused' } })
export const resumeJob = (actor: Actor, jobId: string) =>
  change(actor, jobId, { verb: 'resumed', from: ['paused'], to: { state: 'pending' } })

/** Puts the way back on the list, with what was kept for it; once. */
export const undoJob = (actor: Actor, jobId: string): Promise<BulkJob> =>
  withTenant(actor.tenantId, async (tx) => {
    const before = await lockSeen(tx, actor, jobId)
    const { undoneBy, can } = kindOf(before.kind)
    if (!undoneBy || !before.hasResult || !before.finishedAt)
      throw new AppError('ERR_CONFLICT', { message: 'Isto não pode mais ser desfeito.' })
    if (!actor.permissions.has(can)) throw new AppError('ERR_NO_PERMISSION')
    await saveJob(tx, before, { hasResult: false })
    const undo = await enqueueJob(tx, actor, {
      ...{
        kind: undoneBy,
        params: before.params,
        total: await countKept(tx, jobId),
        subject: before.subject ?? undefined,
      },
      audit: { action: 'job.undone', entity: 'bulkJob', entityId: jobId, after: { name: jobNameOf(before) } },
    })
    await tx.db
      .update(jobParts)
      .set({ jobId: undo.id })
      .where(and(eq(jobParts.tenantId, tx.tenantId), eq(jobParts.jobId, jobId)))
    return undo
  })

/** What it could not do as a job of its own; once. */
export const retryJob = (actor: Actor, jobId: string): Promise<BulkJob> =>
  withTenant(actor.tenantId, async (tx) => {
    const before = await lockSeen(tx, actor, jobId)
    const { retry, can } = kindOf(before.kind)
    if (!retry || !canRetry(before)) throw new AppError('ERR_CONFLICT', { message: 'Não há nada para tentar de novo.' })
    if (!actor.permissions.has(can)) throw new AppError('ERR_NO_PERMISSION')
    const again = await retry(tx, actor, before)
    if (!again) throw new AppError('ERR_CONFLICT', { message: 'Tentar de novo não ajudaria aqui. Confira os motivos.' })
    await saveJob(tx, before, { params: { ...before.params, retriedBy: again.id } })
    return again
  })
export const jobNameOf = ({ kind, subject }: JobRow) => [bulkJobTitles[kind], subject].filter(Boolean).join(' · ')

const mostReasons = 20
/** Why some could not be done: each reason with how many, and one of them. */
export const listRefusals = (actor: Actor, jobId: string): Promise<JobRefusal[]> =>
  withTenant(actor.tenantId, async (tx) => {
    await getSeen(tx, actor, jobId)
    const many = count()
    return tx.db
      .select({ reason: jobRefusals.reason, count: many, example: min(jobRefusals.item) })
      .from(jobRefusals)
      .where(and(eq(jobRefusals.tenantId, tx.tenantId), eq(jobRefusals.jobId, jobId)))
      .groupBy(jobRefusals.reason)
      .orderBy(desc(many), asc(jobRefusals.reason))
      .limit(mostReasons)
  })

export type Result = { name: string; mime: string; stream: Readable }
/** The file a job made, for whoever asked, while they may still have it. */
export const openResult = async (actor: Actor, jobId: string): Promise<Result> => {
  const job = await withTenant(actor.tenantId, (tx) => getSeen(tx, actor, jobId))
  const kind = kindOf(job.kind)
  if (!job.hasResult || kind.undoneBy || job.userId !== actor.userId) throw new AppError('ERR_NOT_FOUND')
  if (!actor.permissions.has(kind.can)) throw new AppError('ERR_NO_PERMISSION')
  if (!kind.make)
    return {
      name: 'exportacao.csv',
      mime: 'text/csv; charset=utf-8',
      stream: Readable.from(parts(job.tenantId, jobId)),
    }
  await kind.check(actor, job.params)
  const file = job.resultFileId && (await findFile(actor.tenantId, job.resultFileId))
  if (!file) throw new AppError('ERR_NOT_FOUND')
  return { name: file.name, mime: file.mime, stream: await (await storage()).read(file.key) }
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
