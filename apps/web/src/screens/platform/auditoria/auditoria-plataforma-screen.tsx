import type { PlatformAuditEntry } from '@balcao/contract/platform/audit.ts'
import { Select } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { receiveJob } from '../../../features/conversations/tickets/bulk-api.ts'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { exportAudit } from '../../../features/platform/audit/api.ts'
import { AuditLog } from '../../../features/platform/audit/audit-log.tsx'
import { tenantList } from '../../../features/platform/tenants/api.ts'
import { useUrlState } from '../../../kit/url-state.ts'
import { usePeriod } from '../../../kit/use-period.ts'
import { PeriodFilter } from '../../../ui/period-filter.tsx'

export default function AuditoriaPlataformaScreen() {
  const [tenantId, setTenantId] = useUrlState('empresa')
  const [period, setPeriod] = usePeriod()
  const cache = useQueryClient()
  const companies = useInfiniteQuery(tenantList({ searchParam: '' }))
  return (
    <AuditLog<PlatformAuditEntry>
      source="/tenantsAudit"
      title="Auditoria da plataforma"
      purpose="O que a administração da plataforma fez, e em qual empresa."
      onExport={async (filter) => receiveJob(cache, await exportAudit('/tenantsAudit', filter))}
      progress={<BulkProgress kind="exportPlatformAudit" />}
      filter={{ tenantId, dateFrom: period.from, dateTo: period.to }}
      extraColumn={{
        key: 'tenant',
        label: 'Empresa',
        width: 200,
        wideOnly: true,
        render: (row) => row.tenant?.name ?? '—',
      }}
      filters={
        <>
          <Select
            aria-label="Empresa"
            placeholder="Empresa"
            searchable
            clearable
            data={(companies.data?.pages.flatMap((page) => page.items) ?? []).map(({ id, name }) => ({
              value: String(id),
              label: name,
            }))}
            value={tenantId || null}
            onChange={(chosen) => setTenantId(chosen ?? '')}
            nothingFoundMessage="Nenhuma empresa"
          />
          <PeriodFilter label="Período" value={period} onChange={setPeriod} />
        </>
      }
    />
  )
}
