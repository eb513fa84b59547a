import { type Opportunity, opportunityStatusLabels } from '@balcao/contract/sales/opportunities.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatCents } from '../../../kit/format.ts'
import { keepRows } from '../../../kit/paged-list.ts'
import { PagedTable } from '../../../kit/paged-table.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useUrlState } from '../../../kit/url-state.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { opportunityList } from './api.ts'
import type { Funnel } from './use-funnel.ts'
import { dayText, statusTones } from './words.ts'

type Props = { funnel: Funnel; onOpen: (id: string) => void; activeId: string | null; createButton: ReactNode }
const sorts = ['createdAt', 'closingForecast', 'value', 'name'] as const

export const OpportunityList = ({ funnel, onOpen, activeId, createButton }: Props) => {
  const [order, setOrder] = useUrlState('ordem', '-createdAt')
  const sort = sorts.find((one) => one === order.replace('-', '')) ?? 'createdAt'
  const direction = order.startsWith('-') ? ('desc' as const) : ('asc' as const)
  const list = useInfiniteQuery({
    ...opportunityList({ ...funnel.asked, sort, direction }),
    placeholderData: keepRows,
    enabled: funnel.pipeline !== undefined,
  })
  const stageOf = (one: Opportunity) => funnel.stages.find(({ id }) => id === one.stageId)
  return (
    <PagedTable
      list={list}
      label="Oportunidades"
      shown="exibidas"
      filtered={
        funnel.isFiltered && {
          title: 'Nenhuma oportunidade com estes filtros',
          text: 'Mude a busca ou os filtros.',
          onClear: funnel.clear,
        }
      }
      empty={{
        title: 'Nenhuma oportunidade em aberto',
        text: 'Anote o que alguém pode comprar, quanto e até quando.',
        action: createButton,
      }}
      rowName={({ name }) => name}
      sorting={{ by: sort, direction }}
      onSort={(next) => setOrder(next.direction === 'desc' ? `-${next.by}` : next.by)}
      onOpen={({ id }) => onOpen(id)}
      activeId={activeId}
      under={(one) => [one.contact.name, formatCents(one.value)].join(' · ')}
      columns={[
        {
          key: 'name',
          label: 'Oportunidade',
          sortable: true,
          fills: true,
          render: (one) => <span className="truncate">{one.name}</span>,
        },
        {
          key: 'contact',
          label: 'Contato',
          wideOnly: true,
          width: 190,
          render: (one) => <span className="truncate">{one.contact.name}</span>,
        },
        {
          key: 'stage',
          label: 'Etapa',
          wideOnly: true,
          width: 170,
          render: (one) => {
            const stage = stageOf(one)
            return one.status === 'open' && stage ? (
              <ColorDot color={stage.color} label={stage.name} />
            ) : (
              <StatusDot tone={statusTones[one.status]} label={opportunityStatusLabels[one.status]} />
            )
          },
        },
        {
          key: 'value',
          label: 'Valor',
          sortable: true,
          align: 'right',
          wideOnly: true,
          width: 130,
          render: (one) => <span className="tabular">{formatCents(one.value)}</span>,
        },
        {
          key: 'closingForecast',
          label: 'Previsão',
          sortable: true,
          wideOnly: true,
          width: 120,
          render: (one) => (one.closingForecast ? dayText(one.closingForecast) : '—'),
        },
        {
          key: 'responsible',
          label: 'Responsável',
          wideOnly: true,
          width: 160,
          render: (one) => <span className="truncate">{one.responsible?.name ?? '—'}</span>,
        },
        {
          key: 'createdAt',
          label: 'Criada',
          sortable: true,
          wideOnly: true,
          width: 120,
          render: (one) => <RelativeTime moment={one.createdAt} />,
        },
      ]}
    />
  )
}
