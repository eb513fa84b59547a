import { type TenantConnection, tenantConnectionsFilter } from '@balcao/contract/platform/connections.ts'
import type { CsvColumn } from '../../../kit/csv.ts'
import { connectionColumns } from '../../channels/connections/connection-columns.ts'
import { auditOfConnections } from '../../channels/connections/connections.export.ts'
import { defineCsvExport } from '../../core/jobs/csv-export.ts'
import { countTenantConnections, listTenantConnections } from './tenant-connections.queries.ts'

const company: CsvColumn<TenantConnection> = { label: 'Empresa', value: (row) => row.tenant.name }

/** Every company's channels, as whoever runs the platform sees them. */
export const tenantConnectionsExport = defineCsvExport({
  kind: 'exportTenantConnections',
  can: 'tenants.read',
  params: tenantConnectionsFilter,
  file: 'canais-das-empresas',
  columns: () => [company, ...connectionColumns('America/Sao_Paulo')],
  count: (_, query) => countTenantConnections(query),
  read: (_, query) => listTenantConnections(query),
  audit: (query) => auditOfConnections(query),
})
