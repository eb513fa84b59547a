import { useQuery } from '@tanstack/react-query'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { ExportButton } from '../../../features/operations/jobs/export-button.tsx'
import { dashboardQuery, exportOpportunities } from '../../../features/sales/funnel/api.ts'
import { FunnelFilters } from '../../../features/sales/funnel/funnel-filters.tsx'
import { FunnelNumbers } from '../../../features/sales/funnel/funnel-numbers.tsx'
import { GoalsBlock } from '../../../features/sales/funnel/goals-block.tsx'
import { lateState, useFunnel } from '../../../features/sales/funnel/use-funnel.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { dayOf } from '../../../kit/format.ts'
import { usePeriod } from '../../../kit/use-period.ts'
import { useNow } from '../../../ui/clock.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { PeriodFilter } from '../../../ui/period-filter.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { NoPipeline } from './no-pipeline.tsx'

/** How selling goes; without days in the address, this month. */
export default function FunilDashboardScreen() {
  const funnel = useFunnel()
  const [period, setPeriod] = usePeriod()
  const today = dayOf(new Date(useNow()))
  const [startDate, endDate] = [period.from || `${today.slice(0, 7)}-01`, period.to || today]
  const pipelineId = funnel.pipeline?.id ?? ''
  const query = useQuery({
    ...dashboardQuery({ pipelineId, responsibleId: funnel.people, startDate, endDate }),
    enabled: pipelineId !== '',
  })
  const late = new URLSearchParams([
    ['ver', 'lista'],
    ['funil', pipelineId],
    ['situacao', lateState],
    ...funnel.people.map((id) => ['responsavel', id]),
  ])
  return (
    <Page
      header={
        <PageHeader
          title="Vendas"
          purpose="O que está em aberto, o que fechou e onde as vendas param."
          actions={funnel.stages.length > 0 && <GoTo to="/funil/kanban" label="Abrir o quadro" />}
        >
          <FunnelFilters funnel={funnel} withoutSearch />
          <PeriodFilter label="Este mês" value={period} onChange={setPeriod} />
          {funnel.stages.length > 0 && (
            <ExportButton onExport={() => exportOpportunities({ pipelineId, responsibleId: funnel.people })} />
          )}
        </PageHeader>
      }
    >
      <BulkProgress kind="exportOpportunities" />
      {funnel.isPending ? (
        <SkeletonList />
      ) : funnel.stages.length === 0 ? (
        <NoPipeline />
      ) : query.isError ? (
        <ErrorState message={messageOf(query.error)} onRetry={() => void query.refetch()} />
      ) : query.data ? (
        <FunnelNumbers
          numbers={query.data}
          stages={funnel.stages}
          lateAt={`/funil/kanban?${late}`}
          above={<GoalsBlock of={{ pipelineId, month: endDate.slice(0, 7) }} />}
        />
      ) : (
        <SkeletonList />
      )}
    </Page>
  )
}
