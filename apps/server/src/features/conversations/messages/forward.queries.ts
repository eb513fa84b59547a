import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import type { ChannelKind, KnownBy } from '@balcao/contract/channels/index.ts'
import type { TicketStatus } from '@balcao/contract/conversations/tickets.ts'
import type { Prepared } from '../../../db/database.ts'
import { reachedTicketColumns } from '../timeline/ticket-state.ts'
import { knownByColumns } from './reach.ts'

/** Where a contact would be written to, and what stands there now. */
export type TargetRow = KnownBy & {
  contactId: string
  name: string
  isGroup: boolean
  connection: { id: string; name: string; kind: ChannelKind; abilities: Abilities; queueId: string | null } | null
  activeId: string | null
  activeStatus: TicketStatus | null
  windowFrom: Date | null
}
/** `$3` is the channel asked for; else the one of the active conversation, or of the last. */
export const forwardTargets: Prepared = {
  name: 'forward_targets',
  text: `select c.id as "contactId", c.name, c.is_group as "isGroup",
      ${knownByColumns},
      case when x.id is null then null else jsonb_build_object('id', x.id, 'name', x.name, 'kind', x.kind, 'abilities', x.abilities, 'queueId', x.queue_id) end as connection,
      a.id as "activeId", a.status as "activeStatus",
      (select max(o.last_inbound_at) from tickets o where o.tenant_id = $1 and o.contact_id = c.id and o.connection_id = x.id) as "windowFrom"
    from contacts c
    left join lateral (select t.connection_id from tickets t
        join connections k on k.tenant_id = $1 and k.id = t.connection_id and k.deleted_at is null
        where $3::uuid is null and t.tenant_id = $1 and t.contact_id = c.id
        order by t.status = 'closed', t.updated_at desc limit 1) l on true
    left join connections x on x.tenant_id = $1 and x.id = coalesce($3::uuid, l.connection_id) and x.deleted_at is null
    left join tickets a on a.tenant_id = $1 and a.connection_id = x.id and a.contact_id = c.id and a.status <> 'closed'
    where c.tenant_id = $1 and c.id = any($2::uuid[]) and c.merged_into_id is null`,
}
export const lockActive: Prepared = {
  name: 'forward_active_ticket',
  text: `select ${reachedTicketColumns} from tickets t where t.tenant_id = $1 and t.connection_id = $2 and t.contact_id = $3 and t.status <> 'closed'
    for no key update of t`,
}
/** Messages of this forwarding that are already there. */
export const alreadySent: Prepared = {
  name: 'forward_sent',
  text: 'select id, ticket_id as "ticketId" from messages where tenant_id = $1 and id = any($2::uuid[])',
}
