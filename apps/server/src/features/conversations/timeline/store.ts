import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { TicketDelta } from '@balcao/contract/events.ts'
import pg from 'pg'
import type { DrawnPicture } from '../../../channels/adapter.ts'
import type { Prepared, Together, Tx } from '../../../db/database.ts'
import { type Audience, relayCommitted } from '../../../kit/outbox.ts'
import { deltaOf } from './ticket-facts.ts'
import type { TicketState } from './ticket-state.ts'
import { type Decided, turnParts, turnRowOf } from './turns.ts'

/** A message to store: how it looks to people (its `seq` is given here), and what only the pipes know of it. */
export type NewMessage = {
  message: Message
  connectionId: string
  providerId?: string | null
  mediaId?: string | null
  mediaSource?: Record<string, unknown> | null
  quotedId?: string | null
  /** Of an e-mail: as it was written. */
  mailBody?: MailBody
  /** Not before then; left out, as soon as it can. */
  sendAt?: Date
  audience: Audience
  /** The ticket as it stands with this message in it. */
  ticket: TicketState
}
export type MailBody = { html: string; pictures: DrawnPicture[] }
/** A line of the team's, which leaves its ticket as it is. */
export type NewLine = Omit<NewMessage, 'ticket'> & { delta: TicketDelta }

/** Who believed out of reach has written, at that time. */
export type Reached = Identity & { at: Date }

/** Another process stored one of these messages a moment ago: look again. */
export const isAlreadyStored = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === '23505' && error.table?.startsWith('messages') === true

/**
 * Stores messages with everything that follows from them in one statement: the tickets' new faces, the contacts' last
 * sign of life and reachability, the journal's ticks and the events. The caller holds the locks of the tickets. It goes with
 * the next statement or the commit, which throws what `isAlreadyStored` knows; each message has its `seq` from the commit on.
 */
export const storeMessages = (tx: Tx, given: Given) => tx.lateTogether(together, given)

type Given = {
  messages: (NewMessage | NewLine)[]
  tickets: TicketState[]
  contactIds?: string[]
  reached?: Reached[]
  journalIds?: string[]
  /** What is now left to be done by itself about these conversations; those not named stay as they are. */
  decided?: Decided[]
}

const valuesOf = (tenantId: number, all: Given[]) => {
  const messages = all.flatMap((given) => given.messages)
  // As each stands at last: a row is written once in a statement.
  const tickets = lastOf(
    all.flatMap((given) => given.tickets),
    ({ id }) => id,
  )
  const decided = lastOf(
    all.flatMap((given) => given.decided ?? []),
    ({ ticketId }) => ticketId,
  )
  return [
    tenantId,
    JSON.stringify(messages.map((one) => ({ ...rowOf(one), ...eventOf(one) }))),
    JSON.stringify(tickets.map(faceOf)),
    all.flatMap(({ contactIds }) => contactIds ?? []),
    all.flatMap(({ journalIds }) => journalIds ?? []),
    tickets.map((ticket) => ticket.id),
    JSON.stringify(all.flatMap(({ reached }) => reached ?? [])),
    JSON.stringify(decided.map(turnRowOf)),
    [...new Set(messages.flatMap(({ message }) => (isSent(message) ? message.contactId : [])))],
  ]
}
const lastOf = <T>(all: T[], keyOf: (one: T) => string): T[] => [
  ...new Map(all.map((one) => [keyOf(one), one])).values(),
]

const eventOf = (one: NewMessage | NewLine) => ({
  name: 'message.created' as const,
  audience: one.audience,
  payload: { message: one.message, ticket: 'delta' in one ? one.delta : deltaOf(one.ticket) },
})

const committed = (tenantId: number, all: Given[], rows: object[]) => {
  const messages = all.flatMap((given) => given.messages)
  const stored = rows as Stored[]
  for (const [at, { message }] of messages.entries()) message.seq = stored[at]?.seq ?? 0
  relayCommitted(
    tenantId,
    messages.map(eventOf),
    stored.map(({ outboxSeq }) => ({ seq: outboxSeq })),
  )
}
type Stored = { seq: number; outboxSeq: number }

/** Something for the customer, and no line of the team's own. */
const isSent = ({ fromMe, type }: Message) => fromMe && type !== 'note' && type !== 'system'

const rowOf = ({
  message,
  mailBody,
  connectionId,
  providerId,
  mediaId,
  mediaSource,
  quotedId,
  sendAt,
}: NewMessage | NewLine) => ({
  html: mailBody?.html,
  pictures: mailBody?.pictures,
  id: message.id,
  ticket_id: message.ticketId,
  contact_id: message.contactId,
  connection_id: connectionId,
  from_me: message.fromMe,
  type: message.type,
  body: message.body,
  media_id: mediaId ?? null,
  media_state: message.mediaState,
  media_source: mediaSource ?? undefined,
  location: message.location ?? undefined,
  contacts: message.contacts.length ? message.contacts : undefined,
  content: message.payload ?? undefined,
  send_type: message.sendType,
  is_forwarded: message.isForwarded,
  quoted_id: quotedId ?? null,
  status: message.status,
  provider_id: providerId ?? null,
  user_id: message.user?.id ?? null,
  author: message.author ?? undefined,
  timestamp: message.timestamp,
  created_at: message.createdAt,
  next_attempt_at: sendAt,
})

