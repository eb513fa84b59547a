import type { Prepared } from '../../../db/database.ts'
import { laneName } from '../../contacts/lanes/lane-name.ts'
import { roomParts } from '../audience/room.ts'

/** What of a campaign may be written by one connection: its next step, or what was left of that one's test. */
export type Lane = {
  tenantId: number
  campaignId: string
  connectionId: string
  step: number
  isRest: boolean
  /** As many as its connection has room for, with whatever else is to leave by it. */
  free: number
  /** From one message of its connection to the next. */
  restMs: number
  /** Only so many go before somebody looks. */
  isCanary: boolean
}

const isRunning = `c.state = 'running' and coalesce(c.rests_until <= now(), true) and coalesce(c.ends_at > now(), true)`
export const isCampaignRunning = `select from campaigns c where ${isRunning}`

/** What is due of campaigns that run, by connection and step, where the connection has room and the campaign's own pace has come. */
export const feedable: Prepared = {
  name: 'campaigns_feedable',
  text: `with ways as (
      select c.tenant_id, c.id, c.winners, c.canary_left is not null as is_canary, jsonb_array_length(c.plan -> 'steps') as steps, w.connection_id
      from campaigns c cross join unnest(c.connection_ids) as w(connection_id)
        left join campaign_paces p on p.tenant_id = c.tenant_id and p.campaign_id = c.id and p.connection_id = w.connection_id
      where ${isRunning} and coalesce(p.next_at <= now(), true)
    ), lanes as (
      select distinct tenant_id, connection_id from ways
    ), ${roomParts('lanes')}
    select w.tenant_id as "tenantId", w.id as "campaignId", w.connection_id as "connectionId", s.step, x.rest = 1 as "isRest",
      r.free::int as free, r.rest_ms as "restMs", w.is_canary as "isCanary"
    from room r join ways w on w.tenant_id = r.tenant_id and w.connection_id = r.connection_id
      cross join generate_series(0, w.steps - 1) as s(step) cross join (values (0), (1)) as x(rest)
    where r.free > 0 and (x.rest = 0 or w.winners ? s.step::text)
      -- Not exists: all who wait would be read to join them.
      and (select true from campaign_recipients q where q.tenant_id = w.tenant_id and q.campaign_id = w.id and q.connection_id = w.connection_id
        and q.step = s.step and (case when q.variant is null then 1 else 0 end) = x.rest and q.state = 'waiting' and q.due_at <= now() limit 1)
    order by random()`,
}

/** One contact at a time: of several the plan would walk through all of the campaign. */
const sendBefore = (contact: string) =>
  `(select jsonb_build_object('state', b.state, 'sentAt', b.sent_at, 'readAt', b.read_at, 'answeredAt', b.answered_at)
        from campaign_recipients b where $4 > 0 and b.tenant_id = $1 and b.campaign_id = $2 and b.step = $4 - 1 and b.contact_id = ${contact}.id)`

/**
 * The next of a lane (`$3` connection, `$4` step, `$5` 1 for what is left of a test), `$6` at most, locked, with all that
 * decides about each: as whom they are reached by now, whether they may be written to, and what became of the send before.
 */
