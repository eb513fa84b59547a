import type { AuditEntry } from '@balcao/contract/platform/audit.ts'
import { auditEntities } from '@balcao/contract/platform/audit-words.ts'
import { Checkbox } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { receiveJob } from '../../../features/conversations/tickets/bulk-api.ts'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { userOptions } from '../../../features/people/users/api.ts'
import { exportAudit } from '../../../features/platform/audit/api.ts'
import { AuditLog } from '../../../features/platform/audit/audit-log.tsx'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { usePeriod } from '../../../kit/use-period.ts'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { PeriodFilter } from '../../../ui/period-filter.tsx'

const platformOnly = ['platform', 'impersonation']
const kinds = Object.entries(auditEntities)
  .filter(([value]) => !platformOnly.includes(value))
  .map(([value, label]) => ({ value, label: value === 'macroRun' ? 'Execução de macro' : label }))
  .sort((one, other) => one.label.localeCompare(other.label, 'pt-BR'))

export default function AuditoriaScreen() {
  const [userId, setUserId] = useUrlList('quem')
  const [entity, setEntity] = useUrlList('oque')
  const [support, setSupport] = useUrlState('suporte')
  const [period, setPeriod] = usePeriod()
  const people = useQuery(userOptions)
  const cache = useQueryClient()
  return (
    <AuditLog<AuditEntry>
      source="/audit"
      title="Auditoria"
      purpose="Quem criou, alterou ou excluiu o quê, e quando. Os acessos do suporte também ficam aqui."
      filter={{
        userId,
        entity,
        dateFrom: period.from,
        dateTo: period.to,
        isImpersonated: support ? true : undefined,
      }}
      onExport={async (filter) => receiveJob(cache, await exportAudit('/audit', filter))}
      progress={<BulkProgress kind="exportAudit" />}
      filters={
        <>
          <FilterMenu
            label="Quem"
            options={(people.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={userId}
            onChange={setUserId}
          />
          <FilterMenu label="O quê" options={kinds} value={entity} onChange={setEntity} />
          <PeriodFilter label="Período" value={period} onChange={setPeriod} />
          <Checkbox
            label="Só do suporte"
            checked={support !== ''}
            onChange={(event) => setSupport(event.currentTarget.checked ? '1' : '')}
          />
        </>
      }
    />
  )
}
