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
  /** A file the provider keeps, as its adapter will be asked for it. */
  media?: Record<string, unknown>
}

/**
 * Stores old messages of a contact at their own time and before all live ones, and nobody hears of it: they are a closed
 * conversation of their own, without unread messages, deadlines, answers or notices. What is given again changes
 * nothing; older or newer pages find their place.
 */
export const writeHistory = async (
  tx: Tx,
  { contactId, connectionId, messages }: { contactId: string; connectionId: string; messages: OldMessage[] },
): Promise<{ ticketId: string; stored: number }> => {
  const ticketId = v5(`historico:${connectionId}`, contactId)
  const inOrder = messages.toSorted((a, b) => a.timestamp.getTime() - b.timestamp.getTime())
  const [first, last] = [inOrder[0], inOrder.at(-1)]
  if (!first || !last) return { ticketId, stored: 0 }
  await tx.rows(openTicket, [tx.tenantId, ticketId, contactId, connectionId, first.timestamp, last.timestamp])
  const stored = await tx.rows(storeOld, [
    tx.tenantId,
    ticketId,
    contactId,
    connectionId,
    JSON.stringify(placed(inOrder)),
  ])
  if (stored.length)
    await tx.rows(showOld, [tx.tenantId, ticketId, previewOf(last), last.type, last.fromMe, last.timestamp])
  return { ticketId, stored: stored.length }
}

/**
 * Live messages are counted from one; these stand below zero by their time, a thousand places to a millisecond, so that
 * pages that come in any order fall into theirs.
 */
const placed = (inOrder: OldMessage[]) => {
  let place = Number.NEGATIVE_INFINITY
  return inOrder.map(({ providerId, fromMe, author, type, body, timestamp, location, contacts, media }) => {
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

const openTicket: Prepared = {
  name: 'history_open_ticket',
  text: `insert into tickets (tenant_id, id, protocol, status, contact_id, connection_id, is_group, started_at, closed_at, created_at, updated_at)
    select $1, $2, next_protocol(), 'closed', $3, $4, c.is_group, $5, $6, $5, $6 from contacts c where c.tenant_id = $1 and c.id = $3
    on conflict (tenant_id, id) do update set created_at = least(tickets.created_at, excluded.created_at),
      started_at = least(tickets.started_at, excluded.started_at), closed_at = greatest(tickets.closed_at, excluded.closed_at),
      updated_at = greatest(tickets.updated_at, excluded.updated_at)`,
}
const storeOld: Prepared = {
  name: 'history_store',
  text: `insert into messages (tenant_id, id, seq, ticket_id, contact_id, connection_id, from_me, author, type, body, location, contacts,
      media_source, media_state, send_type, status, provider_id, timestamp, created_at)
    select $1, g.id, g.seq, $2, $3, $4, g.from_me, g.author, g.type, g.body, g.location, g.contacts, g.media_source, g.media_state,
      'sync', case when g.from_me then 'sent' else 'received' end, g.provider_id, g.timestamp, g.timestamp
    from jsonb_to_recordset($5::jsonb) as g(id uuid, seq bigint, from_me boolean, author jsonb, type text, body text, location jsonb,
      contacts jsonb, media_source jsonb, media_state text, provider_id text, timestamp timestamptz)
    on conflict do nothing returning id`,
}
/** What lists show: its newest words, whichever page brought them. */
const showOld: Prepared = {
  name: 'history_show',
  text: `update tickets t set last_message = $3, last_message_type = $4, answered = $5, last_message_at = $6,
      last_inbound_at = (select max(m.timestamp) from messages m where m.tenant_id = $1 and m.ticket_id = $2 and not m.from_me),
      version = t.version + 1
    where t.tenant_id = $1 and t.id = $2 and coalesce(t.last_message_at, '-infinity') <= $6`,
}
