import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { Message, MessageStatus } from '@balcao/contract/conversations/messages.ts'
import type { Prepared } from '../../../db/database.ts'
import { type TicketState, ticketStateColumns } from './ticket-state.ts'

/** A message in a sender's hands, with all its adapter needs. */
export type Claimed = {
  tenantId: number
  id: string
  connectionId: string
  kind: ChannelKind
  type: Message['type']
  body: string
  location: Message['location']
  contacts: Message['contacts'] | null
  payload: Message['payload']
  attempts: number
  file: { id: string; name: string; mime: string; size: number } | null
  identities: Identity[]
  quotedProviderId: string | null
}

const claimedColumns = `c.tenant_id as "tenantId", c.id, c.connection_id as "connectionId", n.kind, c.type, c.body, c.location, c.contacts, c.payload, c.attempts,
  case when f.id is null then null else jsonb_build_object('id', f.id, 'name', f.name, 'mime', f.mime, 'size', f.size) end as file,
  coalesce((select jsonb_agg(jsonb_build_object('kind', i.kind, 'value', i.value) order by i.used_at desc nulls last, i.created_at) from contact_identities i
    where i.tenant_id = c.tenant_id and i.contact_id = c.contact_id), '[]') as identities,
  (select q.provider_id from messages q where q.tenant_id = c.tenant_id and q.id = c.quoted_id and q.connection_id = c.connection_id) as "quotedProviderId"`
const claimedJoins = `join connections n on n.tenant_id = c.tenant_id and n.id = c.connection_id
  left join files f on f.tenant_id = c.tenant_id and f.id = c.media_id`

/**
 * Takes the first unsent message of each conversation whose time has come: the next one of a conversation is never
 * touched while an earlier one waits or is being sent. At most `$3` per connection, none of the connections in `$2`.
 */
export const claimQueued: Prepared = {
  name: 'sender_claim',
  text: `with heads as (
      select distinct on (tenant_id, ticket_id) tenant_id, id, seq, connection_id, status, next_attempt_at
      from messages where status in ('queued', 'sending') order by tenant_id, ticket_id, seq
    ), due as (
      select *, row_number() over (partition by tenant_id, connection_id order by seq) as place from heads
      where status = 'queued' and (next_attempt_at is null or next_attempt_at <= now()) and connection_id <> all($2::uuid[])
    ), taken as (
      select m.tenant_id, m.id from messages m join due d on d.tenant_id = m.tenant_id and d.id = m.id
      where m.status = 'queued' and d.place <= $3 order by m.seq limit $4 for no key update of m skip locked
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
        or m.claimed_by = $1 and m.claimed_at < now() - interval '5 seconds' and m.id <> all($4::uuid[]))
      limit 100 for no key update skip locked
    ), c as (
      update messages m set claimed_by = $1, claimed_at = now()
      from taken t where m.tenant_id = t.tenant_id and m.id = t.id returning m.*
    )
    select ${claimedColumns} from c ${claimedJoins} order by c.seq`,
}
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
      where tenant_id = $1 and id = $2 and claimed_by = $3 for no key update)
    select m.id as "messageId", m.status as "messageStatus", m.error, m.version as "messageVersion", m.provider_id as "providerId", ${ticketStateColumns}
    from locked m join tickets t on t.tenant_id = $1 and t.id = m.ticket_id`,
}
export const takeEarlyStatuses: Prepared = {
  name: 'sender_early',
  text: `with taken as (
      delete from early_statuses where tenant_id = $1 and connection_id = $2 and provider_id = $3 returning id, status, error)
    select status, error from taken order by id`,
}
/** Ends a claim; `$3` is when to try again, null for never. */
export const releaseClaim: Prepared = {
  name: 'sender_release',
  text: `update messages set claimed_by = null, claimed_at = null, next_attempt_at = $3::timestamptz where tenant_id = $1 and id = $2`,
}
/** The provider echoed our own message before we knew its id: the echo is not a second message. */
export const dropEcho: Prepared = {
  name: 'sender_drop_echo',
  text: `delete from messages where tenant_id = $1 and connection_id = $2 and provider_id = $3 and id <> $4 and from_me and user_id is null`,
}
export const linkIdentities: Prepared = {
  name: 'sender_link_identities',
  text: `insert into contact_identities (tenant_id, kind, value, contact_id)
    select $1, i.kind, i.value, m.contact_id from messages m, jsonb_to_recordset($3::jsonb) as i(kind text, value text)
    where m.tenant_id = $1 and m.id = $2 on conflict do nothing`,
}
