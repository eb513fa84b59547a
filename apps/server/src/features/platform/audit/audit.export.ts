import { auditQuery, type PlatformAuditEntry, platformAuditQuery } from '@balcao/contract/platform/audit.ts'
import type { CsvColumn } from '../../../kit/csv.ts'
import { defineCsvExport } from '../../core/jobs/csv-export.ts'
import { countAudit, countPlatformAudit, listAudit, listPlatformAudit } from './audit.queries.ts'
import { columnsIn } from './columns.ts'

export const auditExport = defineCsvExport({
  kind: 'exportAudit',
  can: 'audit.read',
  params: auditQuery,
  file: 'auditoria',
  columns: ({ timezone }) => columnsIn(timezone),
  count: ({ tenantId }, query) => countAudit(tenantId, query),
  read: ({ tenantId }, query) => listAudit(tenantId, query),
  audit: (query) => auditOf(query),
})

const company: CsvColumn<PlatformAuditEntry> = { label: 'Empresa', value: (row) => row.tenant?.name }
export const platformAuditColumns = [company, ...columnsIn('America/Sao_Paulo')]
export const platformAuditExport = defineCsvExport({
  kind: 'exportPlatformAudit',
  can: 'platform.audit',
  params: platformAuditQuery,
  file: 'auditoria-da-plataforma',
  columns: () => platformAuditColumns,
  count: (_, query) => countPlatformAudit(query),
  read: (_, query) => listPlatformAudit(query),
  audit: (query) => auditOf(query),
})

export const auditOf = (query: Days) => ({
  action: 'audit.exported',
  entity: 'audit',
  entityId: '',
  after: daysOf(query),
})

type Days = { dateFrom?: string; dateTo?: string }
/** The days alone: whatever else was asked for is the asker's word, and no fact to keep. */
export const daysOf = ({ dateFrom, dateTo }: Days) => ({ dateFrom, dateTo })
