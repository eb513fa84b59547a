import { pacedColumns } from '../../conversations/messages/pace.ts'

/** So far ahead of its pace a connection is fed, and so many at most. */
const aheadMs = 5_000
export const mostAhead = 400

/**
 * Parts of a statement: what connections may still be given of what nobody waits for. `from`: the name of the part before
 * them that has `tenant_id` and `connection_id`, once each; `$1`: the pace of each kind. `room` has both and `free`: as many
 * as the connection can send in the next seconds beside what it has in its queue. None in the quiet hours of the company's
 * clock, nor beyond what the day has left: everything a connection sent today counts, but only this waits for it. A number
 * that is warmed up may half as much more each day since it is here.
 */
export const roomParts = (from: string) => `open as (
      select l.tenant_id, l.connection_id, n.options, n.created_at, ${pacedColumns}, t.timezone, now() at time zone t.timezone as wall,
        p.sent_on, coalesce(p.sent_today, 0) as sent_today
      from ${from} l join tenants t on t.id = l.tenant_id and t.status = 'active'
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
    )`
