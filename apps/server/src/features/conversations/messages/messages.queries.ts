import type { Prepared } from '../../../db/database.ts'

const namedVoters = 50
/** What the poll `m` has come to, as a `PollVotes`. */
const pollResult = `(select jsonb_build_object('people', (select count(*) from poll_votes v
      where v.tenant_id = m.tenant_id and v.message_id = m.id and v.chosen <> '{}'), 'options', coalesce(jsonb_agg(o order by o.option), '[]'))
    from (select r.option, count(*) as count,
        jsonb_agg(jsonb_build_object('fromMe', r.from_me, 'name', r.name) order by r.place) filter (where r.place <= ${namedVoters}) as who
      from (select w.option, v.from_me, c.name, row_number() over (partition by w.option order by v.voted_at) as place
        from poll_votes v cross join unnest(v.chosen) as w(option) left join contacts c on c.tenant_id = v.tenant_id and c.id = v.contact_id
        where v.tenant_id = m.tenant_id and v.message_id = m.id) r group by r.option) o)`
/** Columns of a `MessageRow` from `messages m`, its file `f` and its quoted message `q`. */
export const messageColumns = `m.id, m.seq, m.ticket_id as "ticketId", m.contact_id as "contactId", m.connection_id as "connectionId",
  m.from_me as "fromMe", m.type, m.body, m.media_state as "mediaState", m.location, m.contacts, m.payload, m.send_type as "sendType",
  m.is_forwarded as "isForwarded", m.reactions, m.status, m.error,
  m.provider_id as "providerId", m.user_id as "userId", m.author, m.is_deleted as "isDeleted", m.edited_at as "editedAt",
  m.timestamp, m.created_at as "createdAt", m.version, case when m.type = 'poll' then ${pollResult} end as votes,
  case when f.id is null then null else jsonb_build_object('id', f.id, 'kind', f.kind, 'name', f.name, 'mime', f.mime,
    'size', f.size, 'width', f.width, 'height', f.height, 'durationMs', f.duration_ms, 'thumbKey', f.thumb_key) end as file,
  case when q.id is null then null else jsonb_build_object('id', q.id, 'body', case when q.is_deleted then '' else q.body end,
    'type', q.type, 'fromMe', q.from_me, 'authorName', q.author->>'name') end as quoted`
export const messageJoins = `left join files f on f.tenant_id = m.tenant_id and f.id = m.media_id
  left join messages q on q.tenant_id = m.tenant_id and q.id = m.quoted_id`

export const messageById: Prepared = {
  name: 'message_by_id',
  text: `select ${messageColumns} from messages m ${messageJoins} where m.tenant_id = $1 and m.id = $2`,
}
/** What came after `$3`, oldest first. */
export const messagesAfter: Prepared = {
  name: 'messages_after',
  text: `select ${messageColumns} from (
      select * from messages where tenant_id = $1 and ticket_id = $2 and seq > $3 order by seq limit $4) m ${messageJoins} order by m.seq`,
}
/** What others wrote since a person last looked: the customer, or a colleague. Notes and automatic texts do not count. */
export const unseenByMe: Prepared = {
  name: 'messages_unseen',
  text: `select ${messageColumns} from messages m ${messageJoins} where m.tenant_id = $1 and m.ticket_id = $2 and m.seq > $3
      and m.type not in ('note', 'system') and (not m.from_me or m.user_id <> $4) order by m.seq limit 20`,
}
export const lastInbound: Prepared = {
  name: 'message_last_inbound',
  text: `select m.id, m.provider_id as "providerId", (select jsonb_agg(jsonb_build_object('kind', i.kind, 'value', i.value)) from contact_identities i
      where i.tenant_id = m.tenant_id and i.contact_id = case m.author->>'kind' when 'contact' then (m.author->>'id')::uuid end) as author
    from messages m where m.tenant_id = $1 and m.ticket_id = $2 and not m.from_me
    and m.provider_id is not null order by m.seq desc limit 1`,
}
/** What may be answered to: same contact, same connection for the provider's reference. */
export const quotable: Prepared = {
  name: 'message_quotable',
  text: `select id, body, type, from_me as "fromMe", author->>'name' as "authorName", ticket_id as "ticketId" from messages
    where tenant_id = $1 and id = $2 and contact_id = $3 and not is_deleted and type not in ('note', 'system')`,
}
export const identitiesOf: Prepared = {
  name: 'identities_of_contact',
  text: `select kind, value from contact_identities where tenant_id = $1 and contact_id = $2 order by used_at desc nulls last, created_at`,
}
