import type { ticketLoads } from '@balcao/contract/conversations/tickets.ts'
import type { z } from 'zod'
import { type Prepared, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'

/** GET /ticketsLoad: numbers alone, for whoever chooses to whom a conversation goes. */
export const readLoads = (actor: Actor): Promise<z.output<typeof ticketLoads>> =>
  withTenant(actor.tenantId, async (tx) => ({ items: await tx.rows(loads, [tx.tenantId]) }))

const loads: Prepared = {
  name: 'tickets_load',
  text: `select t.user_id as "userId", count(*)::int as open from tickets t
    where t.tenant_id = $1 and t.status = 'open' and t.user_id is not null and t.paused_at is null group by t.user_id`,
}
