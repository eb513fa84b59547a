import { type ConnectionAlert, mostAlerts } from '@balcao/contract/channels/connections.ts'
import { type Prepared, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { emit } from '../../../kit/outbox.ts'
import { requireRow } from './connections.service.ts'
import type { OpenConnection } from './context.ts'

/** What a provider says of an account stays on its card until somebody has read it, and is told to those who may act. */
export const keepAlert = (
  { tenantId, id, name }: Pick<OpenConnection, 'tenantId' | 'id' | 'name'>,
  { text, isSerious }: Omit<ConnectionAlert, 'at'>,
) =>
  withTenant(tenantId, async (tx) => {
    const alert: ConnectionAlert = { text, isSerious, at: new Date().toISOString() }
    const [kept] = await tx.rows(keep, [tenantId, id, JSON.stringify([alert]), text, mostAlerts])
    if (kept)
      await emit(
        tx,
        'connection.alert',
        { id, name, text, isSerious },
        { kind: 'permission', can: 'connections.write' },
      )
  })
const keep: Prepared = {
  name: 'connection_alert_keep',
  text: `update connections set alerts = (
      select jsonb_agg(one order by at) from (
        select one, at from jsonb_array_elements($3::jsonb || alerts) with ordinality as a(one, at) order by at limit $5::int) newest)
    where tenant_id = $1 and id = $2 and deleted_at is null and alerts -> 0 ->> 'text' is distinct from $4
    returning 1`,
}

/** Somebody has read them. */
export const clearAlerts = (actor: Actor, id: string) =>
  withTenant(actor.tenantId, async (tx) => {
    await requireRow(tx, id)
    await tx.rows(clear, [actor.tenantId, id])
  })
const clear: Prepared = {
  name: 'connection_alert_clear',
  text: `update connections set alerts = '[]' where tenant_id = $1 and id = $2`,
}
