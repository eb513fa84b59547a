import type { Prepared, Tx } from '../../../db/database.ts'
import { emitAll } from '../../../kit/outbox.ts'
import { type TicketState, ticketAudience, ticketStateColumns } from '../../conversations/timeline/ticket-state.ts'

type Taken = TicketState & { messageId: string }
/**
 * What a campaign has written and nobody is sending yet is as if it had not been written: its recipients wait again. What is
 * being sent at this moment goes on. A message whose first part has left follows it.
 */
export const takeBackQueued = async (tx: Tx, campaignId: string) => {
  const taken = await tx.rows<Taken>(takeBack, [tx.tenantId, campaignId])
  const shown = taken.filter(({ isHidden }) => !isHidden)
  await emitAll(
    tx,
    shown.map(({ messageId, ...ticket }) => ({
      name: 'message.removed' as const,
      payload: { id: messageId, ticketId: ticket.id, contactId: ticket.contactId },
      audience: ticketAudience(ticket, true),
    })),
  )
  await tx.rows(dropEmpty, [tx.tenantId, [...new Set(taken.flatMap(({ id, isHidden }) => (isHidden ? id : [])))]])
}

const takeBack: Prepared = {
  name: 'campaign_take_back',
  text: `with firsts as (
      select m.id, m.ticket_id, m.created_at from campaign_recipients r
        join messages m on m.tenant_id = r.tenant_id and m.id = r.message_id
      where r.tenant_id = $1 and r.campaign_id = $2 and r.state = 'written' and m.status = 'queued'
      order by m.id for no key update of m skip locked
    ), freed as (
      update campaign_recipients r set state = 'waiting', message_id = null from firsts f
      where r.tenant_id = $1 and r.campaign_id = $2 and r.message_id = f.id
    ), gone as (
      delete from messages m using firsts f where m.tenant_id = $1 and m.ticket_id = f.ticket_id and m.created_at = f.created_at
        and m.send_type = 'campaign' and m.status = 'queued' returning m.id as message_id, m.ticket_id
    )
    select g.message_id as "messageId", ${ticketStateColumns} from gone g join tickets t on t.tenant_id = $1 and t.id = g.ticket_id`,
}
/** A hidden conversation in which nothing was said is none. */
const dropEmpty: Prepared = {
  name: 'campaign_drop_empty',
  text: `delete from tickets t where t.tenant_id = $1 and t.id = any($2::uuid[]) and t.is_hidden
    and not exists (select from messages m where m.tenant_id = $1 and m.ticket_id = t.id)`,
}
