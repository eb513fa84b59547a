import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { type Opportunity, opportunityStatusLabels } from '@balcao/contract/sales/opportunities.ts'
import { UnstyledButton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { formatCents } from '../../../kit/format.ts'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { useCan } from '../../../kit/use-can.ts'
import { OpportunityTasks } from '../../operations/tasks/opportunity-tasks.tsx'
import { opportunityList, usePipelines } from '../../sales/funnel/api.ts'
import { EndDialog } from '../../sales/funnel/end-dialog.tsx'
import classes from './contact-panel.module.css'
import { PanelList } from './panel-list.tsx'

const OpportunityDrawer = lazyPart(async () => ({
  default: (await import('../../sales/funnel/opportunity-drawer.tsx')).OpportunityDrawer,
}))

/** What the contact may buy, or has bought; opened and written down here. */
export const ContactOpportunities = ({ ticket }: { ticket: Ticket }) => {
  const mayWrite = useCan('funnel.write')
  const { stages } = usePipelines()
  const [opened, setOpened] = useState<Opportunity | 'new' | null>(null)
  const [ending, setEnding] = useState<{ row: Opportunity; status: 'win' | 'lose' } | null>(null)
  const list = useInfiniteQuery(opportunityList({ contactId: ticket.contactId }))
  const row = opened === 'new' ? null : opened
  return (
    <>
      <PanelList
        list={list}
        none="Nenhuma oportunidade."
        createLabel={mayWrite && stages.length > 0 && 'Criar oportunidade'}
        onCreate={() => setOpened('new')}
      >
        {(one) => (
          <UnstyledButton className={classes.lineMain} onClick={() => setOpened(one)}>
            <span className="truncate" title={one.name}>
              {one.name}
            </span>
            <span className={classes.meta}>
              {formatCents(one.value)} ·{' '}
              {one.status === 'open'
                ? (stages.find(({ id }) => id === one.stageId)?.name ?? '')
                : opportunityStatusLabels[one.status]}
            </span>
          </UnstyledButton>
        )}
      </PanelList>
      <Suspense fallback={null}>
        {opened && (
          <OpportunityDrawer
            key={row?.id ?? 'new'}
            opportunity={row}
            contact={{ value: ticket.contactId, label: ticket.contact.name }}
            below={row && <OpportunityTasks opportunity={row} />}
            onClose={() => setOpened(null)}
            onEnd={(status) => {
              if (!row) return
              setOpened(null)
              setEnding({ row, status })
            }}
          />
        )}
      </Suspense>
      {ending && <EndDialog opportunity={ending.row} status={ending.status} onClose={() => setEnding(null)} />}
    </>
  )
}
