import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { type Message, type MessageStatus, mostInAlbum } from '@balcao/contract/conversations/messages.ts'
import type { Prepared } from '../../../db/database.ts'
import { jumping } from '../../../kit/queue-sql.ts'
import { type TicketState, ticketStateColumns } from '../timeline/ticket-state.ts'
import { pacedColumns } from './pace.ts'
import { isLate } from './reach.ts'

/** A message in a sender's hands, with all its adapter needs. */
export type Claimed = {
  tenantId: number
  id: string
  connectionId: string
  kind: ChannelKind
  abilities: Abilities
  type: Message['type']
  body: string
  location: Message['location']
  contacts: Message['contacts'] | null
  payload: Message['payload']
  attempts: number
  file: { id: string; name: string; mime: string; size: number } | null
  identities: Identity[]
  quotedProviderId: string | null
  isFirst: boolean
  isLate: boolean
  /** Nobody wrote it. */
  isAutomatic: boolean
  /** Of a campaign: nobody waits for it. */
  isOfMany: boolean
  /** Where subjects are: the last mail of its conversation. */
  mailHtml: string | null
  mailBefore: { id: string; subject: string; references: string[] } | null
  quotedBy: { fromMe: boolean; author?: Identity[] } | null
  /** Where comments are: the last word of theirs, by the provider's id. */
  lastHeard: string | null
}

const claimedColumns = `c.tenant_id as "tenantId", c.id, c.connection_id as "connectionId", n.kind, n.abilities, c.type, c.body, c.location, c.contacts, c.payload, c.attempts,
  case when f.id is null then null else jsonb_build_object('id', f.id, 'name', f.name, 'mime', f.mime, 'size', f.size) end as file,
  coalesce((select jsonb_agg(jsonb_build_object('kind', i.kind, 'value', i.value) order by i.used_at desc nulls last, i.created_at) from contact_identities i
    where i.tenant_id = c.tenant_id and i.contact_id = c.contact_id), '[]') as identities,
  (select q.provider_id from messages q where q.tenant_id = c.tenant_id and q.id = c.quoted_id and q.connection_id = c.connection_id) as "quotedProviderId",
  (select jsonb_strip_nulls(jsonb_build_object('fromMe', q.from_me, 'author', (select jsonb_agg(jsonb_build_object('kind', i.kind, 'value', i.value)) from contact_identities i
      where i.tenant_id = q.tenant_id and i.contact_id = case q.author->>'kind' when 'contact' then (q.author->>'id')::uuid end)))
    from messages q where q.tenant_id = c.tenant_id and q.id = c.quoted_id and q.connection_id = c.connection_id) as "quotedBy",
  not exists (select from tickets w where w.tenant_id = c.tenant_id and w.contact_id = c.contact_id and w.connection_id = c.connection_id
    and (w.last_inbound_at is not null or w.is_group)) as "isFirst",
  ${isLate} as "isLate",
  coalesce(c.author->>'kind' in ('rule', 'flow', 'assistant', 'system'), false) as "isAutomatic", c.send_type = 'campaign' as "isOfMany",
  case when c.payload ? 'mail' then (
    select b.html from mail_bodies b where b.tenant_id = c.tenant_id and b.message_id = c.id) end as "mailHtml",
  case when n.abilities->'supports' @> '["mail"]' then (
    select jsonb_build_object('id', q.provider_id, 'subject', q.payload #>> '{mail,subject}', 'references', coalesce(q.payload #> '{mail,references}', '[]'))
    from messages q where q.tenant_id = c.tenant_id and q.ticket_id = c.ticket_id and q.provider_id is not null
      and q.id <> c.id and q.payload ? 'mail' order by q.seq desc limit 1) end as "mailBefore",
  case when n.abilities->'supports' @> '["comments"]' then (
    select q.provider_id from messages q where q.tenant_id = c.tenant_id and q.ticket_id = c.ticket_id
      and q.provider_id is not null and not q.from_me order by q.seq desc limit 1) end as "lastHeard"`
const claimedJoins = `join connections n on n.tenant_id = c.tenant_id and n.id = c.connection_id
  left join files f on f.tenant_id = c.tenant_id and f.id = c.media_id`

