/** Whom actions touch: parts of statements, shared by who looks for them, does them and shows them beforehand. */

/** Opportunities `o` of the stage of a pipeline action `a` that are due and were not met in this stay. */
export const dueOpportunities = `o.tenant_id = a.tenant_id and o.stage_id = a.stage_id and o.status = 'open'
  and o.stage_since <= now() - make_interval(days => a.days_to_trigger)
  and not exists (select from funnel_action_runs r where r.tenant_id = o.tenant_id and r.action_id = a.id
    and r.opportunity_id = o.id and r.visit_at = o.stage_since)`

/** An open conversation `t` whose customer wrote, was answered, and is to speak. */
export const isCustomersTurn = `t.status = 'open' and not t.is_group and t.paused_at is null and t.waiting_since is null
  and t.last_inbound_at is not null and t.last_message_at > t.last_inbound_at`

/** Since when: our first message after their last. Of a conversation of years only its end is read. */
export const silentSince = `coalesce((select min(h.created_at) from (
    select m.from_me, m.type, m.created_at from messages m where m.tenant_id = t.tenant_id and m.ticket_id = t.id
    order by m.seq desc limit 200) h
  where h.from_me and h.type not in ('note', 'system', 'reaction') and h.created_at > t.last_inbound_at), t.last_message_at)`

/** Conversations `t`, silent since `q.since`, that a ticket action `a` meets and did not meet in this silence. */
export const dueTickets = `t.tenant_id = a.tenant_id and ${isCustomersTurn}
  and (a.connection_id is null or t.connection_id = a.connection_id)
  and t.last_inbound_at <= now() - make_interval(hours => a.hours_without_response)
  and q.since <= now() - make_interval(hours => a.hours_without_response) and (a.started_at is null or q.since >= a.started_at)
  and not exists (select from funnel_action_runs r where r.tenant_id = t.tenant_id and r.action_id = a.id
    and r.ticket_id = t.id and r.visit_at = t.last_inbound_at)`
