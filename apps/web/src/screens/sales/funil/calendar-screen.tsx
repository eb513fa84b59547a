import { useNavigate } from 'react-router'
import { FunnelFilters } from '../../../features/sales/funnel/funnel-filters.tsx'
import { OpportunityCalendar } from '../../../features/sales/funnel/opportunity-calendar.tsx'
import { useFunnel } from '../../../features/sales/funnel/use-funnel.ts'
import { useOpened } from '../../../kit/use-opened.ts'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { NoPipeline } from './no-pipeline.tsx'
import { OpportunityAt } from './opportunity-at.tsx'

/** When opportunities are expected to be won. */
export default function FunilCalendarScreen() {
  const funnel = useFunnel()
  const navigate = useNavigate()
  const { opened, setOpened } = useOpened()
  return (
    <Page
      header={
        <PageHeader title="Previsões" purpose="O que deve fechar em cada dia.">
          <FunnelFilters funnel={funnel} />
        </PageHeader>
      }
    >
      {funnel.isPending ? (
        <SkeletonList />
      ) : funnel.stages.length ? (
        <OpportunityCalendar
          funnel={funnel}
          onOpen={setOpened}
          onCreate={() => setOpened('novo')}
          onShowDay={() => void navigate('/funil/kanban?ver=lista&ordem=closingForecast')}
        />
      ) : (
        <NoPipeline />
      )}
      {opened && <OpportunityAt key={opened} id={opened} onClose={() => setOpened(null)} />}
    </Page>
  )
}