/** So many of one connection at most in one claim. */
const mostPerClaim = 20
/** Conversations of a connection that are passed by whole once one message of theirs had to wait. */
const mostPassed = 50

/** What goes to many leaves one by one, and is taken for so long at once: killed with it in hand, it would be uncertain. */
const manyAheadMs = 100

/** With what it costs its connection: when that may send again. */
export type Taken = Claimed & { restsForMs: number }

/**
 * Takes the first unsent message of each conversation on each connection whose time has come, and moves the time of its connection in the
 * same statement, so that nothing taken waits and no two processes send faster than one. The next message of a
 * conversation is never touched while an earlier one over the same connection waits or is being sent. Companies take turns, and so do the
 * connections of one. What waits is not counted: a connection is asked for its first few, found by a jump in the index,
 * so a hundred thousand behind them cost nothing; where one conversation has thousands, they are passed by together. What goes to many waits for what people say by the same connection. A claim
 * that comes a little late makes up for it, so that a connection sends as much as it may. At most `$3` in all, none of the connections in `$2`; `$4` is the pace of
 * each kind. What leaves by a session is for its owner (`$5`) alone; `$6`: this process sends nothing else.
 */
export const claimQueued: Prepared = {
  name: 'sender_claim',
  text: `with recursive lanes as (
      ${jumping('messages', ['tenant_id', 'connection_id'], "status = 'queued'")}
    ), open as (
      select l.tenant_id, l.connection_id, p.next_at, ${pacedColumns}, (now() at time zone t.timezone)::date as today
      from lanes l join tenants t on t.id = l.tenant_id join connections n on n.tenant_id = l.tenant_id and n.id = l.connection_id
        join jsonb_each($4::jsonb) as k(kind, pace) on k.kind = n.kind
        left join connection_pace p on p.tenant_id = l.tenant_id and p.connection_id = l.connection_id
      where l.connection_id <> all($2::uuid[]) and n.stopped_at is null and (p.next_at is null or p.next_at <= now())
        and case when n.uses_session then exists (select from connection_leases s where s.tenant_id = n.tenant_id
          and s.connection_id = n.id and s.owner = $5) else not $6 end
    ), heads as (
      select o.*, m.id, m.seq, m.is_of_many, row_number() over (partition by o.tenant_id, o.connection_id order by m.is_of_many, m.seq) as place
      from open o cross join lateral (
        with recursive walk as (
          select null::uuid as id, 0::bigint as seq, false as is_of_many, false as is_head, '{}'::uuid[] as passed
          union all
          select m.id, m.seq, m.is_of_many, m.is_head,
            case when m.is_head or cardinality(w.passed) >= ${mostPassed} then w.passed else w.passed || m.ticket_id end
          from walk w cross join lateral (
            select n.*, not exists (select from messages e where e.tenant_id = o.tenant_id and e.ticket_id = n.ticket_id
                and e.connection_id = o.connection_id and e.status in ('queued', 'sending') and e.seq < n.seq) as is_head
            from (
              select m.id, m.seq, m.ticket_id, m.send_type = 'campaign' as is_of_many from messages m
              where m.tenant_id = o.tenant_id and m.connection_id = o.connection_id and m.status = 'queued'
                and (m.send_type = 'campaign', m.seq) > (w.is_of_many, w.seq) and m.ticket_id <> all(w.passed)
                and (m.next_attempt_at is null or m.next_attempt_at <= now())
                and (o.pair_seconds is null or not exists (select from (
                  select e.claimed_at from messages e where e.tenant_id = m.tenant_id and e.ticket_id = m.ticket_id and e.seq < m.seq
                  order by e.seq desc limit 10) last where last.claimed_at > now() - make_interval(secs => o.pair_seconds)))
              order by m.send_type = 'campaign', m.seq limit 1) n
            offset 0) m -- asked once of each
        )
        select id, seq, is_of_many from walk where is_head limit ${mostPerClaim}) m -- a plan of one cost, however many wait
    ), turns as (
      select *, row_number() over (partition by tenant_id order by place, seq) as turn from heads
      where place <= case when is_of_many then least(burst, greatest(1, ceil(${manyAheadMs} / rest_ms))) else burst end
    ), chosen as (
      select * from turns order by turn, next_at nulls first, seq limit $3
    ), paced as (
      insert into connection_pace as p (tenant_id, connection_id, last_sent_at, next_at, sent_on, sent_today)
      select tenant_id, connection_id, now(), case when is_steady and next_at > now() - rest then next_at else now() end + rest, today, many
      from (select tenant_id, connection_id, min(next_at) as next_at, min(today) as today, count(*) as many, min(burst) > 1 as is_steady,
          make_interval(secs => count(*) * min(rest_ms) / 1000 * (1 + min(jitter) / 100.0 * (2 * random() - 1))) as rest
        from chosen group by tenant_id, connection_id) c order by tenant_id, connection_id
      on conflict (tenant_id, connection_id) do update set last_sent_at = now(), next_at = excluded.next_at, sent_on = excluded.sent_on,
        sent_today = case when p.sent_on = excluded.sent_on then p.sent_today else 0 end + excluded.sent_today
        where p.next_at <= now()
      returning p.tenant_id, p.connection_id, p.next_at
    ), taken as (
      select m.tenant_id, m.id, p.next_at from messages m
        join chosen d on d.tenant_id = m.tenant_id and d.id = m.id
        join paced p on p.tenant_id = d.tenant_id and p.connection_id = d.connection_id
      where m.status = 'queued' for no key update of m skip locked
    ), c as (
      update messages m set status = 'sending', claimed_by = $1, claimed_at = now(), attempts = m.attempts + 1
      from taken t where m.tenant_id = t.tenant_id and m.id = t.id returning m.*, t.next_at
    )
    select ${claimedColumns}, ceil(extract(epoch from c.next_at - now()) * 1000)::int as "restsForMs"
    from c ${claimedJoins} order by c.seq`,
}

