import type { TenantConnection } from '@balcao/contract/platform/connections.ts'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { tenantConnectionsKey } from './connections-api.ts'
import { tenantConnectionsLive } from './live.ts'

test('a channel of any company changes on the page where it stands, and leaves it; one that is on none changes nothing', () => {
  const cache = new QueryClient()
  const key = [...tenantConnectionsKey, { searchParam: '' }]
  const since = '2026-01-01T00:00:00.000Z'
  const rows = ['a', 'b'].map((id) => ({ id, status: 'CONNECTED', tenant: { id: 1, name: 'Aurora' }, work: { since } }))
  cache.setQueryData(key, { pages: [{ items: rows }], pageParams: [null] })
  const shown = () => cache.getQueryData<{ pages: { items: TenantConnection[] }[] }>(key)?.pages[0]?.items
  const change = { name: 'Bot', status: 'ERROR' as const, statusText: 'O provedor não responde.' }
  const more = { stoppedAt: null, account: null }
  tenantConnectionsLive['tenantConnection.updated']?.(cache, { id: 'b', ...change, ...more })
  tenantConnectionsLive['tenantConnection.updated']?.(cache, { id: 'c', ...change, ...more })
  expect(shown()).toMatchObject([
    { status: 'CONNECTED', work: { since } },
    { ...change, tenant: { name: 'Aurora' } },
  ])
  expect(shown()?.[1]?.work.since).not.toBe(since)
  tenantConnectionsLive['tenantConnection.deleted']?.(cache, { id: 'a' })
  expect(shown()).toMatchObject([{ id: 'b' }])
})
