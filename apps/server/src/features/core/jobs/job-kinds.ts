import type { Readable } from 'node:stream'
import type { BulkJob, BulkJobKind } from '@balcao/contract/operations/bulk-jobs.ts'
import type { Permission } from '@balcao/contract/permissions.ts'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tx } from '../../../db/database.ts'
import { bulkJobs } from '../../../db/schema/operations/bulk-jobs.ts'
import type { Actor } from '../../../kit/actor.ts'
import { type Audience, emit } from '../../../kit/outbox.ts'
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
  /** Which of these is the id of the one thing it is about. */
  subjectParam?: keyof Params & string
  stepSize: number
  /** All of it or none: no item is ever passed over because it cannot be written. */
  isWhole?: boolean
  /** The kind that takes back what it did, from what it kept for that (`keepForUndo`). */
  undoneBy?: BulkJobKind
  /** Puts on the list again what it could not do; nothing where trying again cannot help. */
  retry?: (tx: Tx, actor: Actor, job: JobRow) => Promise<BulkJob | undefined>
  /** The next items after `job.cursor`, locked where they change; none: it is done; `later`: its turn is not now. */
  next: (step: Step<Params>, limit: number) => Promise<One[] | 'later'>
  /** Does it to them. What is refused is counted and told; any other error undoes the step. */
  act: (step: Step<Params>, items: One[]) => Promise<Refusal[]>
  /** Once nothing is left; what else is to be said of the job. */
  finish?: (step: Step<Params>) => Promise<Partial<JobRow> | undefined>
}
/** A file that is made whole, outside any transaction: a network or a process of its own takes part. */
export type Making<Params> = {
  jobId: string
  directory: Directory
  actor: JobActor
  params: Params
  /** Nobody wants it any more, or this process ends. */
  signal: AbortSignal
  /** How far it is. */
  tell: (done: number, total: number) => void
}
export type MadeFile = { name: string; stream: Readable }
type MakingDefinition<Params> = Pick<Definition<Params, Item>, 'kind' | 'can' | 'params' | 'subjectParam'> & {
  make: (making: Making<Params>) => Promise<MadeFile>
  /** Throws when whoever asked may no longer have the file. */
  check?: (actor: JobActor, params: Params) => Promise<unknown>
}

/** A definition whose own types the runner need not know. */
export type JobKind = StepsKind | MakingKind
export type MakingKind = Pick<Definition<unknown, Item>, 'kind' | 'can'> & {
  subjectParam?: string
  undoneBy?: never
  retry?: never
  make: (making: Making<unknown>) => Promise<MadeFile>
  check: (actor: JobActor, params: unknown) => Promise<unknown>
}
export type StepsKind = Pick<
  Definition<unknown, Item>,
  'kind' | 'can' | 'stepSize' | 'isWhole' | 'undoneBy' | 'retry'
> & {
  subjectParam?: string
  make?: never
  next: (step: Step<unknown>, limit: number) => Promise<Item[] | 'later'>
  act: (step: Step<unknown>, items: Item[]) => Promise<Refusal[]>
  finish: (step: Step<unknown>) => Promise<Partial<JobRow> | undefined>
}

/** Work over many rows of any sort: what comes next, what is done to it, what is left at the end. */
export const defineJob = <Params, One extends Item>(definition: Definition<Params, One>): StepsKind => {
  const { kind, can, stepSize, isWhole, undoneBy, retry, params, subjectParam, next, act, finish } = definition
  const known = (step: Step<unknown>): Step<Params> => ({ ...step, params: params.parse(step.params) })
  return {
    ...{ kind, can, stepSize, isWhole, undoneBy, retry, subjectParam },
    next: (step, limit) => next(known(step), limit),
    act: (step, items) => act(known(step), items as One[]), // what `next` of this very definition gave
    finish: async (step) => finish?.(known(step)),
  }
}

/** Work that ends in a file. One that was under way when its process died begins anew, with what it kept itself. */
export const defineMaking = <Params>({
  kind,
  can,
  params,
  subjectParam,
  make,
  check,
}: MakingDefinition<Params>): MakingKind => ({
  ...{ kind, can, subjectParam },
  make: (making) => make({ ...making, params: params.parse(making.params) }),
  check: async (actor, given) => check?.(actor, params.parse(given)),
})

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

export const makingKinds = (): string[] => [...kinds.values()].flatMap((one) => (one.make ? [one.kind] : []))

/** Whoever asked for it, and who looks after the company's. */
export const jobAudience = (userId: string): Audience => ({ kind: 'permission', can: 'jobs.supervise', userId })

/** Whoever asked, as they are now: what they may no longer do is no longer done in their name. */
export const actorOf = (directory: Directory, userId: string, { can }: JobKind): JobActor | undefined => {
  const person = directory.people.get(userId)
  if (!person || person.isBlocked || !person.permissions.has(can)) return undefined
  return {
    tenantId: directory.tenantId,
    userId,
    name: person.name,
    profile: person.profile,
    permissions: person.permissions,
  }
}
export const notAllowedAnyMore = 'Quem pediu esta ação não tem mais permissão para ela.'

/** Writes what became of a locked job and tells whoever watches it. */
export const saveJob = async (tx: Tx, before: JobRow, change: Partial<JobRow>): Promise<BulkJob> => {
  const job = presentJob({ ...before, ...change })
  await tx.db
    .update(bulkJobs)
    .set(change)
    .where(and(eq(bulkJobs.tenantId, tx.tenantId), eq(bulkJobs.id, before.id)))
  await emit(tx, 'job.updated', job, jobAudience(before.userId))
  return job
}

export const presentJob = (row: JobRow): BulkJob => ({
  id: row.id,
  kind: row.kind,
  subject: row.subject,
  subjectId: subjectIdOf(row),
  userId: row.userId,
  state: row.state,
  total: row.total,
  done: row.done,
  failed: row.failed,
  isInParts: row.params.isInParts === true,
  error: row.error,
  ...partsOf(row),
  canRetry: canRetry(row),
  canPause: !kindOf(row.kind).make,
  createdAt: row.createdAt.toISOString(),
  finishedAt: row.finishedAt?.toISOString() ?? null,
})

const subjectIdOf = ({ kind, params }: JobRow): string | null => {
  const name = kindOf(kind).subjectParam
  const found = name === undefined ? undefined : params[name]
  return typeof found === 'string' ? found : null
}

/** What a job keeps is a file to be fetched, or what it needs to be taken back. */
const partsOf = ({ kind, hasResult, finishedAt }: JobRow) => {
  const isForUndo = kindOf(kind).undoneBy !== undefined
  return { hasResult: hasResult && !isForUndo, canUndo: hasResult && isForUndo && finishedAt !== null }
}

/** Once, by the one who presses first: the job that tries again can be tried again itself. */
export const canRetry = ({ kind, failed, finishedAt, params }: JobRow): boolean =>
  kindOf(kind).retry !== undefined && failed > 0 && finishedAt !== null && params.retriedBy === undefined
