import type {
  TenantConnection,
  TenantConnectionsFilter,
  tenantConnectionsQuery,
} from '@balcao/contract/platform/connections.ts'
import { and, count, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { withPlatform } from '../../../db/database.ts'
import { connections } from '../../../db/schema/channels/connections.ts'
import { tenants } from '../../../db/schema/platform/companies.ts'
import { queues } from '../../../db/schema/service/queues.ts'
import { likePattern, readCursor, toPage } from '../../../kit/cursor.ts'
import { workOf } from '../../channels/connections/work.ts'

const pageSize = 40
/** Newest first. */
export const listTenantConnections = (query: z.output<typeof tenantConnectionsQuery>) =>
  withPlatform('tenantConnections', async (tx) => {
    const { cursor, limit = pageSize, ...filter } = query
    const [at, last] = cursor ? readCursor(cursor, z.tuple([z.iso.datetime(), z.uuid()])) : []
    const rows = await tx.db
      .select({ connection: connections, tenant: tenants.name, queue: queues.name })
      .from(connections)
      .innerJoin(tenants, eq(tenants.id, connections.tenantId))
      .leftJoin(queues, and(eq(queues.tenantId, connections.tenantId), eq(queues.id, connections.queueId)))
      .where(
        and(matching(filter), at ? sql`(${connections.createdAt}, ${connections.id}) < (${at}, ${last})` : undefined),
      )
      .orderBy(desc(connections.createdAt), desc(connections.id))
      .limit(limit + 1)
    const page = toPage(rows, limit, ({ connection }) => [connection.createdAt.toISOString(), connection.id])
    const work = await workOf(
      tx,
      page.items.map(({ connection }) => connection.id),
    )
    const items = page.items.flatMap(({ connection, tenant, queue }): TenantConnection[] => {
      const done = work.get(connection.id)
      if (!done) return []
      const { account, queueId } = connection
      return [
        {
          id: connection.id,
          kind: connection.kind,
          name: connection.name,
          status: connection.status,
          statusText: connection.statusText,
          stoppedAt: connection.stoppedAt?.toISOString() ?? null,
          health: connection.health,
          isDefault: connection.isDefault,
          host: connection.host,
          queue: queueId && queue ? { id: queueId, name: queue } : null,
          options: connection.options,
          lastInboundAt: connection.lastInboundAt?.toISOString() ?? null,
          createdAt: connection.createdAt.toISOString(),
          account: account && { number: account.number, name: account.name },
          tenant: { id: connection.tenantId, name: tenant },
          work: done,
        },
      ]
    })
    return { ...page, items }
  })

export const countTenantConnections = (filter: TenantConnectionsFilter): Promise<number> =>
  withPlatform('tenantConnections', async (tx) => {
    const [row] = await tx.db
      .select({ total: count() })
      .from(connections)
      .innerJoin(tenants, eq(tenants.id, connections.tenantId))
      .where(matching(filter))
    return row?.total ?? 0
  })

const matching = ({ tenantId, kind, status, searchParam }: TenantConnectionsFilter) => {
  const sought = likePattern(searchParam)
  return and(
    isNull(connections.deletedAt),
    tenantId === undefined ? undefined : eq(connections.tenantId, tenantId),
    kind.length ? inArray(connections.kind, kind) : undefined,
    status.length ? inArray(connections.status, status) : undefined,
    searchParam
      ? or(
          sql`norm(${connections.name}) like norm(${sought})`,
          sql`norm(${tenants.name}) like norm(${sought})`,
          sql`${connections.account} ->> 'number' like ${sought}`,
        )
      : undefined,
  )
}