/** What waits of the album of a message in hand (`$3`): it goes with it. */
export const claimAlbum: Prepared = {
  name: 'sender_claim_album',
  text: `with head as (
      select ticket_id, connection_id, payload #>> '{album,id}' as album from messages where tenant_id = $2 and id = $3
    ), taken as (
      select m.tenant_id, m.id from head h join messages m on m.tenant_id = $2 and m.ticket_id = h.ticket_id
        and m.connection_id = h.connection_id and m.status = 'queued' and m.payload #>> '{album,id}' = h.album
      order by m.seq limit ${mostInAlbum - 1} for no key update of m skip locked
    ), c as (
      update messages m set status = 'sending', claimed_by = $1, claimed_at = now(), attempts = m.attempts + 1
      from taken t where m.tenant_id = t.tenant_id and m.id = t.id returning m.*
    )
    select ${claimedColumns} from c ${claimedJoins} order by c.seq`,
}

/**
 * Takes over messages whose sender is gone: nobody has said for a while that they are in hand. Our own count too, when
 * we no longer hold them (`$4`): their outcome could not be recorded.
 */
export const claimAbandoned: Prepared = {
  name: 'sender_claim_abandoned',
  text: `with taken as (
      select m.tenant_id, m.id from messages m where m.status = 'sending' and (
        m.claimed_by is distinct from $1 and (m.claimed_at is null or m.claimed_at < now() - make_interval(secs => $2) or m.claimed_by = any($3::text[]))
        or m.claimed_by = $1 and m.claimed_at < now() - interval '5 seconds'
          and (m.tenant_id, m.id) not in (select * from unnest($4::int[], $5::uuid[])))
      limit 100 for no key update skip locked
    ), c as (
      update messages m set claimed_by = $1, claimed_at = now()
      from taken t where m.tenant_id = t.tenant_id and m.id = t.id returning m.*
    )
    select ${claimedColumns} from c ${claimedJoins} order by c.seq`,
}
/** Nearly always in hand no longer than this; then it is asked whose they are. */
export const isHeldLong = `select from messages where status = 'sending' and claimed_at < now() - interval '2 seconds'`
export const isQueued = `select from messages where status = 'queued' and (next_attempt_at is null or next_attempt_at <= now())`
export const senders: Prepared = {
  name: 'sender_owners',
  text: `select distinct claimed_by as "claimedBy" from messages where status = 'sending' and claimed_by is not null`,
}
/** "Still in hand." */
export const keepClaims: Prepared = {
  name: 'sender_keep',
  text: `update messages m set claimed_at = now() from unnest($2::int[], $3::uuid[]) as k(tenant_id, id)
    where m.tenant_id = k.tenant_id and m.id = k.id and m.claimed_by = $1 and m.status = 'sending'`,
}

