import { v5 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import type { TicketState } from './ticket-state.ts'

/** The conversation that holds what is sent to a contact by a connection without anybody having to work on it. */
const hiddenTicketOf = (connectionId: string, contactId: string) => v5(`oculta:${connectionId}`, contactId)

type Meant = Pick<OpenConnection, 'id' | 'kind' | 'abilities'>
/**
 * The same as a `TicketState`: closed, of nobody, in no list, count or report; in the contact's history, gallery and search
 * alone. It may be there already or not: `keepHidden` makes sure before anything is stored in it.
 */
export const hiddenTicket = (connection: Meant, contact: { id: string; isGroup: boolean }, now: Date): TicketState => ({
  id: hiddenTicketOf(connection.id, contact.id),
  contactId: contact.id,
  connectionId: connection.id,
  kind: connection.kind,
  abilities: connection.abilities,
  status: 'closed',
  isHidden: true,
  isGroup: contact.isGroup,
  ...{ userId: null, queueId: null, chatFlowId: null, wallets: [], sharedWith: [] },
  ...{ firstAnsweredAt: null, slaFirstDueAt: null, slaResolveDueAt: null, waitingSince: null },
  ...{ pausedAt: null, pausedUntil: null, pauseReason: null, wakesOnReply: false, pausedMs: 0 },
  ...{ unreadMessages: 0, answered: true, lastMessage: '', lastMessageType: 'text', lastAuthor: null },
  ...{ lastMessageAt: null, lastInboundAt: null, notSent: null, updatedAt: now, version: 1 },
  ...{ autoReplyId: null, autoRepliedAt: null, chatFlowAt: null, bot: null, assistantAt: null, isBotBlocked: false },
})

type Kept = { ticket: TicketState; preview: string; type: string }
/**
 * Makes those that are not there, in one statement, with what was last written in each. They take no protocol of the company's
 * row of numbers: nobody is told one.
 */
export const keepHidden = async (tx: Tx, kept: Kept[]) => {
  if (!kept.length) return
  const rows = kept.map(({ ticket: { id, contactId, connectionId, isGroup }, preview, type }) => ({
    ...{ id, contact_id: contactId, connection_id: connectionId, is_group: isGroup, preview, type },
  }))
  await tx.rows(keep, [tx.tenantId, JSON.stringify(rows)])
}
const keep: Prepared = {
  name: 'hidden_tickets_keep',
  text: `insert into tickets (tenant_id, id, protocol, status, is_hidden, contact_id, connection_id, is_group, closed_at,
      last_message, last_message_type, last_message_at)
    select $1, g.id, 'oculta:' || g.id, 'closed', true, g.contact_id, g.connection_id, g.is_group, now(), g.preview, g.type, now()
    from jsonb_to_recordset($2::jsonb) as g(id uuid, contact_id uuid, connection_id uuid, is_group boolean, preview text, type text)
    order by g.id
    on conflict (tenant_id, id) do update set last_message = excluded.last_message, last_message_type = excluded.last_message_type,
      last_message_at = excluded.last_message_at, updated_at = now(), version = tickets.version + 1`,
}
