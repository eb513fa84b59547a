import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import { createLimit } from '../../../kit/limit.ts'
import { log } from '../../../kit/log.ts'
import { emit } from '../../../kit/outbox.ts'
import type { Round } from '../../../kit/workers.ts'
import { doRun } from './do-run.ts'
import { dueOpportunities, dueTickets, silentSince } from './touched.ts'

/** Actions asked in one look, whom each meets in it, and what is done in one round. */
const [actionsAtOnce, metAtOnce, doneAtOnce] = [50, 500, 200]
/** Transactions at one time: people's requests need the database too. */
const inTurn = createLimit(4)

export const isFunnelActionDue = `select from pipeline_actions where active and look_at <= now()
  union all select from ticket_actions where active and look_at <= now()
  union all select from funnel_action_runs where state = 'waiting' and attempt_at <= now()`

/**
 * Meets what is due, one statement for all actions, and does it. The row that tells of a meeting is unique for its action and
 * stay, so that any number of processes meet once; doing it and saying so is one transaction, so that one that dies leaves
 * all of it to the next.
 */
export const runFunnelActions = async (): Promise<Round> => {
  const met = [
    ...(await platformRows<Met>(meetOpportunities, [actionsAtOnce, metAtOnce])),
    ...(await platformRows<Met>(meetTickets, [actionsAtOnce, metAtOnce])),
  ]
  const due = await platformRows<Due>(waiting, [doneAtOnce])
  // What is due for one at the same time is done in the order of the actions.
  const lanes = [...Map.groupBy(due, ({ laneId }) => laneId).values()]
  const done = (
    await Promise.all(
      lanes.map((lane) =>
        inTurn(async () => {
          const results: Due[] = []
          for (const one of lane) if (await attempt(one)) results.push(one)
          return results
        }),
      ),
    )
  ).flat()
  const tenants = new Set([...met, ...done].map(({ tenantId }) => tenantId))
  for (const tenantId of tenants)
    await withTenant(tenantId, (tx) => emit(tx, 'funnelActions.ran', {}, { kind: 'permission', can: 'funnel.manage' }))
  return { did: done.length, isMore: due.length === doneAtOnce && done.length > 0 }
}

type Met = { tenantId: number }
export type Due = { tenantId: number; id: string; laneId: string }
/** A slip of ours must not hold up the others: it is tried again, ever less often. */
const attempt = async (due: Due): Promise<boolean> => {
  try {
    return await doRun(due)
  } catch (error) {
    log.error({ err: error, tenantId: due.tenantId, runId: due.id }, 'funnel action not done')
    await platformRows(postpone, [due.tenantId, due.id])
    return true
  }
}

/** A full page is looked at anew at once, everything else a minute later. */
const meeting = (table: string, met: string): string => `with due as (
    select a.* from ${table} a join tenants c on c.id = a.tenant_id and c.status = 'active'
    where a.active and a.look_at <= now() order by a.look_at limit $1 for update of a skip locked
  ), met as (${met}), looked as (
    update ${table} a set look_at = case when (select count(*) from met m where m.tenant_id = a.tenant_id and m.action_id = a.id) < $2
      then now() + interval '1 minute' else now() end
    from due where a.tenant_id = due.tenant_id and a.id = due.id
  ), noted as (
    insert into funnel_action_runs (tenant_id, id, action_id, action_name, action_type, position, opportunity_id, ticket_id, visit_at, attempt_at)
    select tenant_id, gen_random_uuid(), action_id, name, action_type, position, opportunity_id, ticket_id, visit_at,
      date_trunc('milliseconds', now()) from met
    on conflict do nothing returning tenant_id
  ) select distinct tenant_id as "tenantId" from noted`
const meetOpportunities: Prepared = {
  name: 'funnel_actions_meet',
  text: meeting(
    'pipeline_actions',
    `select a.tenant_id, a.id as action_id, a.name, a.action_type, a.position, o.id as opportunity_id, null::uuid as ticket_id,
      o.stage_since as visit_at
    from due a cross join lateral (select o.id, o.stage_since from opportunities o where ${dueOpportunities}
      order by o.stage_since limit $2) o`,
  ),
}
const meetTickets: Prepared = {
  name: 'ticket_actions_meet',
  text: meeting(
    'ticket_actions',
    `select a.tenant_id, a.id as action_id, a.name, a.action_type, a.hours_without_response as position, null::uuid as opportunity_id,
      t.id as ticket_id, t.last_inbound_at as visit_at
    from due a cross join lateral (select t.id, t.last_inbound_at from tickets t cross join lateral (select ${silentSince} as since) q
      where ${dueTickets} limit $2) t`,
  ),
}
const waiting: Prepared = {
  name: 'funnel_actions_waiting',
  text: `select tenant_id as "tenantId", id, coalesce(opportunity_id, ticket_id) as "laneId" from funnel_action_runs
    where state = 'waiting' and attempt_at <= now() order by attempt_at, position, action_name, id limit $1`,
}
const postpone: Prepared = {
  name: 'funnel_actions_postpone',
  text: `update funnel_action_runs set attempts = attempts + 1, attempt_at = now() + make_interval(secs => least(300, 2 ^ least(attempts, 9)))
    where tenant_id = $1 and id = $2 and state = 'waiting'`,
}
