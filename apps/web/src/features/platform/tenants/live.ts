import type { Page } from '@balcao/contract/common.ts'
import type { TenantConnection } from '@balcao/contract/platform/connections.ts'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Live } from '../../../kit/live.ts'
import { tenantConnectionsKey } from './connections-api.ts'

type Pages = InfiniteData<Page<TenantConnection>>
const changeRows = (cache: QueryClient, change: (rows: TenantConnection[]) => TenantConnection[]) =>
  cache.setQueriesData<Pages>(
    { queryKey: tenantConnectionsKey },
    (now) => now && { ...now, pages: now.pages.map((page) => ({ ...page, items: change(page.items) })) },
  )

/** The state of every company's channels as it changes; one that is not on the pages comes with the next reading. */
export const tenantConnectionsLive: Live = {
  'tenantConnection.updated': (cache, next) =>
    changeRows(cache, (rows) =>
      rows.map((row) => {
        if (row.id !== next.id) return row
        const work = row.status === next.status ? row.work : { ...row.work, since: new Date().toISOString() }
        return { ...row, ...next, work }
      }),
    ),
  'tenantConnection.deleted': (cache, { id }) => changeRows(cache, (rows) => rows.filter((row) => row.id !== id)),
}
