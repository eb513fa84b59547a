import type { Opportunity } from '@balcao/contract/sales/opportunities.ts'
import type { FunnelUses, Stage } from '@balcao/contract/sales/pipelines.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { opportunityMoves } from '../../../db/schema/sales/funnel.ts'
import { emitAll } from '../../../kit/outbox.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { audiencesOf } from './opportunities.policy.ts'
import { presentOpportunity, readWritten } from './opportunities.queries.ts'

export type StageNamed = Pick<Stage, 'id' | 'name' | 'pipelineId'>
type Standing = { id: string; stageId: string; status: Opportunity['status'] }

/** How many stand in these stages, whoever sees them. */
export const countStanding = async (tx: Tx, stageIds: readonly string[]): Promise<FunnelUses> => {
  const [row] = await tx.rows<FunnelUses>(counted, [tx.tenantId, stageIds])
  return row ?? { open: 0, closed: 0 }
}
const counted: Prepared = {
  name: 'opportunities_standing_count',
  text: `select count(*) filter (where status = 'open')::int as open, count(*) filter (where status <> 'open')::int as closed
    from opportunities where tenant_id = $1 and stage_id = any($2::uuid[])`,
}

/** The next that stand in these stages, from the first on, held. */
export const nextStanding = (tx: Tx, stageIds: readonly string[], limit: number) =>
  tx.rows<Standing>(standing, [tx.tenantId, stageIds, limit])
const standing: Prepared = {
  name: 'opportunities_standing',
  text: `select id, stage_id as "stageId", status from opportunities where tenant_id = $1 and stage_id = any($2::uuid[])
    order by status, position, id limit $3 for update`,
}

/**
 * Brings them behind the last of a stage, in their order. What is open enters it now, as by hand, but is not asked for
 * what it requires: their stage goes. What is closed keeps what it counts as, and has it in its story.
 */
export const passOn = async (
  tx: Tx,
  directory: Directory,
  { userId, from, to, rows }: { userId: string; from: readonly StageNamed[]; to: StageNamed; rows: Standing[] },
): Promise<void> => {
  const ids = rows.map(({ id }) => id)
  await tx.rows(passed, [tx.tenantId, ids, to.id, to.pipelineId])
  const nameOf = (stageId: string) => from.find(({ id }) => id === stageId)?.name ?? ''
  await tx.db.insert(opportunityMoves).values(
    rows.map(({ id, stageId, status }) => ({
      ...{ tenantId: tx.tenantId, opportunityId: id, userId },
      ...(status === 'open'
        ? { kind: 'stage' as const, from: stageId, to: to.id }
        : { kind: 'note' as const, to: `A etapa “${nameOf(stageId)}” foi excluída: passou a “${to.name}”.` }),
    })),
  )
  const written = (await readWritten(tx, ids)).map(presentOpportunity)
  await emitAll(
    tx,
    written.flatMap((payload) =>
      audiencesOf(payload, directory).map((audience) => ({ name: 'opportunity.updated' as const, payload, audience })),
    ),
  )
}
const passed: Prepared = {
  name: 'opportunities_pass_on',
  text: `update opportunities o set stage_id = $3, pipeline_id = $4, position = l.last + n.place,
      stage_since = case when o.status = 'open' then now() else o.stage_since end, version = o.version + 1, updated_at = now()
    from unnest($2::uuid[]) with ordinality n(id, place),
      (select coalesce(max(position), 0) as last from opportunities where tenant_id = $1 and stage_id = $3) l
    where o.tenant_id = $1 and o.id = n.id`,
}