export const takeWaiting: Prepared = {
  name: 'campaign_take_waiting',
  text: `with t as materialized (
      select r.id, r.contact_id, r.variant, r.vars, r.due_at from campaign_recipients r
      where r.tenant_id = $1 and r.campaign_id = $2 and r.connection_id = $3 and r.step = $4
        and (case when r.variant is null then 1 else 0 end) = $5 and r.state = 'waiting' and r.due_at <= now()
      order by r.due_at, r.id limit $6 for no key update skip locked)
    select t.id, t.variant, t.vars, c.id as "contactId", c.is_group as "isGroup",
      jsonb_build_object('name', c.name, 'email', c.email, 'number', c.number, 'businessName', c.business_name,
        'kanban', ${laneName}, 'extraInfo', c.extra_info) as contact,
      (select max(o.last_inbound_at) from tickets o where o.tenant_id = $1 and o.contact_id = c.id and o.connection_id = $3) as "windowFrom",
      (select a.id from tickets a where a.tenant_id = $1 and a.connection_id = $3 and a.contact_id = c.id and a.status <> 'closed') as "activeId",
      $7 <> 'service' and exists (select from (select i.kind, i.value from contact_identities i where i.tenant_id = $1 and i.contact_id = c.id
          union all select 'email', c.email where c.email is not null) i
        join consent_states s on s.tenant_id = $1 and s.identity_kind = i.kind and s.identity_value = i.value and s.channel = $8 and s.purpose = $7
          and not s.is_given) as "isRefused",
      w.id <> c.id and exists (select from campaign_recipients d where d.tenant_id = $1 and d.campaign_id = $2 and d.step = $4
        and d.contact_id = c.id) as "isRepeated",
      coalesce(${sendBefore('w')}, ${sendBefore('c')}) as before
    from t join contacts w on w.tenant_id = $1 and w.id = t.contact_id
      -- Not coalesce: behind row security that would keep it from the index.
      join contacts c on c.tenant_id = $1 and c.id = case when w.merged_into_id is null then w.id else w.merged_into_id end
    order by t.due_at, t.id`,
}

/** What becomes of them, in one statement; the next step of those who were written waits for its time. */
export const settle: Prepared = {
  name: 'campaign_settle',
  text: `with s as (
      select * from jsonb_to_recordset($3::jsonb) as s(id uuid, contact_id uuid, state text, reason text, error text, message_id uuid,
        variant int, cost int, due_at timestamptz)
    ), settled as (
      update campaign_recipients r set contact_id = coalesce(s.contact_id, r.contact_id), state = s.state, reason = s.reason, error = s.error,
        message_id = s.message_id, variant = coalesce(s.variant, r.variant), cost = s.cost, due_at = coalesce(s.due_at, r.due_at),
        failed_at = case when s.state = 'failed' then now() end
      from s where r.tenant_id = $1 and r.id = s.id
    )
    insert into campaign_recipients (tenant_id, id, campaign_id, step, contact_id, connection_id, variant, vars, due_at)
    select $1, n.id, r.campaign_id, r.step + 1, n.contact_id, r.connection_id, n.variant, r.vars, n.due_at
    from jsonb_to_recordset($4::jsonb) as n(id uuid, after_id uuid, contact_id uuid, variant int, due_at timestamptz)
      join campaign_recipients r on r.tenant_id = $1 and r.campaign_id = $2 and r.id = n.after_id
    on conflict (tenant_id, campaign_id, step, contact_id) do nothing`,
}

/** How a campaign's own pace stands on a connection: since when it may write again, and how much it wrote on a day. */
export const lockPace: Prepared = {
  name: 'campaign_pace_lock',
  text: `insert into campaign_paces as p (tenant_id, campaign_id, connection_id, next_at)
    values ($1, $2, $3, now() - interval '1 second') -- kept in milliseconds, now() itself may be rounded up
    on conflict (tenant_id, campaign_id, connection_id) do update set next_at = p.next_at
    returning next_at <= now() as "isDue", case when written_on = $4 then written_today else 0 end as "writtenToday"`,
}
export const movePace: Prepared = {
  name: 'campaign_pace_move',
  text: `update campaign_paces set next_at = now() + make_interval(secs => $5), written_on = $4, written_today = $6
    where tenant_id = $1 and campaign_id = $2 and connection_id = $3`,
}
/** The first of a lane that cannot be written for a reason of ours holds nobody: it is tried again later. */
export const postponeFirst: Prepared = {
  name: 'campaign_postpone',
  text: `update campaign_recipients set due_at = now() + interval '5 minutes' where tenant_id = $1 and id = (
      select r.id from campaign_recipients r where r.tenant_id = $1 and r.campaign_id = $2 and r.connection_id = $3 and r.step = $4
        and (case when r.variant is null then 1 else 0 end) = $5 and r.state = 'waiting' and r.due_at <= now()
      order by r.due_at, r.id limit 1 for update skip locked)`,
}
