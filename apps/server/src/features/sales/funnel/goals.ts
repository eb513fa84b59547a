import type { Goal, GoalsQuery, GoalsWrite } from '@balcao/contract/sales/goals.ts'
import { and, eq } from 'drizzle-orm'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { funnelGoals, pipelines } from '../../../db/schema/sales/funnel.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { seesAllOpportunities } from './opportunities.policy.ts'

/**
 * What is to be won in a month of the company's calendar, and what was: of the team, and of each person; with privacy, of
 * this person and of the team's target alone.
 */
export const readGoals = async (actor: Actor, query: GoalsQuery): Promise<Goal[]> => {
  const directory = await getDirectory(actor.tenantId)
  const seesAll = seesAllOpportunities(actor, directory)
  return withTenant(actor.tenantId, async (tx) => {
    const rows = await goalsOf(tx, directory, query)
    return seesAll ? rows : rows.filter(({ user }) => user === null || user.id === actor.userId)
  })
}

/** All of a month at once. */
export const writeGoals = async (actor: Actor, { pipelineId, month, goals }: GoalsWrite): Promise<Goal[]> => {
  const directory = await getDirectory(actor.tenantId)
  const unknown = goals.findIndex(({ userId }) => userId !== null && !directory.people.has(userId))
  if (unknown >= 0) throw fieldErrors({ path: `goals.${unknown}.userId`, message: 'Escolha alguém da equipe.' })
  const keys = goals.map(({ userId, measure }) => `${userId}${measure}`)
  const twice = keys.findIndex((key, at) => keys.indexOf(key) !== at)
  if (twice >= 0) throw fieldErrors({ path: `goals.${twice}.userId`, message: 'Esta pessoa já tem esta meta.' })
  return withTenant(actor.tenantId, async (tx) => {
    const mine = and(eq(pipelines.tenantId, tx.tenantId), eq(pipelines.id, pipelineId))
    const [found] = await tx.db.select({ id: pipelines.id }).from(pipelines).where(mine).for('update')
    if (!found) throw new AppError('ERR_NOT_FOUND')
    const day = `${month}-01`
    const before = await goalsOf(tx, directory, { pipelineId, month })
    await tx.db
      .delete(funnelGoals)
      .where(
        and(eq(funnelGoals.tenantId, tx.tenantId), eq(funnelGoals.pipelineId, pipelineId), eq(funnelGoals.month, day)),
      )
    if (goals.length)
      await tx.db
        .insert(funnelGoals)
        .values(goals.map((one) => ({ ...one, tenantId: tx.tenantId, pipelineId, month: day })))
    const after = await goalsOf(tx, directory, { pipelineId, month })
    await writeAudit(tx, actor, { action: 'pipeline.goals', entity: 'pipeline', entityId: pipelineId, before, after })
    return after
  })
}

type Row = Omit<Goal, 'user'> & { userId: string | null }
const goalsOf = async (tx: Tx, { people, timezone }: Directory, { pipelineId, month }: GoalsQuery): Promise<Goal[]> => {
  const rows = await tx.rows<Row>(reached, [tx.tenantId, pipelineId, `${month}-01`, timezone])
  return rows.map(({ userId, ...row }) => ({
    ...row,
    user: userId ? { id: userId, name: people.get(userId)?.name ?? 'Usuário removido' } : null,
  }))
}
const reached: Prepared = {
  name: 'funnel_goals_reached',
  text: `with won as (
      select responsible_id, count(*) as wins, coalesce(sum(value), 0) as value from opportunities
      where tenant_id = $1 and pipeline_id = $2 and status = 'win' and closed_at is not null
        and closed_at >= $3::date::timestamp at time zone $4
        and closed_at < ($3::date + interval '1 month') at time zone $4
      group by 1
    )
    select g.user_id as "userId", g.measure, g.target,
      coalesce((select sum(case g.measure when 'wins' then w.wins else w.value end) from won w
        where g.user_id is null or w.responsible_id = g.user_id), 0)::bigint as reached
    from funnel_goals g left join users u on u.tenant_id = g.tenant_id and u.id = g.user_id
    where g.tenant_id = $1 and g.pipeline_id = $2 and g.month = $3::date
    order by g.user_id is not null, u.name, g.measure desc, g.id`,
}
