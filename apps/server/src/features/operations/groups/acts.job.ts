import type { PlannedAct } from '@balcao/contract/operations/group-acts.ts'
import { z } from 'zod'
import type { Prepared, Tx } from '../../../db/database.ts'
import { emit } from '../../../kit/outbox.ts'
import { defineJob, type JobRow, type Refusal, type Step } from '../../core/jobs/job-kinds.ts'
import { countItems } from '../../core/jobs/run-step.ts'
import { keepForUndo, nextKept } from '../../core/jobs/undo-parts.ts'
import { insertRows } from './plan-acts.ts'
import { retryActs } from './retry-acts.ts'

/**
 * The bookkeeping of acts on groups: the rows are done by a worker of their own, outside any transaction and at the pace
 * of their connection; a step takes note of those that ended since.
 */
const params = z.object({ act: z.string(), restSeconds: z.number(), isInParts: z.boolean().optional() })
type Params = z.output<typeof params>
const stepSize = 100

type Ended = {
  id: string
  place: number
  name: string
  state: string
  reason: string | null
  connectionId: string
  groupId: string | null
  undo: PlannedAct | null
  undoMediaId: string | null
}
const next = async ({ tx, job }: Step<Params>, limit: number): Promise<Ended[] | 'later'> => {
  const ended = await tx.rows<Ended>(endedRows, [tx.tenantId, job.id, limit])
  if (ended.length) return ended
  const [left] = await tx.rows(leftRows, [tx.tenantId, job.id])
  return left ? 'later' : []
}
type Counting = { tx: Tx; job: JobRow }
const act = async ({ tx, job }: Counting, rows: Ended[]): Promise<Refusal[]> => {
  await tx.rows(count, [tx.tenantId, rows.map(({ id }) => id)])
  await keepForUndo(
    { tx, job },
    rows.flatMap(({ id, undo }) => (undo ? { rowId: id } : [])),
  )
  await emit(tx, 'groupAct.progressed', { jobId: job.id }, { kind: 'permission', can: 'groups.read' })
  return rows.flatMap(({ state, name, place, reason }) =>
    state === 'done' ? [] : { item: `${name} · ${place + 1}`, reason: refusalOf(state, reason) },
  )
}
const refusalOf = (state: string, reason: string | null) =>
  `${state === 'part' ? 'Em parte: ' : ''}${reason ?? 'Não foi feito.'}`
const withoutUndo = (row: Ended): Ended => ({ ...row, undo: null })

/** Takes note of what ended after its job was canceled: no step of it comes any more. */
export const countLate = async (tx: Tx, job: JobRow): Promise<void> => {
  const ended = await tx.rows<Ended>(endedRows, [tx.tenantId, job.id, stepSize])
  if (!ended.length) return
  const rows = job.kind === 'undoGroupAct' ? ended.map(withoutUndo) : ended
  const refused = await act({ tx, job }, rows)
  const change = rows.some(({ undo }) => undo) ? { hasResult: true } : {}
  await countItems(tx, job, { many: rows.length, refused }, change)
}

export const groupActJob = defineJob({
  kind: 'groupAct',
  can: 'groups.write',
  params,
  stepSize,
  undoneBy: 'undoGroupAct',
  retry: retryActs,
  next,
  act,
  finish: async ({ job }) => ({ hasResult: job.hasResult }),
})

/** Takes back what was done, as far as what was there before is known: the same rows the other way round, last first. */
export const undoGroupActJob = defineJob({
  kind: 'undoGroupAct',
  can: 'groups.write',
  params,
  stepSize,
  retry: retryActs,
  next: async (step, limit) => {
    await planBack(step.tx, step.job)
    return next(step, limit)
  },
  act: (step, rows) => act(step, rows.map(withoutUndo)),
})

const planBack = async (tx: Tx, job: JobRow) => {
  const [planned] = await tx.rows(anyRow, [tx.tenantId, job.id])
  if (planned || job.done + job.failed > 0) return
  const rowIds: string[] = []
  for (let cursor: string | null = null; ; ) {
    const kept = await nextKept(tx, { id: job.id, cursor })
    if (!kept) break
    rowIds.push(...keptRows.parse(kept.changed).map(({ rowId }) => rowId))
    cursor = String(kept.place)
  }
  const rows = await tx.rows<
    Required<Pick<Ended, 'name' | 'connectionId' | 'groupId' | 'undoMediaId'>> & { undo: PlannedAct }
  >(doneRows, [tx.tenantId, rowIds])
  await insertRows(
    tx,
    job.id,
    rows.map(({ undo, undoMediaId, ...row }) => ({ ...row, act: undo, mediaId: undoMediaId })),
  )
}
const keptRows = z.array(z.object({ rowId: z.uuid() }))

const endedRows: Prepared = {
  name: 'group_acts_ended',
  text: `select id, place, name, state, reason, connection_id as "connectionId", group_id as "groupId", undo, undo_media_id as "undoMediaId"
    from group_act_rows where tenant_id = $1 and job_id = $2 and state in ('done', 'part', 'failed') and not is_counted
    order by place limit $3 for update`,
}
const leftRows: Prepared = {
  name: 'group_acts_left',
  text: `select from group_act_rows where tenant_id = $1 and job_id = $2 and state in ('waiting', 'doing') limit 1`,
}
const anyRow: Prepared = {
  name: 'group_acts_any',
  text: `select from group_act_rows where tenant_id = $1 and job_id = $2 limit 1`,
}
const count: Prepared = {
  name: 'group_acts_count',
  text: `update group_act_rows set is_counted = true where tenant_id = $1 and id = any($2::uuid[])`,
}
const doneRows: Prepared = {
  name: 'group_acts_to_undo',
  text: `select name, connection_id as "connectionId", group_id as "groupId", undo, undo_media_id as "undoMediaId"
    from group_act_rows where tenant_id = $1 and id = any($2::uuid[]) and undo is not null order by place desc`,
}
