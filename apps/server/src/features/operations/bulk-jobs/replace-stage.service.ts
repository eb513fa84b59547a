import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { funnelReplaceKinds } from '@balcao/contract/operations/replace-kinds.ts'
import { pipelineResource, stageResource } from '@balcao/contract/sales/pipelines.ts'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { pipelines, stages } from '../../../db/schema/sales/funnel.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { defineJob } from '../../core/jobs/job-kinds.ts'
import { enqueueJob } from '../../core/jobs/jobs.service.ts'
import { countStanding, nextStanding, passOn, type StageNamed } from '../../sales/funnel/pass-on.ts'
import { deleteReplaced } from './delete-replaced.ts'
import { replaceInSetUp } from './replace-set-up.ts'

export type FunnelReplaceKind = (typeof funnelReplaceKinds)[number]
export const funnelParts = {
  replaceStage: { resource: stageResource, table: stages, column: 'id' },
  replacePipeline: { resource: pipelineResource, table: pipelines, column: 'pipeline_id' },
} as const

export const readFunnelUses = (actor: Actor, kind: FunnelReplaceKind, id: string) =>
  withTenant(actor.tenantId, async (tx) => {
    await lockPart(tx, kind, id)
    return countStanding(tx, idsOf(await stagesOf(tx, kind, id)))
  })

/**
 * Puts it on the list of jobs: whoever builds the funnel brings along what they do not see of it, told to those who do.
 */
export const enqueueFunnelReplacement = (
  actor: Actor,
  kind: FunnelReplaceKind,
  { id, stageId }: { id: string; stageId: string },
): Promise<BulkJob> =>
  withTenant(actor.tenantId, async (tx) => {
    const { name } = await lockPart(tx, kind, id)
    const from = await stagesOf(tx, kind, id)
    const to = await findStage(tx, stageId)
    if (!to) throw fieldErrors({ path: 'stageId', message: 'A etapa escolhida não existe mais.' })
    if (from.some((one) => one.id === stageId))
      throw fieldErrors({ path: 'stageId', message: 'Escolha uma etapa que não seja excluída junto.' })
    const uses = await countStanding(tx, idsOf(from))
    return enqueueJob(tx, actor, {
      kind,
      params: { id, name, stageId },
      total: uses.open + uses.closed,
      audit: {
        ...{ action: `bulk.${kind}`, entity: funnelParts[kind].resource.event, entityId: id },
        ...{ before: { name }, after: { ...uses, stageId, stage: to.name } },
      },
    })
  })

const goneText = 'A etapa que receberia as oportunidades foi excluída. As que ainda não passaram ficaram onde estavam.'

/** The next opportunities pass on; when there are none left, what held them goes. */
export const funnelReplaceJobs = funnelReplaceKinds.map((kind) =>
  defineJob({
    kind,
    can: funnelParts[kind].resource.can.write,
    params: z.object({ id: z.uuid(), name: z.string(), stageId: z.uuid() }),
    stepSize: 200,
    isWhole: true,
    next: async ({ tx, params }, limit) => {
      // Nothing comes in while these go out.
      const from = await stagesOf(tx, kind, params.id, true)
      const to = await findStage(tx, params.stageId)
      if (!to || !from.length) return []
      return (await nextStanding(tx, idsOf(from), limit)).map((row) => ({ ...row, from, to }))
    },
    act: async ({ tx, directory, job: { userId } }, rows) => {
      const [first] = rows
      if (first) await passOn(tx, directory, { userId, from: first.from, to: first.to, rows })
      return []
    },
    finish: async ({ tx, job: { userId }, params: { id, name, stageId } }) => {
      const to = await findStage(tx, stageId)
      if (!to) return { state: 'failed' as const, error: goneText }
      const by = { userId, name }
      const from = await stagesOf(tx, kind, id)
      for (const one of from) await replaceInSetUp(tx, { id: one.id, replacementId: to.id }, by)
      if (kind === 'replacePipeline') await replaceInSetUp(tx, { id, replacementId: to.pipelineId }, by)
      await tx.rows(leadElsewhere, [tx.tenantId, idsOf(from), to.id])
      await deleteReplaced(tx, funnelParts[kind], id, userId)
      return undefined
    },
  }),
)

const idsOf = (rows: readonly StageNamed[]) => rows.map(({ id }) => id)

const stagesOf = (tx: Tx, kind: FunnelReplaceKind, id: string, lock = false) =>
  tx.rows<StageNamed>(
    {
      name: '',
      text: `select id, name, pipeline_id as "pipelineId" from stages where tenant_id = $1 and ${funnelParts[kind].column} = $2
        order by position, name, id ${lock ? 'for update' : ''}`,
    },
    [tx.tenantId, id],
  )

const findStage = async (tx: Tx, id: string): Promise<StageNamed | undefined> => {
  const [found] = await tx.rows<StageNamed>(target, [tx.tenantId, id])
  return found
}
const target: Prepared = {
  name: 'stage_that_takes',
  text: `select id, name, pipeline_id as "pipelineId" from stages where tenant_id = $1 and id = $2 for key share`,
}

/** What led there leads to the other; what would lead to where it begins has nothing left to do. */
const leadElsewhere: Prepared = {
  name: 'pipeline_actions_lead_elsewhere',
  text: `update pipeline_actions set target_stage_id = nullif($3::uuid, stage_id), active = active and stage_id <> $3::uuid,
      version = version + 1, updated_at = now()
    where tenant_id = $1 and target_stage_id = any($2::uuid[])`,
}

const lockPart = async (tx: Tx, kind: FunnelReplaceKind, id: string) => {
  const { table } = funnelParts[kind]
  const [row] = await tx.db
    .select({ name: table.name })
    .from(table)
    .where(and(eq(table.tenantId, tx.tenantId), eq(table.id, id)))
    .for('no key update')
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return row
}
