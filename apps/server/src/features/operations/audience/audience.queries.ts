import type { Prepared } from '../../../db/database.ts'
import { jumping } from '../../../kit/queue-sql.ts'
import { pacedColumns } from '../../conversations/messages/pace.ts'

/** So far ahead of its pace a connection is fed, and so many at most. */
const aheadMs = 5_000
const mostAhead = 50

export const isAudienceWaiting = `select from audience where state = 'waiting' and attempt_at <= now()`

/**
 * Who is next, of each connection as many as it can send in the next seconds beside what it has in its queue already. A
 * connection is found by a jump in the index, so that a hundred thousand behind the first cost nothing. Nobody in the
 * quiet hours of the company's clock, nor beyond what the day has left: everything a connection sent today counts, but
 * only this waits for it. A number that is warmed up may half as much more each day since it is here.
 */
export const feedable: Prepared = {
  name: 'audience_feedable',
  text: `with recursive lanes as (
      ${jumping('audience', ['tenant_id', 'connection_id'], "state = 'waiting'")}
    ), open as (
      select l.tenant_id, l.connection_id, n.options, n.created_at, ${pacedColumns}, t.timezone, now() at time zone t.timezone as wall,
        p.sent_on, coalesce(p.sent_today, 0) as sent_today
      from lanes l join tenants t on t.id = l.tenant_id and t.status = 'active'
        join connections n on n.tenant_id = l.tenant_id and n.id = l.connection_id
        join jsonb_each($1::jsonb) as k(kind, pace) on k.kind = n.kind
        left join connection_pace p on p.tenant_id = l.tenant_id and p.connection_id = l.connection_id
    ), timed as (
      select *, to_char(wall, 'HH24:MI') as clock, case when sent_on = wall::date then sent_today else 0 end as sent,
        least((options->>'dailyMost')::int, floor((options->>'warmUpFirst')::int
          * 1.5 ^ least(30, wall::date - (created_at at time zone timezone)::date))::bigint) as most
      from open
    ), awake as (
      select *, greatest(1, least(${mostAhead}, ceil(${aheadMs} / rest_ms)))::int as ahead from timed
      where not coalesce(case when options->>'quietFrom' <= options->>'quietUntil'
        then clock >= options->>'quietFrom' and clock < options->>'quietUntil'
        else clock >= options->>'quietFrom' or clock < options->>'quietUntil' end, false)
    ), room as (
      select a.*, least(ahead, coalesce(most, ahead + sent) - sent) - (select count(*) from (
        select from messages m where m.tenant_id = a.tenant_id and m.connection_id = a.connection_id and m.status = 'queued'
        limit ${mostAhead}) q) as free from awake a
    )
    select f.tenant_id as "tenantId", f.id, f.connection_id as "connectionId" from room r cross join lateral (
      select s.tenant_id, s.id, s.connection_id from audience s
      where s.tenant_id = r.tenant_id and s.connection_id = r.connection_id and s.state = 'waiting' and s.attempt_at <= now()
      order by s.attempt_at, s.id limit greatest(0, r.free)) f`,
}

export const postpone: Prepared = {
  name: 'audience_postpone',
  text: `update audience set attempts = attempts + 1, attempt_at = now() + make_interval(secs => least(300, 2 ^ least(attempts, 9)))
    where tenant_id = $1 and id = $2 and state = 'waiting'`,
}
