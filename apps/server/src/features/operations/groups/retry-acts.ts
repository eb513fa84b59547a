import type { PersonResult, PlannedAct } from '@balcao/contract/operations/group-acts.ts'
import { v7 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import type { JobRow } from '../../core/jobs/job-kinds.ts'
import { enqueueJob, jobNameOf } from '../../core/jobs/jobs.service.ts'
import { insertRows, type NewRow, onceMade } from './plan-acts.ts'

/** Nobody knows whether this group exists: made again, it might be there twice. */
export const notSure = 'Não sabemos se o grupo foi criado. Confira no telefone antes de pedir de novo.'

/** What was not done, or only to some of the people, as a job of its own: the rest of it, in the same groups. */
export const retryActs = async (tx: Tx, actor: Actor, job: JobRow) => {
  const left = await tx.rows<Left>(leftRows, [tx.tenantId, job.id, notSure])
  const rows = againOf(left)
  if (!rows.length) return undefined
  const { kind, params } = job
  const { retriedBy: _, ...asked } = params
  const again = await enqueueJob(tx, actor, {
    ...{ kind, params: asked, total: rows.length, subject: job.subject ?? undefined },
    audit: { action: 'job.retried', entity: 'bulkJob', entityId: job.id, after: { name: jobNameOf(job) } },
  })
  await insertRows(tx, again.id, rows)
  return again
}

/** Whoever was to be added to a group that was not made is to be added to the one that is made now. */
const againOf = (left: Left[]): NewRow[] => {
  const makers = new Map(
    left.flatMap(({ id, act, groupId }) => (act.kind === 'create' && !groupId ? [[id, v7()] as const] : [])),
  )
  return left.flatMap(({ id, people, ...row }): NewRow[] => {
    if (row.groupId || !('madeBy' in row.act) || !row.act.madeBy)
      return restOf(row.act, people, row.groupId).map((act) => ({ ...row, act, id: makers.get(id) }))
    const madeBy = makers.get(row.act.madeBy)
    return madeBy ? [{ ...row, act: { ...row.act, madeBy }, dueAt: onceMade }] : []
  })
}

type Left = {
  id: string
  name: string
  connectionId: string
  groupId: string | null
  act: PlannedAct
  mediaId: string | null
  people: PersonResult[]
}
const restOf = (act: PlannedAct, people: PersonResult[], groupId: string | null): PlannedAct[] => {
  if (!('numbers' in act)) return [act]
  const refused = people.flatMap(({ number, outcome }) => (outcome === 'refused' && number ? number : []))
  if (act.kind !== 'create' || !groupId) return [refused.length ? { ...act, numbers: refused, part: undefined } : act]
  // The group is there: what is left are whoever did not come in, and what it was to say of itself.
  return [
    ...(refused.length ? [{ kind: 'add' as const, numbers: refused, invites: true }] : []),
    ...(act.description ? [{ kind: 'description' as const, description: act.description }] : []),
    ...(act.mediaId ? [{ kind: 'picture' as const, mediaId: act.mediaId }] : []),
  ]
}

const leftRows: Prepared = {
  name: 'group_acts_to_retry',
  text: `select r.id, r.name, r.connection_id as "connectionId", r.group_id as "groupId", r.act, r.media_id as "mediaId", r.people
    from group_act_rows r join connections x on x.tenant_id = $1 and x.id = r.connection_id and x.deleted_at is null
    where r.tenant_id = $1 and r.job_id = $2 and r.state in ('failed', 'part') and r.reason is distinct from $3
      and x.abilities->'groupActs' ? (r.act->>'kind') order by r.place`,
}
