import type { FunnelDashboard, FunnelDashboardQuery } from '@balcao/contract/sales/opportunities.ts'
import { withReport } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { withinDays } from '../../../kit/period.ts'
import { binding } from '../../../kit/sql.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { visibleOpportunities } from './opportunities.policy.ts'

type StageRow = FunnelDashboard['stages'][number] & { late: number; cold: number }

/**
 * How a pipeline fares: what stands open now, what came and went in these days. One statement; days are those of the
 * company's calendar, money is in cents.
 */
export const readFunnelDashboard = async (actor: Actor, query: FunnelDashboardQuery): Promise<FunnelDashboard> => {
  const directory = await getDirectory(actor.tenantId)
  const { timezone } = directory
  return withReport(actor, async (tx) => {
    const { values, bind } = binding()
    const tenant = bind(tx.tenantId)
    const days = { dateFrom: query.startDate, dateTo: query.endDate }
    const within = (column: string) => withinDays(column, days, timezone, bind).join(' and ')
    const people = query.responsibleId.length ? `and o.responsible_id = any(${bind(query.responsibleId)}::uuid[])` : ''
    const today = `(now() at time zone ${bind(timezone)})::date`
    const text = `with mine as materialized (
        select o.*, s.probability, s.rot_days, ${within('o.created_at')} as is_new, o.closed_at is not null and ${within('o.closed_at')} as is_closed
        from opportunities o join stages s on s.tenant_id = o.tenant_id and s.id = o.stage_id
        where o.tenant_id = ${tenant} and o.pipeline_id = ${bind(query.pipelineId)} and ${visibleOpportunities(actor, directory, bind)} ${people}
      ), entered as (
        select m.to_value::uuid as stage_id, m.opportunity_id,
          exists (select from opportunity_moves n where n.tenant_id = m.tenant_id and n.opportunity_id = m.opportunity_id and n.id > m.id
            and (n.kind = 'status' and n.to_value = 'win' or n.kind = 'stage' and (select position from stages x where x.tenant_id = m.tenant_id and x.id::text = n.to_value)
              > (select position from stages x where x.tenant_id = m.tenant_id and x.id::text = m.to_value))) as is_on
        from opportunity_moves m join mine o on o.id = m.opportunity_id
        where m.tenant_id = ${tenant} and m.kind in ('created', 'stage') and ${within('m.created_at')}
      )
      select
        (select coalesce(jsonb_agg(jsonb_build_object('stageId', s.id, 'count', coalesce(n.count, 0), 'value', coalesce(n.value, 0),
            'weighted', round(coalesce(n.value, 0) * s.probability / 100.0), 'late', coalesce(n.late, 0), 'cold', coalesce(n.cold, 0),
            'entered', coalesce(e.entered, 0), 'advanced', coalesce(e.advanced, 0), 'hoursHere', n.hours) order by s.position, s.name, s.id), '[]')
          from stages s
            left join (select stage_id, count(*) as count, sum(value) as value, avg(extract(epoch from now() - stage_since)) / 3600 as hours,
              count(*) filter (where closing_forecast < ${today}) as late,
              count(*) filter (where stage_since < now() - make_interval(days => rot_days)) as cold
              from mine where status = 'open' group by stage_id) n on n.stage_id = s.id
            left join (select stage_id, count(distinct opportunity_id) as entered, count(distinct opportunity_id) filter (where is_on) as advanced
              from entered group by stage_id) e on e.stage_id = s.id
          where s.tenant_id = ${tenant} and s.pipeline_id = ${bind(query.pipelineId)}) as stages,
        (select jsonb_build_object('count', count(*), 'value', coalesce(sum(value), 0)) from mine where is_new) as created,
        (select jsonb_build_object('count', count(*), 'value', coalesce(sum(value), 0)) from mine where is_closed and status = 'win') as won,
        (select jsonb_build_object('count', count(*), 'value', coalesce(sum(value), 0)) from mine where is_closed and status = 'lose') as lost,
        (select (avg(extract(epoch from closed_at - created_at)) / 3600)::float8 from mine where is_closed and status = 'win') as "hoursToWin",
        (select coalesce(jsonb_agg(jsonb_build_object('reason', name, 'status', status, 'count', count, 'value', value) order by count desc, name), '[]')
          from (select coalesce(r.name, 'Sem motivo') as name, m.status, count(*) as count, sum(m.value) as value
            from mine m left join outcome_reasons r on r.tenant_id = ${tenant} and r.id = m.reason_id where m.is_closed group by 1, 2) x) as reasons,
        (select coalesce(jsonb_agg(jsonb_build_object('user', case when u.id is not null then jsonb_build_object('id', u.id, 'name', u.name) end,
            'open', jsonb_build_object('count', x.open, 'value', x.open_value), 'won', jsonb_build_object('count', x.won, 'value', x.won_value),
            'lost', jsonb_build_object('count', x.lost, 'value', x.lost_value)) order by x.won_value desc, x.open_value desc, u.name), '[]')
          from (select responsible_id, count(*) filter (where status = 'open') as open, coalesce(sum(value) filter (where status = 'open'), 0) as open_value,
              count(*) filter (where is_closed and status = 'win') as won, coalesce(sum(value) filter (where is_closed and status = 'win'), 0) as won_value,
              count(*) filter (where is_closed and status = 'lose') as lost, coalesce(sum(value) filter (where is_closed and status = 'lose'), 0) as lost_value
            from mine group by 1) x left join users u on u.tenant_id = ${tenant} and u.id = x.responsible_id
          where x.open + x.won + x.lost > 0) as people,
        (select coalesce(jsonb_agg(jsonb_build_object('source', source, 'created', created, 'won', jsonb_build_object('count', won, 'value', won_value)) order by won_value desc, created desc), '[]')
          from (select coalesce(nullif(source, ''), 'Sem origem') as source, count(*) filter (where is_new) as created,
              count(*) filter (where is_closed and status = 'win') as won, coalesce(sum(value) filter (where is_closed and status = 'win'), 0) as won_value
            from mine group by 1) x where created + won > 0) as sources,
        (select coalesce(jsonb_agg(jsonb_build_object('month', month, 'count', count, 'value', value, 'weighted', weighted) order by month), '[]')
          from (select to_char(closing_forecast, 'YYYY-MM') as month, count(*) as count, sum(value) as value, round(sum(value * probability / 100.0)) as weighted
            from mine where status = 'open' and closing_forecast is not null group by 1 order by 1 limit 24) x) as forecast`
    const [row] = await tx.rows<Omit<FunnelDashboard, 'open' | 'stages'> & { stages: StageRow[] }>(
      { name: '', text },
      values,
    )
    if (!row) throw new Error('A report always answers')
    const total = (field: 'count' | 'value' | 'weighted' | 'late' | 'cold') =>
      row.stages.reduce((sum, one) => sum + one[field], 0)
    return {
      ...row,
      stages: row.stages.map(({ late: _, cold: __, ...stage }) => stage),
      open: {
        count: total('count'),
        value: total('value'),
        weighted: total('weighted'),
        late: total('late'),
        cold: total('cold'),
      },
    }
  })
}
