import { and, eq } from 'drizzle-orm'
import { type Prepared, withTenant } from '../../../db/database.ts'
import { bulkJobs } from '../../../db/schema/operations/bulk-jobs.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { getDirectory } from '../directory/directory.ts'
import { storeFile } from '../media/media.service.ts'
import { actorOf, type JobRow, type MakingKind, notAllowedAnyMore, saveJob } from './job-kinds.ts'

/** How often it says how far it is, and hears whether it is still wanted. */
const beatMs = 1_000
/** One that was not heard of for so long lost its process. */
export const lostAfterS = 30
/** One that takes its process down each time is given up. */
const mostBeginnings = 3

/**
 * Makes the file of a job: no transaction is open meanwhile, its row says that somebody has it. A process that dies over it
 * leaves it to another, which begins anew. False when another has it.
 */
export const makeFile = async (
  tenantId: number,
  jobId: string,
  kind: MakingKind,
  ending: AbortSignal,
): Promise<boolean> => {
  const job = await begin(tenantId, jobId)
  if (!job) return false
  const settle = (change: Partial<JobRow>) => settleJob(job, { ...change, finishedAt: new Date() })
  const directory = await getDirectory(tenantId)
  const actor = actorOf(directory, job.userId, kind)
  if (!actor) return settle({ state: 'failed', error: notAllowedAnyMore })
  if (Number(job.cursor) > mostBeginnings) return settle({ state: 'failed', error: 'Não foi possível concluir.' })

  const unwanted = new AbortController()
  const signal = AbortSignal.any([unwanted.signal, ending])
  let now = { done: 0, total: job.total }
  const sayHowFar = async () => {
    try {
      if (!(await keep(job, now))) unwanted.abort(new AppError('ERR_UNAVAILABLE'))
    } catch (error) {
      log.warn({ err: error, tenantId, jobId }, 'job not kept')
    }
  }
  const beat = setInterval(() => void sayHowFar(), beatMs)
  try {
    const tell = (done: number, total: number) => {
      now = { done, total: Math.max(done, total) }
    }
    const { name, stream } = await kind.make({ jobId, directory, actor, params: job.params, signal, tell })
    const file = await storeFile({ tenantId, name, stream, isOurs: true })
    signal.throwIfAborted()
    clearInterval(beat)
    return await settle({ state: 'done', ...now, total: now.done, hasResult: true, resultFileId: file.id })
  } catch (error) {
    clearInterval(beat)
    if (ending.aborted) return release(job)
    if (unwanted.signal.aborted) return true
    if (!(error instanceof AppError)) log.error({ err: error, tenantId, jobId }, 'job file not made')
    return settle({ state: 'failed', error: error instanceof AppError ? error.message : 'Não foi possível concluir.' })
  } finally {
    clearInterval(beat)
  }
}

const mine = ({ tenantId, id }: JobRow) => and(eq(bulkJobs.tenantId, tenantId), eq(bulkJobs.id, id))

/** Its cursor counts how often it was begun. */
const begin = (tenantId: number, jobId: string): Promise<JobRow | undefined> =>
  withTenant(tenantId, async (tx) => {
    const [free] = await tx.rows<{ id: string }>(take, [tenantId, jobId])
    if (!free) return undefined
    const [row] = await tx.db
      .select()
      .from(bulkJobs)
      .where(and(eq(bulkJobs.tenantId, tenantId), eq(bulkJobs.id, jobId)))
    if (!row) return undefined
    const change = { state: 'running' as const, cursor: String(Number(row.cursor) + 1), claimedAt: new Date() }
    await saveJob(tx, row, change)
    return { ...row, ...change }
  })
const take: Prepared = {
  name: 'bulk_jobs_take',
  text: `select id from bulk_jobs where tenant_id = $1 and id = $2
    and (state = 'pending' or (state = 'running' and claimed_at < now() - interval '${lostAfterS} seconds'))
    for update skip locked`,
}

/** Says how far it is; false when it was canceled, or somebody else has it by now. */
const keep = (job: JobRow, { done, total }: Pick<JobRow, 'done' | 'total'>): Promise<boolean> =>
  withTenant(job.tenantId, async (tx) => {
    const [now] = await tx.db.select().from(bulkJobs).where(mine(job)).for('update')
    if (now?.state !== 'running' || now.cursor !== job.cursor) return false
    const claimedAt = new Date()
    if (now.done === done && now.total === total) await tx.db.update(bulkJobs).set({ claimedAt }).where(mine(job))
    else await saveJob(tx, now, { done, total, claimedAt })
    return true
  })

/** What ends, unless it was canceled meanwhile. */
const settleJob = (job: JobRow, change: Partial<JobRow>): Promise<boolean> =>
  withTenant(job.tenantId, async (tx) => {
    const [now] = await tx.db.select().from(bulkJobs).where(mine(job)).for('update')
    if (now?.state === 'running' && now.cursor === job.cursor) await saveJob(tx, now, change)
    return true
  })

/** This process ends: the next begins it anew, and that does not count against it. */
const release = (job: JobRow): Promise<boolean> =>
  settleJob(job, { state: 'pending', cursor: String(Number(job.cursor) - 1), done: 0 })
