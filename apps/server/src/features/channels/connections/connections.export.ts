import {
  connectionStateLabels,
  connectionsFilter,
  isSought,
  type proxyUse,
} from '@balcao/contract/channels/connections.ts'
import { integrationStateLabels } from '@balcao/contract/core/integrations/index.ts'
import { z } from 'zod'
import type { CsvColumn } from '../../../kit/csv.ts'
import { defineCsvExport } from '../../core/jobs/csv-export.ts'
import { type ConnectionLine, connectionColumns } from './connection-columns.ts'
import { listConnections } from './connections.service.ts'
import { listProxyUses } from './proxies.ts'
import { listWork } from './work.ts'

/** The company's channels with what each has done; they are few, so that the file has one page. */
export const connectionsExport = defineCsvExport<z.output<typeof connectionsFilter>, ConnectionLine>({
  kind: 'exportConnections',
  can: 'connections.write',
  params: connectionsFilter,
  file: 'canais',
  columns: ({ timezone }) => connectionColumns(timezone),
  count: async ({ tenantId }, query) => (await soughtIn(tenantId, query)).length,
  read: async ({ tenantId }, query) => {
    const [rows, work] = await Promise.all([soughtIn(tenantId, query), listWork(tenantId)])
    const of = new Map(work.map((one) => [one.id, one]))
    return { items: rows.map((row) => ({ ...row, work: of.get(row.id) })), nextCursor: null }
  },
  audit: (query) => auditOfConnections(query),
})

const soughtIn = async (tenantId: number, query: z.output<typeof connectionsFilter>) =>
  (await listConnections(tenantId)).filter((row) => isSought(row, query))

/** Whether it was all of them: what was looked for is the asker's word, and no fact to keep. */
export const auditOfConnections = ({
  searchParam,
  kind,
  status,
  ...more
}: z.output<typeof connectionsFilter> & { tenantId?: number }) => ({
  action: 'connection.exported',
  entity: 'connection',
  entityId: 'all',
  after: { isFiltered: Boolean(searchParam || kind.length || status.length || more.tenantId !== undefined) },
})

type ProxyLine = { proxy: z.output<typeof proxyUse>; use: z.output<typeof proxyUse>['connections'][number] | undefined }
const proxyColumns: CsvColumn<ProxyLine>[] = [
  { label: 'Proxy', value: ({ proxy }) => proxy.name },
  { label: 'Situação do proxy', value: ({ proxy }) => integrationStateLabels[proxy.state] },
  { label: 'O que houve', value: ({ proxy }) => proxy.stateText },
  { label: 'Canal', value: ({ use }) => use?.name },
  { label: 'Situação do canal', value: ({ use }) => use && connectionStateLabels[use.status] },
  { label: 'Enviadas hoje', value: ({ use }) => use?.sentToday },
]

/** Each proxy with each channel that goes through it; one that none uses is a line too. */
export const proxiesExport = defineCsvExport<object, ProxyLine>({
  kind: 'exportProxies',
  can: 'integrations.write',
  params: z.object({}),
  file: 'proxies',
  columns: () => proxyColumns,
  count: async ({ tenantId }) => (await proxyLines(tenantId)).length,
  read: async ({ tenantId }) => ({ items: await proxyLines(tenantId), nextCursor: null }),
  audit: () => ({ action: 'proxy.exported', entity: 'connection', entityId: 'all', after: {} }),
})

const proxyLines = async (tenantId: number): Promise<ProxyLine[]> =>
  (await listProxyUses(tenantId)).flatMap((proxy) =>
    (proxy.connections.length ? proxy.connections : [undefined]).map((use) => ({ proxy, use })),
  )