/** Known by the provider's id from before it leaves, so that its echo finds it. */
export const nameChosen: Prepared = {
  name: 'sender_name_chosen',
  text: `update messages set provider_id = $4 where tenant_id = $1 and id = $2 and claimed_by = $3 and provider_id is distinct from $4`,
}

export type Sending = TicketState & {
  messageId: string
  messageStatus: MessageStatus
  error: string | null
  messageVersion: number
  providerId: string | null
}
/** The message as it stands when its outcome is recorded: only by the one who holds it. */
export const lockSending: Prepared = {
  name: 'sender_lock',
  text: `with locked as (
      select id, status, error, version, provider_id, ticket_id from messages
      where tenant_id = $1 and id = any($2::uuid[]) and claimed_by = $3 order by id for no key update)
    select m.id as "messageId", m.status as "messageStatus", m.error, m.version as "messageVersion", m.provider_id as "providerId", ${ticketStateColumns}
    from locked m join tickets t on t.tenant_id = $1 and t.id = m.ticket_id`,
}
/** Messages (`$4`) with the ids they got (`$3`), as `s`; `$1` is the tenant. Only of those that `$5` holds (`lockSending`). */
const sentBy = `unnest($3::text[], $4::uuid[]) as s(provider_id, id)
    join messages h on h.tenant_id = $1 and h.id = s.id and h.claimed_by = $5`
/** What was told of them before, by the provider's id or by ours. */
export const takeEarlyStatuses: Prepared = {
  name: 'sender_early',
  text: `with taken as (
      delete from early_statuses e using ${sentBy}
      where e.tenant_id = $1 and e.connection_id = $2 and e.provider_id = any($3::text[] || $4::uuid[]::text[])
        and e.provider_id in (s.provider_id, s.id::text)
      returning e.id, s.id as "messageId", e.status, e.error, e.is_unreachable as "isUnreachable")
    select "messageId", status, error, "isUnreachable" from taken order by id`,
}
/** It did not leave: what they had read by then was something else. */
export const forgetRead: Prepared = {
  name: 'sender_forget_read',
  text: 'delete from early_statuses where tenant_id = $1 and connection_id = $2 and provider_id = $3',
}
/** Ends a claim, and leaves when it was; `$3` is when to try again, null for never. */
export const releaseClaim: Prepared = {
  name: 'sender_release',
  text: `update messages set claimed_by = null, next_attempt_at = $3::timestamptz where tenant_id = $1 and id = any($2::uuid[])`,
}
export const keepPollKey: Prepared = {
  name: 'sender_poll_key',
  text: 'update messages set poll_key = $3 where tenant_id = $1 and id = $2',
}
/** The provider echoed our own message before we knew its id, in other words: the echo is not a second message. */
export const dropEcho: Prepared = {
  name: 'sender_drop_echo',
  text: `delete from messages m using ${sentBy}
    where m.tenant_id = $1 and m.connection_id = $2 and m.provider_id = any($3::text[]) and m.provider_id = s.provider_id and m.id <> s.id
      and m.from_me and m.user_id is null
    returning m.id, m.ticket_id as "ticketId", m.contact_id as "contactId", m.status, m.error, s.id as "messageId"`,
}
export const linkIdentities: Prepared = {
  name: 'sender_link_identities',
  text: `insert into contact_identities (tenant_id, kind, value, contact_id)
    select $1, i.kind, i.value, m.contact_id from messages m, jsonb_to_recordset($3::jsonb) as i(kind text, value text)
    where m.tenant_id = $1 and m.id = $2 on conflict do nothing`,
}
