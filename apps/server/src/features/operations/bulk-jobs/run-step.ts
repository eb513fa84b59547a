import type { Ticket, TicketPatch } from '@balcao/contract/conversations/tickets.ts'
import type { bulkJobKinds } from '@balcao/contract/operations/bulk-jobs.ts'
import { and, eq, inArray } from 'drizzle-orm'
import { type Tx, withTenant } from '../../../db/database.ts'
import { bulkJobs } from '../../../db/schema/operations/bulk-jobs.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { commitTicketChanges, type TicketChange } from '../../conversations/tickets/commit-ticket-changes.ts'
import { getTarget, planMove } from '../../conversations/tickets/hand-over.ts'
import { planChange, planForcedClose, toCommit } from '../../conversations/tickets/ticket-changes.ts'
import { findTickets } from '../../conversations/tickets/ticket-rows.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { type JobParams, jobParams, nextSelected } from './bulk-selection.ts'
import { type JobRow, saveJob } from './job-row.ts'
import { replaceStep } from './replace.service.ts'
import { isReplacing } from './replaceable.ts'

const stepSize = 25

/**
 * One step of a job: the conversations after its cursor are changed and the cursor moves, in one transaction that holds
 * the job's row. So a process that dies leaves a whole number of steps behind, another goes on after the last, and two at
 * once never work on the same job. False when another has it.
 */
export const runStep = async (tenantId: number, jobId: string): Promise<boolean> => {
  const directory = await getDirectory(tenantId)
  try {
    return await withTenant(tenantId, (tx) => step(tx, directory, jobId, stepSize))
  } catch (error) {
    // One conversation the database refuses must not hold up the others: they go one by one.
    log.warn({ err: error, tenantId, jobId }, 'bulk job step undone')
    return withTenant(tenantId, (tx) => step(tx, directory, jobId, 1)).catch((again) =>
      withTenant(tenantId, (tx) => skipOne(tx, directory, jobId, again)),
    )
  }
}

const step = async (tx: Tx, directory: Directory, jobId: string, limit: number): Promise<boolean> => {
  const job = await claim(tx, jobId)
  if (!job) return false
  const actor = actorOf(directory, job.userId)
  if (!actor)
    return end(tx, job, { state: 'failed', error: 'Quem pediu esta ação não tem mais acesso aos atendimentos.' })
  if (isReplacing(job.kind)) return replaceStep(tx, { ...job, kind: job.kind })
  const params = jobParams.parse(job.params)
  const ids = await nextOf(tx, directory, job, params, limit)
  const last = ids.at(-1)
  if (!last) return end(tx, job, { state: 'done', total: job.done + job.failed })

  const plan = await planOf(tx, directory, actor, job.kind, params)
  const tickets = await findTickets(tx, ids)
  const changes: TicketChange[] = []
  let failed = ids.length - tickets.length
  for (const ticket of tickets) {
    try {
      const change = await plan(ticket)
      if (change) changes.push({ ...change, cause: { kind: 'job', id: job.id } })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      failed += 1
    }
  }
  await commitTicketChanges(tx, changes, byUser(actor))
  const done = job.done + ids.length - failed
  await saveJob(tx, job, {
    state: 'running',
    done,
    failed: job.failed + failed,
    total: Math.max(job.total, done + job.failed + failed),
    cursor: last,
    claimedAt: new Date(),
  })
  return true
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

const nextOf = (tx: Tx, directory: Directory, job: JobRow, params: JobParams, limit: number) =>
  nextSelected(tx, { directory, userId: job.userId }, params.selection, {
    after: job.cursor,
    before: job.createdAt,
    limit,
  })

const end = async (tx: Tx, job: JobRow, change: Partial<JobRow>): Promise<boolean> => {
  await saveJob(tx, job, { ...change, finishedAt: new Date() })
  return true
}

/** The conversation that cannot be written is counted and passed over. */
const skipOne = async (tx: Tx, directory: Directory, jobId: string, error: unknown): Promise<boolean> => {
  log.error({ err: error, tenantId: tx.tenantId, jobId }, 'bulk job row failed')
  const job = await claim(tx, jobId)
  if (!job) return false
  if (isReplacing(job.kind)) throw error // nothing to pass over: the loop tries again later
  const [id] = await nextOf(tx, directory, job, jobParams.parse(job.params), 1)
  if (!id) return false
  await saveJob(tx, job, { state: 'running', failed: job.failed + 1, cursor: id, claimedAt: new Date() })
  return true
}

type JobActor = Pick<Actor, 'tenantId' | 'userId' | 'name'>
/** Whoever asked, as they are now: what they may no longer do is no longer done in their name. */
const actorOf = (directory: Directory, userId: string): JobActor | undefined => {
  const person = directory.people.get(userId)
  if (!person || person.isBlocked || !person.permissions.has('tickets.write')) return undefined
  return { tenantId: directory.tenantId, userId, name: person.name }
}

/** What becomes of one locked conversation; an error refuses it. */
const planOf = async (
  tx: Tx,
  directory: Directory,
  actor: JobActor,
  kind: (typeof bulkJobKinds)[number],
  params: JobParams,
): Promise<(ticket: Ticket) => Promise<TicketChange | undefined>> => {
  if (kind === 'moveChannel') {
    const target = await getTarget(tx, params.newWhatsappId ?? '')
    return (ticket) => planMove(tx, ticket, target, actor)
  }
  return async (ticket) => {
    const isForced = kind === 'closeTickets' && params.reasonId === undefined
    const change = isForced
      ? planForcedClose(ticket, actor)
      : planChange(ticket, patchFor(kind, ticket, params, directory), actor, directory)
    return toCommit(ticket, change)
  }
}
/** What whoever asked would have sent for this one. */
const patchFor = (kind: JobRow['kind'], ticket: Ticket, params: JobParams, { tags }: Directory): TicketPatch => {
  if (kind === 'markRead') return { unreadMessages: 0 }
  if (kind === 'closeTickets') return { status: 'closed', reasonId: params.reasonId ?? undefined }
  if (kind !== 'tagTickets') return transferOf(params)
  const added = (params.tagIds ?? []).filter((id) => tags.has(id))
  return { tagIds: [...new Set([...ticket.tags.map((tag) => tag.id), ...added])] }
}
const transferOf = ({ destinationQueueId: queueId, userId }: JobParams) =>
  userId ? { queueId, userId, isTransference: true } : { queueId }
