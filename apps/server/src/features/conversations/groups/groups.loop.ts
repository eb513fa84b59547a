import { ChannelError } from '../../../channels/adapter.ts'
import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import { createLimit } from '../../../kit/limit.ts'
import { log } from '../../../kit/log.ts'
import { emit } from '../../../kit/outbox.ts'
import type { Round } from '../../../kit/workers.ts'
import { findConnection } from '../../channels/connections/context.ts'
import { addressesOf } from '../messages/reach.ts'
import { findTicket } from '../tickets/ticket-rows.ts'
import { factsOf } from '../timeline/ticket-facts.ts'
import { readGroup } from './group.ts'
import { notePlaces } from './places.ts'

const atOnce = 20
const together = createLimit(4)

/**
 * Groups that were met for the first time: what they are called and who is in them, before anybody looks. What cannot be
 * told now is asked when somebody does.
 */
export const askNewGroups = async (): Promise<Round> => {
  const due = await platformRows<Due>(take, [atOnce])
  await Promise.all(due.map((one) => together(() => ask(one))))
  return { did: due.length, isMore: due.length === atOnce }
}

type Due = { tenantId: number; contactId: string; ticketId: string | null; connectionId: string | null }
const ask = async ({ tenantId, contactId, ticketId, connectionId }: Due) => {
  if (!connectionId) return
  try {
    const connection = await findConnection(connectionId)
    if (!connection) return
    await withTenant(tenantId, (tx) => notePlaces(tx, connectionId, [{ groupId: contactId }]))
    const to = await withTenant(tenantId, (tx) => addressesOf(tx, contactId))
    if (!(await readGroup(connection, contactId, to))) return
    if (!ticketId) return
    await withTenant(tenantId, async (tx) => {
      const ticket = await findTicket(tx, ticketId)
      if (ticket) await emit(tx, 'group.updated', { ticketId }, { kind: 'ticket', facts: factsOf(ticket) })
    })
  } catch (error) {
    if (!(error instanceof ChannelError)) log.warn({ err: error, tenantId, connectionId }, 'group not read')
  }
}

export const isGroupUnasked = 'select from groups where ask_at <= now()'
const take: Prepared = {
  name: 'groups_to_ask',
  text: `with due as (
      select tenant_id, contact_id from groups where ask_at <= now() order by ask_at limit $1 for update skip locked
    ), taken as (
      update groups g set ask_at = null from due where g.tenant_id = due.tenant_id and g.contact_id = due.contact_id
    )
    select due.tenant_id as "tenantId", due.contact_id as "contactId", t.id as "ticketId",
      -- One that we made ourselves has no conversation yet.
      coalesce(t.connection_id, (select p.connection_id from connection_groups p
        where p.tenant_id = due.tenant_id and p.group_id = due.contact_id and p.left_at is null limit 1)) as "connectionId"
    from due left join lateral (select id, connection_id from tickets
      where tenant_id = due.tenant_id and contact_id = due.contact_id order by status = 'closed', created_at desc limit 1) t on true`,
}
