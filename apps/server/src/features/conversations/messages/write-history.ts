import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { Message } from '@balcao/contract/conversations/messages.ts'
import { v5, v7 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'
import { cleanText } from '../../../kit/text.ts'
import { previewOf } from '../timeline/preview.ts'

/** A message that was exchanged before its channel came to us. */
export type OldMessage = {
  /** The provider's id: the same twice is one message. */
  providerId: string
  fromMe: boolean
  /** A member of a group; left out, the contact or the company. */
  author?: Author
  type: Exclude<Message['type'], 'note' | 'system' | 'reaction'>
  body: string
  timestamp: Date
  location?: Message['location']
  contacts?: Message['contacts']
  payload?: Message['payload']
  /** A file the provider keeps, as its adapter will be asked for it. */
  media?: Record<string, unknown>
}

/** What was said with one contact. */
type OldConversation = { contactId: string; messages: OldMessage[] }
type Given = {
  connectionId: string
  queueId?: string | null
  /** They wait in their queue instead of being closed, where nothing else of the contact is open on the channel. */
  isOpen?: boolean
  conversations: OldConversation[]
}

/**
 * Stores old messages at their own time and before all live ones, and nobody hears of it: those of a contact are a
 * conversation of their own, without unread messages, deadlines, answers or notices. What is given again changes nothing;
 * older or newer pages find their place. Answers how many are new.
 */
export const writeHistory = async (
  tx: Tx,
  { connectionId, queueId = null, isOpen = false, conversations }: Given,
): Promise<number> => {
  const inOrder = conversations.flatMap(({ contactId, messages }) => {
    const said = messages.toSorted((a, b) => a.timestamp.getTime() - b.timestamp.getTime())
    const [first, last] = [said[0], said.at(-1)]
    return first && last ? [{ contactId, ticketId: oldTicketOf(connectionId, contactId), said, first, last }] : []
  })
  if (!inOrder.length) return 0
  const tickets = inOrder.map(({ contactId, ticketId, first, last }) => ({
    contact_id: contactId,
    ticket_id: ticketId,
    first_at: first.timestamp,
    last_at: last.timestamp,
    preview: previewOf(last),
    type: last.type,
    from_me: last.fromMe,
  }))
  await tx.rows(openTickets, [tx.tenantId, connectionId, queueId, isOpen, JSON.stringify(tickets)])
  const rows = inOrder.flatMap(({ contactId, ticketId, said }) =>
    placed(said).map((one) => ({ ...one, contact_id: contactId, ticket_id: ticketId })),
  )
  const stored = await tx.rows<{ ticketId: string }>(storeOld, [tx.tenantId, connectionId, JSON.stringify(rows)])
  const grown = new Set(stored.map(({ ticketId }) => ticketId))
  if (grown.size)
    await tx.rows(showOld, [tx.tenantId, JSON.stringify(tickets.filter(({ ticket_id }) => grown.has(ticket_id)))])
  return stored.length
}

/** The conversation that holds what was said with a contact before. */
export const oldTicketOf = (connectionId: string, contactId: string) => v5(`historico:${connectionId}`, contactId)

/**
 * Live messages are counted from one; these stand below zero by their time, a thousand places to a millisecond, so that
 * pages that come in any order fall into theirs.
 */
const placed = (inOrder: OldMessage[]) => {
  let place = Number.NEGATIVE_INFINITY
  return inOrder.map(({ providerId, fromMe, author, type, body, timestamp, location, contacts, payload, media }) => {
    const ms = Math.min(Math.max(timestamp.getTime(), earliestMs), latestMs)
    place = Math.max(place + 1, (ms - latestMs) * 1_000 - 1)
    return {
      id: v7({ msecs: timestamp.getTime() }),
      seq: place,
      from_me: fromMe,
      author,
      type,
      body: cleanText(body),
      location,
      contacts: contacts?.length ? contacts : undefined,
      payload: payload ?? undefined,
      media_source: media,
      media_state: media ? 'fetching' : 'none',
      provider_id: providerId,
      timestamp,
    }
  })
}
/** Between 2001 and 2286 the places are whole numbers that a browser can hold. */
const earliestMs = 1_000_000_000_000
const latestMs = 10_000_000_000_000

const openTickets: Prepared = {
  name: 'history_open_tickets',
  text: `insert into tickets (tenant_id, id, protocol, status, contact_id, connection_id, queue_id, is_group, started_at, closed_at, created_at, updated_at)
    select $1, g.ticket_id, next_protocol(), s.status, g.contact_id, $2, $3, c.is_group, g.first_at,
      case when s.status = 'closed' then g.last_at end, g.first_at, g.last_at
    from jsonb_to_recordset($5::jsonb) as g(ticket_id uuid, contact_id uuid, first_at timestamptz, last_at timestamptz)
      join contacts c on c.tenant_id = $1 and c.id = g.contact_id
      cross join lateral (select case when $4 and not exists (select from tickets o where o.tenant_id = $1 and o.connection_id = $2
        and o.contact_id = g.contact_id and o.status <> 'closed') then 'pending' else 'closed' end as status) s
    order by g.ticket_id
    on conflict (tenant_id, id) do update set created_at = least(tickets.created_at, excluded.created_at),
      started_at = least(tickets.started_at, excluded.started_at),
      closed_at = case when tickets.status = 'closed' then greatest(tickets.closed_at, excluded.updated_at) end,
      updated_at = greatest(tickets.updated_at, excluded.updated_at)`,
}
const storeOld: Prepared = {
  name: 'history_store',
  text: `insert into messages (tenant_id, id, seq, ticket_id, contact_id, connection_id, from_me, author, type, body, location, contacts, payload,
      media_source, media_state, send_type, status, provider_id, timestamp, created_at)
    select $1, g.id, g.seq, g.ticket_id, g.contact_id, $2, g.from_me, g.author, g.type, g.body, g.location, g.contacts, g.payload, g.media_source,
      g.media_state, 'sync', case when g.from_me then 'sent' else 'received' end, g.provider_id, g.timestamp, g.timestamp
    from jsonb_to_recordset($3::jsonb) as g(id uuid, seq bigint, ticket_id uuid, contact_id uuid, from_me boolean, author jsonb, type text,
      body text, location jsonb, contacts jsonb, payload jsonb, media_source jsonb, media_state text, provider_id text, timestamp timestamptz)
    on conflict do nothing returning ticket_id as "ticketId"`,
}
/** What lists show: the newest words, whichever page brought them. */
const showOld: Prepared = {
  name: 'history_show',
  text: `update tickets t set last_message = g.preview, last_message_type = g.type, answered = g.from_me, last_message_at = g.last_at,
      last_inbound_at = (select max(m.timestamp) from messages m where m.tenant_id = $1 and m.ticket_id = t.id and not m.from_me),
      version = t.version + 1
    from jsonb_to_recordset($2::jsonb) as g(ticket_id uuid, preview text, type text, from_me boolean, last_at timestamptz)
    where t.tenant_id = $1 and t.id = g.ticket_id and coalesce(t.last_message_at, '-infinity') <= g.last_at`,
}
