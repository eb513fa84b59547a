import { z } from 'zod'
import { connection, connectionAccount, connectionsFilter, connectionWork } from '../channels/connections.ts'
import { pageQuery, tenantId } from '../common.ts'

/** A connection of any company, as whoever runs the platform sees it: how it stands and does, nothing of its settings. */
export const tenantConnection = connection
  .pick({
    id: true,
    kind: true,
    name: true,
    status: true,
    statusText: true,
    stoppedAt: true,
    health: true,
    isDefault: true,
    host: true,
    queue: true,
    options: true,
    lastInboundAt: true,
    createdAt: true,
  })
  .extend({
    account: connectionAccount.pick({ number: true, name: true }).nullable(),
    tenant: z.object({ id: tenantId, name: z.string() }),
    work: connectionWork,
  })
export type TenantConnection = z.output<typeof tenantConnection>

/** What of it changes by itself. */
export const tenantConnectionChange = tenantConnection.pick({
  id: true,
  name: true,
  status: true,
  statusText: true,
  stoppedAt: true,
  account: true,
})

/** Of every company, or of one. */
export const tenantConnectionsFilter = connectionsFilter.extend({
  tenantId: z.coerce.number().int().min(1).optional(),
})
export type TenantConnectionsFilter = z.output<typeof tenantConnectionsFilter>
export const tenantConnectionsQuery = tenantConnectionsFilter.extend(
  pageQuery.pick({ cursor: true, limit: true }).shape,
)
