import type { Schedule } from '@balcao/contract/operations/schedules.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import type { TicketFacts } from '../../../kit/outbox.ts'
import { boundSql } from '../../../kit/sql.ts'
import { readableContacts } from '../../contacts/contacts/contacts.policy.ts'
import { viewerOf, visibleTickets } from '../../conversations/tickets/tickets.policy.ts'
import { factsOf } from '../../conversations/timeline/ticket-facts.ts'
import { type TicketState, ticketStateColumns } from '../../conversations/timeline/ticket-state.ts'
import { getDirectory } from '../../core/directory/directory.ts'

/**
 * Of `schedules s`, whose message, once it has one, is `m`: the person's own, and those of conversations they may see.
 * The conversation is the message's, else the contact's last one on that channel; before there ever was one, whoever may
 * read the contact may know. `conversationOf` finds the same for one schedule.
 */
export const visibleSchedules = async (actor: Actor): Promise<SQL | undefined> => {
  const viewer = viewerOf(await getDirectory(actor.tenantId), actor.userId)
  if (viewer.seesAll) return undefined
  const readable = await readableContacts(actor)
  const rule = boundSql((bind) => visibleTickets(viewer, { showAll: true }, bind))
  return sql`(s.created_by = ${actor.userId} or case
    when m.ticket_id is not null then exists (select from tickets t
      where t.tenant_id = s.tenant_id and t.id = m.ticket_id and ${rule})
    else coalesce((select ${rule} from tickets t where t.tenant_id = s.tenant_id and t.contact_id = s.contact_id
      and t.connection_id = s.connection_id order by t.status = 'closed', t.created_at desc limit 1), ${readable ?? sql`true`}) end)`
}

/** What decides who may know of a scheduled message; undefined: its contact alone. */
export const conversationOf = async (
  tx: Tx,
  { contact, connection, ticketId }: Pick<Schedule, 'contact' | 'connection' | 'ticketId'>,
): Promise<TicketFacts | undefined> => {
  const [ticket] = await (ticketId
    ? tx.rows<TicketState>(byId, [tx.tenantId, ticketId])
    : tx.rows<TicketState>(last, [tx.tenantId, contact.id, connection.id]))
  return ticket && factsOf(ticket)
}

/** The same of several that have none of their own yet, by their ids. */
export const conversationsOf = async (tx: Tx, ids: string[]): Promise<Map<string, TicketFacts>> => {
  const rows = await tx.rows<TicketState & { scheduleId: string }>(lastOfMany, [tx.tenantId, ids])
  return new Map(rows.map(({ scheduleId, ...ticket }) => [scheduleId, factsOf(ticket)]))
}

const byId: Prepared = {
  name: 'schedule_conversation',
  text: `select ${ticketStateColumns} from tickets t where t.tenant_id = $1 and t.id = $2`,
}
const last: Prepared = {
  name: 'schedule_last_conversation',
  text: `select ${ticketStateColumns} from tickets t where t.tenant_id = $1 and t.contact_id = $2 and t.connection_id = $3
    order by t.status = 'closed', t.created_at desc limit 1`,
}
const lastOfMany: Prepared = {
  name: 'schedule_last_conversations',
  text: `select s.id as "scheduleId", l.* from schedules s cross join lateral (
      select ${ticketStateColumns} from tickets t where t.tenant_id = s.tenant_id and t.contact_id = s.contact_id
        and t.connection_id = s.connection_id order by t.status = 'closed', t.created_at desc limit 1) l
    where s.tenant_id = $1 and s.id = any($2::uuid[])`,
}
