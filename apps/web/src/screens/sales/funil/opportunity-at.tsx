import type { Opportunity } from '@balcao/contract/sales/opportunities.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { OpportunityTasks } from '../../../features/operations/tasks/opportunity-tasks.tsx'
import { opportunityQuery } from '../../../features/sales/funnel/api.ts'
import { EndDialog } from '../../../features/sales/funnel/end-dialog.tsx'
import { GoneDialog } from '../../../ui/gone-dialog.tsx'

const OpportunityDrawer = lazy(async () => ({
  default: (await import('../../../features/sales/funnel/opportunity-drawer.tsx')).OpportunityDrawer,
}))

const TalkToContact = lazy(async () => ({
  default: (await import('../../../features/workspace/inbox/talk-to-contact.tsx')).TalkToContact,
}))

type Props = { id: string /** Where it is to go. */; stageId?: string; onClose: () => void }

/** The opportunity in the address, beside the screen; `novo` is made. */
export const OpportunityAt = ({ id, stageId, onClose }: Props) => {
  const isNew = id === 'novo'
  const query = useQuery({ ...opportunityQuery(id), enabled: !isNew })
  const [ending, setEnding] = useState<{ row: Opportunity; status: 'win' | 'lose' } | null>(null)
  const [isWriting, setWriting] = useState(false)
  if (!isNew && !query.data)
    return (
      <GoneDialog row={query} title="Oportunidade não encontrada" backLabel="Voltar ao funil" onBack={onClose}>
        Talvez ela tenha sido excluída ou passada a outra pessoa.
      </GoneDialog>
    )
  const row = query.data ?? null
  return (
    <Suspense fallback={null}>
      <OpportunityDrawer
        key={id}
        opportunity={row}
        stageId={stageId}
        onClose={onClose}
        below={row && <OpportunityTasks opportunity={row} />}
        onWrite={() => setWriting(true)}
        onEnd={(status) => row && setEnding({ row, status })}
      />
      {row && isWriting && <TalkToContact contactId={row.contactId} onClose={() => setWriting(false)} />}
      {ending && <EndDialog opportunity={ending.row} status={ending.status} onClose={() => setEnding(null)} />}
    </Suspense>
  )
}
