import type { Prepared } from '../../../db/database.ts'
import { isAtRisk, isLate } from '../../conversations/tickets/urgency-sql.ts'
import { closedSince, openedSince } from '../reports/today-sql.ts'

/** $1 tenant, $2 the queues asked for or null, $3 the company's time zone. */
const chosen = `t.tenant_id = $1 and ($2::uuid[] is null or t.queue_id = any($2))`
const midnight = `date_trunc('day', now() at time zone $3) at time zone $3`

export type LoadRow = {
  queueId: string | null
  userId: string | null
  status: 'open' | 'pending'
  tickets: number
  late: number
  atRisk: number
  waitingSince: Date | null
}
/** What is active, down the index of active tickets. */
export const activeLoad: Prepared = {
  name: 'monitor_active',
  text: `select t.queue_id as "queueId", t.user_id as "userId", t.status, count(*)::int as tickets,
      count(*) filter (where ${isLate})::int as late, count(*) filter (where ${isAtRisk})::int as "atRisk",
      min(t.waiting_since) filter (where t.paused_at is null) as "waitingSince"
    from tickets t where ${chosen} and t.status in ('open', 'pending') group by 1, 2, 3`,
}

/** A time that was promised, and kept today. */
const metToday = (done: string, of: 'first' | 'resolve') => `coalesce(
  t.${done} >= ${midnight} and t.${done} <= t.sla_${of}_due_at and t.sla_${of}_breached_at is null, false)::int`
/** One that passed today, whether it was kept later or still waits; what is put away is late for nobody. */
const missedToday = (done: string, of: 'first' | 'resolve') => `coalesce(
  case when t.sla_${of}_breached_at is not null then t.sla_${of}_breached_at >= ${midnight}
  else t.sla_${of}_due_at >= ${midnight} and t.sla_${of}_due_at < coalesce(t.${done}, t.closed_at, case when t.paused_at is null then now() end)
  end, false)::int`

export type DayRow = { hour: number; created: number; closed: number; met: number; missed: number }
/** Of today by the hour: what came, what was closed, and the promises that were kept or passed. */
export const dayLoad: Prepared = {
  name: 'monitor_day',
  text: `select hour, sum(created)::int as created, sum(closed)::int as closed, sum(met)::int as met, sum(missed)::int as missed from (
      select extract(hour from o.at at time zone $3)::int as hour, 1 as created, 0 as closed, 0 as met, 0 as missed
      from ${openedSince(midnight)} o where $2::uuid[] is null or o.queue_id = any($2)
      union all
      select extract(hour from c.at at time zone $3)::int, 0, 1, 0, 0
      from ${closedSince(midnight)} c where $2::uuid[] is null or c.queue_id = any($2)
      union all
      select 0, 0, 0, ${metToday('first_answered_at', 'first')} + ${metToday('closed_at', 'resolve')},
        ${missedToday('first_answered_at', 'first')} + ${missedToday('closed_at', 'resolve')}
      from tickets t where ${chosen} and not t.is_hidden
        and (t.status in ('open', 'pending') or t.closed_at >= ${midnight})
    ) x group by 1`,
}
