import type { BulkJob, BulkJobKind } from '@balcao/contract/operations/bulk-jobs.ts'
import type { Permission } from '@balcao/contract/permissions.ts'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tx } from '../../../db/database.ts'
import { bulkJobs } from '../../../db/schema/operations/bulk-jobs.ts'
import type { Actor } from '../../../kit/actor.ts'
import { emit } from '../../../kit/outbox.ts'
import type { Directory } from '../directory/directory.ts'

export type JobRow = typeof bulkJobs.$inferSelect
/** Whoever asked, as they are now. */
export type JobActor = Pick<Actor, 'tenantId' | 'userId' | 'name' | 'profile' | 'permissions'>
/** One step, in a transaction that holds the job's row. */
export type Step<Params> = { tx: Tx; directory: Directory; job: JobRow; params: Params; actor: JobActor }
/** Work goes on after the last one's cursor; without one, after its id. */
type Item = { id: string; cursor?: string }
/** What could not be done to an item, in Portuguese. */
export type Refusal = { item: string; reason: string }

type Definition<Params, One extends Item> = {
  kind: BulkJobKind
  /** What whoever asked must still be allowed to; else the job ends. */
  can: Permission
  /** What it needs to know, as it is kept in its row. */
  params: z.ZodType<Params>
  stepSize: number
  /** All of it or none: no item is ever passed over because it cannot be written. */
  isWhole?: boolean
  /** The next items after `job.cursor`, locked where they change; none: it is done. */
  next: (step: Step<Params>, limit: number) => Promise<One[]>
  /** Does it to them. What is refused is counted and told; any other error undoes the step. */
  act: (step: Step<Params>, items: One[]) => Promise<Refusal[]>
  /** Once nothing is left; what else is to be said of the job. */
  finish?: (step: Step<Params>) => Promise<Partial<JobRow> | undefined>
}
/** A definition whose own types the runner need not know. */
export type JobKind = Pick<Definition<unknown, Item>, 'kind' | 'can' | 'stepSize' | 'isWhole'> & {
  next: (step: Step<unknown>, limit: number) => Promise<Item[]>
  act: (step: Step<unknown>, items: Item[]) => Promise<Refusal[]>
  finish: (step: Step<unknown>) => Promise<Partial<JobRow> | undefined>
}

/** Work over many rows of any sort: what comes next, what is done to it, what is left at the end. */
export const defineJob = <Params, One extends Item>(definition: Definition<Params, One>): JobKind => {
  const { kind, can, stepSize, isWhole, params, next, act, finish } = definition
  const known = (step: Step<unknown>): Step<Params> => ({ ...step, params: params.parse(step.params) })
  return {
    ...{ kind, can, stepSize, isWhole },
    next: (step, limit) => next(known(step), limit),
    act: (step, items) => act(known(step), items as One[]), // what `next` of this very definition gave
    finish: async (step) => finish?.(known(step)),
  }
}

const kinds = new Map<string, JobKind>()
/** The kinds there are, handed in by the one file that knows all features. */
export const registerJobs = (given: JobKind[]) => {
  for (const one of given) kinds.set(one.kind, one)
}
export const kindOf = (kind: string): JobKind => {
  const found = kinds.get(kind)
  if (!found) throw new Error(`No job of kind ${kind}`)
  return found
}

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
  hasResult: row.hasResult,
  createdAt: row.createdAt.toISOString(),
  finishedAt: row.finishedAt?.toISOString() ?? null,
})
