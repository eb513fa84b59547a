import type { DeliveryState, Undelivered } from '@balcao/contract/core/integrations/deliveries.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { DeliveryAnswer } from '../../../db/schema/core/deliveries.ts'
import { type DeliveryRow, deliveryColumns } from './deliveries.queries.ts'

/** What goes or went to one integration. */
const theirs = `deliveries d join consumers c on c.tenant_id = d.tenant_id and c.id = d.consumer_id
    where d.tenant_id = $1 and c.integration_id = $2`

type Asked = { integrationId: string; states: DeliveryState[]; before: number | string; limit: number }
/** Newest first. */
export const findDeliveries = (tx: Tx, { integrationId, states, before, limit }: Asked) =>
  tx.rows<DeliveryRow>(list, [tx.tenantId, integrationId, before, states.length ? states : null, limit])
const list: Prepared = {
  name: 'deliveries_list',
  text: `select ${deliveryColumns('d')} from ${theirs} and d.seq < $3
    and ($4::text[] is null or d.state = any($4)) order by d.seq desc limit $5`,
}

type Whole = DeliveryRow & { payload: unknown; url: string | null; answer: DeliveryAnswer | null }
export const findDelivery = async (tx: Tx, integrationId: string, seq: number): Promise<Whole | undefined> => {
  const [row] = await tx.rows<Whole>(one, [tx.tenantId, integrationId, seq])
  return row
}
const one: Prepared = {
  name: 'deliveries_one',
  text: `select ${deliveryColumns('d')}, d.payload, d.url, d.answer from ${theirs} and d.seq = $3`,
}

/** Nobody counts further. */
const mostCounted = 1_000
type Counts = Omit<Undelivered, 'waitsSince'> & { waitsSince: Date | null }
export const countUndelivered = async (tx: Tx, integrationId: string): Promise<Undelivered> => {
  const [row] = await tx.rows<Counts>(undelivered, [tx.tenantId, integrationId])
  if (!row) return { waiting: 0, waitsSince: null, dead: 0, lastError: null }
  return { ...row, waitsSince: row.waitsSince?.toISOString() ?? null }
}
const undelivered: Prepared = {
  name: 'deliveries_undelivered',
  text: `with waiting as (select d.created_at from ${theirs} and d.state = 'waiting' limit ${mostCounted}),
    dead as (select d.seq, d.error from ${theirs} and d.state = 'dead' order by d.seq desc limit ${mostCounted})
    select (select count(*)::int from waiting) as waiting, (select min(created_at) from waiting) as "waitsSince",
      (select count(*)::int from dead) as dead, (select error from dead order by seq desc limit 1) as "lastError"`,
}

/** From the first attempt on, in their old order; all that failed, or this one, whatever became of it. */
export const revive = (tx: Tx, integrationId: string, seq: number | null) =>
  tx.rows<DeliveryRow>(reviveThem, [tx.tenantId, integrationId, seq])
const reviveThem: Prepared = {
  name: 'deliveries_revive',
  text: `update deliveries d set state = 'waiting', attempts = 0, due_at = now(), revived_at = now()
    from consumers c where c.tenant_id = $1 and c.integration_id = $2 and d.tenant_id = $1 and d.consumer_id = c.id
      and ($3::bigint is null and d.state = 'dead' or d.seq = $3)
    returning ${deliveryColumns('d')}`,
}
/** Held against being removed until the transaction ends. */
export const findActiveConsumer = async (tx: Tx, integrationId: string): Promise<string | undefined> => {
  const [row] = await tx.rows<{ id: string }>(active, [tx.tenantId, integrationId])
  return row?.id
}
const active: Prepared = {
  name: 'consumer_active',
  text: `select id from consumers where tenant_id = $1 and integration_id = $2 and state = 'active' for key share`,
}
export const reviveConsumer = async (tx: Tx, integrationId: string) => {
  await tx.rows(reviveIt, [tx.tenantId, integrationId])
}
const reviveIt: Prepared = {
  name: 'consumer_revive',
  text: `update consumers set state = 'active', failures = 0, error = null, rests_until = now()
    where tenant_id = $1 and integration_id = $2`,
}