const faceOf = (ticket: TicketState) => ({
  id: ticket.id,
  unread_messages: ticket.unreadMessages,
  answered: ticket.answered,
  last_message: ticket.lastMessage,
  last_message_type: ticket.lastMessageType,
  last_author_id: ticket.lastAuthor?.id ?? null,
  last_message_at: ticket.lastMessageAt,
  last_inbound_at: ticket.lastInboundAt,
  waiting_since: ticket.waitingSince,
  first_answered_at: ticket.firstAnsweredAt,
  paused_at: ticket.pausedAt,
  paused_until: ticket.pausedUntil,
  pause_reason: ticket.pauseReason,
  paused_ms: ticket.pausedMs,
  updated_at: ticket.updatedAt,
  version: ticket.version,
})

const statement: Prepared = {
  name: 'messages_store',
  text: `with given as (
      select * from jsonb_to_recordset($2::jsonb) as g(id uuid, ticket_id uuid, contact_id uuid, connection_id uuid, from_me boolean,
        type text, body text, media_id uuid, media_state text, media_source jsonb, location jsonb, contacts jsonb, content jsonb, send_type text, is_forwarded boolean, quoted_id uuid,
        status text, provider_id text, user_id uuid, author jsonb, timestamp timestamptz, created_at timestamptz, payload jsonb, audience jsonb,
        html text, pictures jsonb, next_attempt_at timestamptz)
    ), stored as (
      insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, from_me, type, body, media_id, media_state,
        media_source, location, contacts, payload, send_type, is_forwarded, quoted_id, status, provider_id, user_id, author, timestamp, created_at, next_attempt_at)
      select $1, id, ticket_id, contact_id, connection_id, from_me, type, body, media_id, media_state,
        media_source, location, contacts, content, send_type, is_forwarded, quoted_id, status, provider_id, user_id, author, timestamp, created_at, next_attempt_at from given
      returning id, seq
    ), formatted as (
      insert into mail_bodies (tenant_id, message_id, html, pictures) select $1, id, html, pictures from given where html is not null
    ), changed as (
      update tickets t set unread_messages = n.unread_messages, answered = n.answered, last_message = n.last_message,
        last_message_type = n.last_message_type, last_author_id = n.last_author_id, last_message_at = n.last_message_at, last_inbound_at = n.last_inbound_at,
        waiting_since = n.waiting_since, first_answered_at = n.first_answered_at, paused_at = n.paused_at,
        paused_until = n.paused_until, pause_reason = n.pause_reason, paused_ms = n.paused_ms, updated_at = n.updated_at, version = n.version
      from jsonb_to_recordset($3::jsonb) as n(id uuid, unread_messages int, answered boolean, last_message text, last_message_type text,
        last_author_id uuid, last_message_at timestamptz, last_inbound_at timestamptz, waiting_since timestamptz, first_answered_at timestamptz,
        paused_at timestamptz, paused_until timestamptz, pause_reason text, paused_ms bigint, updated_at timestamptz, version int)
      where t.tenant_id = $1 and t.id = any($6::uuid[]) and t.id = n.id
    ), met as (
      update contact_activity set last_message_at = case when contact_id = any($4::uuid[]) then now() else last_message_at end,
        last_sent_at = case when contact_id = any($9::uuid[]) then now() else last_sent_at end
      where tenant_id = $1 and contact_id = any($4::uuid[] || $9::uuid[])
    ), reached as (
      update contact_identities i set unreachable_reason = null, reach_told_at = r.at
      from jsonb_to_recordset($7::jsonb) as r(kind text, value text, at timestamptz)
      where i.tenant_id = $1 and i.kind = r.kind and i.value = r.value and i.unreachable_reason is not null
        and coalesce(i.reach_told_at, '-infinity') <= r.at
    ), done as (
      update journal set state = 'done', processed_at = now(), error = null where tenant_id = $1 and id = any($5::uuid[])
    ), ${turnParts('$8')}, told as (
      insert into outbox (tenant_id, name, payload, audience)
      select $1, 'message.created', jsonb_set(g.payload, '{message,seq}', to_jsonb(s.seq)), g.audience
      from stored s join given g on g.id = s.id order by s.seq
      returning seq, (payload -> 'message' ->> 'id')::uuid as id
    )
    select s.seq, o.seq as "outboxSeq" from stored s join told o on o.id = s.id order by s.seq`,
}
const together: Together<Given> = { statement, valuesOf, committed }
