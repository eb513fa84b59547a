import type { Opportunity } from '@balcao/contract/sales/opportunities.ts'
import { IconLayoutKanban, IconList } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { CsvImport } from '../../../features/core/csv/csv-import.tsx'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { ExportButton } from '../../../features/operations/jobs/export-button.tsx'
import { exportOpportunities } from '../../../features/sales/funnel/api.ts'
import { EndDialog } from '../../../features/sales/funnel/end-dialog.tsx'
import { FunnelFilters } from '../../../features/sales/funnel/funnel-filters.tsx'
import { OpportunityBoard } from '../../../features/sales/funnel/opportunity-board.tsx'
import { OpportunityList } from '../../../features/sales/funnel/opportunity-list.tsx'
import { useFunnel } from '../../../features/sales/funnel/use-funnel.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ViewsScreen } from '../../../kit/views-screen.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { NoPipeline } from './no-pipeline.tsx'
import { OpportunityAt } from './opportunity-at.tsx'

const TalkToContact = lazy(async () => ({
  default: (await import('../../../features/workspace/inbox/talk-to-contact.tsx')).TalkToContact,
}))

/** The opportunities of a pipeline, as a board and as a list. */
export default function FunilKanbanScreen() {
  const funnel = useFunnel()
  const mayWrite = useCan('funnel.write')
  const [target, setTarget] = useState<{ id: string; stageId: string } | null>(null)
  const [ending, setEnding] = useState<{ card: Opportunity; status: 'win' | 'lose' } | null>(null)
  const [writingTo, setWritingTo] = useState<string | null>(null)
  const isReady = funnel.pipeline !== undefined && funnel.stages.length > 0
  const instead = funnel.isPending ? <SkeletonList /> : <NoPipeline />
  return (
    <>
      <ViewsScreen
        title="Funil"
        purpose="O que pode virar venda, etapa por etapa."
        createLabel={mayWrite && isReady ? 'Criar oportunidade' : undefined}
        views={[
          {
            value: 'quadro',
            label: 'Quadro',
            icon: IconLayoutKanban,
            draw: ({ onOpen }) =>
              isReady && funnel.pipeline ? (
                <OpportunityBoard
                  asked={{ ...funnel.asked, pipelineId: funnel.pipeline.id }}
                  stages={funnel.stages}
                  onOpen={(id, stageId) => {
                    setTarget(stageId ? { id, stageId } : null)
                    onOpen(id)
                  }}
                  onEnd={(card, status) => setEnding({ card, status })}
                  onWrite={(card) => setWritingTo(card.contactId)}
                />
              ) : (
                instead
              ),
          },
          {
            value: 'lista',
            label: 'Lista',
            icon: IconList,
            draw: ({ opened, onOpen, createButton }) =>
              isReady ? (
                <>
                  <BulkProgress kind="exportOpportunities" />
                  <OpportunityList funnel={funnel} onOpen={onOpen} activeId={opened} createButton={createButton} />
                </>
              ) : (
                instead
              ),
          },
        ]}
        filters={(view) => (
          <>
            <FunnelFilters funnel={funnel} />
            {view === 'lista' && funnel.pipeline && (
              <>
                <ExportButton onExport={() => exportOpportunities(funnel.asked)} />
                {mayWrite && (
                  <CsvImport
                    path="/opportunities/import"
                    event="opportunity"
                    many="oportunidades"
                    help="Um arquivo CSV com “Oportunidade” e “Contato” e, se quiser, “Telefone”, “Funil”, “Etapa”, “Valor”, “Previsão” (dia/mês/ano), “Responsável”, “Origem” e “Descrição”. Os contatos precisam existir."
                    more={{ pipelineId: funnel.pipeline.id }}
                  />
                )}
              </>
            )}
          </>
        )}
        form={({ id, onClose }) => (
          <OpportunityAt
            key={id}
            id={id}
            stageId={target?.id === id ? target.stageId : undefined}
            onClose={() => {
              setTarget(null)
              onClose()
            }}
          />
        )}
      />
      <Suspense fallback={null}>
        {writingTo && <TalkToContact contactId={writingTo} onClose={() => setWritingTo(null)} />}
      </Suspense>
      {ending && <EndDialog opportunity={ending.card} status={ending.status} onClose={() => setEnding(null)} />}
    </>
  )
}
