import { and, eq, inArray } from 'drizzle-orm'
import { type Tx, withTenant } from '../../../db/database.ts'
import { bulkJobs, jobRefusals } from '../../../db/schema/operations/bulk-jobs.ts'
import { log } from '../../../kit/log.ts'
import { type Directory, getDirectory } from '../directory/directory.ts'
import {
  actorOf,
  type JobRow,
  kindOf,
  notAllowedAnyMore,
  type Refusal,
  type Step,
  type StepsKind,
  saveJob,
} from './job-kinds.ts'

/**
 * One step of a job: the items after its cursor are done and the cursor moves, in one transaction that holds the job's
 * row. So a process that dies leaves a whole number of steps behind, another goes on after the last, and two at once
 * never work on the same job. False when another has it.
 */
export const runStep = async (tenantId: number, jobId: string): Promise<boolean> => {
  const directory = await getDirectory(tenantId)
  try {
    return await withTenant(tenantId, (tx) => step(tx, directory, jobId))
  } catch (error) {
    // One item the database refuses must not hold up the others: they go one by one.
    log.warn({ err: error, tenantId, jobId }, 'job step undone')
    return withTenant(tenantId, (tx) => step(tx, directory, jobId, 1)).catch((again) =>
      withTenant(tenantId, (tx) => skipOne(tx, directory, jobId, again)),
    )
  }
}

const step = async (tx: Tx, directory: Directory, jobId: string, limit?: number): Promise<boolean> => {
  const job = await claim(tx, jobId)
  if (!job) return false
  const kind = stepsOf(job)
  const actor = actorOf(directory, job.userId, kind)
  if (!actor) return end(tx, job, { state: 'failed', error: notAllowedAnyMore })
  const now: Step<unknown> = { tx, directory, job, params: job.params, actor }
  const items = await kind.next(now, (!kind.isWhole && limit) || kind.stepSize)
  if (items === 'later') return putOff(tx, job)
  const last = items.at(-1)
  if (!last) {
    const told = await kind.finish(now)
    return end(tx, job, { state: 'done', total: job.done + job.failed, ...told })
  }
  const refused = await kind.act(now, items)
  const change: Partial<JobRow> = { state: 'running', cursor: last.cursor ?? last.id, claimedAt: new Date() }
  await countItems(tx, job, { many: items.length, refused }, change)
  return true
}

type Counted = { many: number; refused: Refusal[] }
/** Takes note of what became of so many items; of a job that has ended too, where they ended after it. */
export const countItems = async (tx: Tx, job: JobRow, { many, refused }: Counted, change: Partial<JobRow> = {}) => {
  await keepRefusals(tx, job, refused)
  const done = job.done + many - refused.length
  const failed = job.failed + refused.length
  await saveJob(tx, job, { ...change, done, failed, total: Math.max(job.total, done + failed) })
}

/** Behind the others that wait, until the next look. */
const putOff = async (tx: Tx, { id }: JobRow): Promise<boolean> => {
  await tx.db
    .update(bulkJobs)
    .set({ claimedAt: new Date() })
    .where(and(eq(bulkJobs.tenantId, tx.tenantId), eq(bulkJobs.id, id)))
  return false
}

const stepsOf = ({ kind }: JobRow): StepsKind => {
  const found = kindOf(kind)
  if (found.make) throw new Error(`${kind} is made whole`)
  return found
}

const claim = async (tx: Tx, jobId: string): Promise<JobRow | undefined> => {
  const [job] = await tx.db
    .select()
    .from(bulkJobs)
    .where(
      and(eq(bulkJobs.tenantId, tx.tenantId), eq(bulkJobs.id, jobId), inArray(bulkJobs.state, ['pending', 'running'])),
    )
    .for('update', { skipLocked: true })
  return job
}

const keepRefusals = async (tx: Tx, { id: jobId }: JobRow, refused: Refusal[]) => {
  if (!refused.length) return
  const { tenantId } = tx
  await tx.db
    .insert(jobRefusals)
    .values(refused.map((one) => ({ tenantId, jobId, ...one })))
    .onConflictDoNothing()
}

const end = async (tx: Tx, job: JobRow, change: Partial<JobRow>): Promise<boolean> => {
  await saveJob(tx, job, { ...change, finishedAt: new Date() })
  return true
}

/** The item that cannot be written is counted and passed over; where there is none, the loop tries again later. */
const skipOne = async (tx: Tx, directory: Directory, jobId: string, error: unknown): Promise<boolean> => {
  log.error({ err: error, tenantId: tx.tenantId, jobId }, 'job item failed')
  const job = await claim(tx, jobId)
  if (!job) return false
  const kind = stepsOf(job)
  const actor = kind.isWhole ? undefined : actorOf(directory, job.userId, kind)
  const items = actor ? await kind.next({ tx, directory, job, params: job.params, actor }, 1) : []
  const item = items === 'later' ? undefined : items[0]
  if (!item) throw error
  await keepRefusals(tx, job, [{ item: item.id, reason: 'Não foi possível gravar.' }])
  await saveJob(tx, job, {
    state: 'running',
    failed: job.failed + 1,
    cursor: item.cursor ?? item.id,
    claimedAt: new Date(),
  })
  return true
}
