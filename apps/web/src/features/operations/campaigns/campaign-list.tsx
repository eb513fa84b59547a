import type { CampaignRow } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatNumber } from '../../../kit/format.ts'
import { PagedTable } from '../../../kit/paged-table.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { type CampaignsAsked, campaignList } from './api.ts'
import { CampaignProgress } from './campaign-progress.tsx'
import classes from './campaigns.module.css'
import { percentOf, stateLabelOf, stateToneOf, whenOf, whoTells } from './words.ts'

type Props = {
  asked: CampaignsAsked
  isFiltered: boolean
  onClear: () => void
  onOpen: (id: string) => void
  activeId?: string | null
  empty: { title: string; text: string; action?: ReactNode }
}

/** Campaigns, the newest first, with how each fares. */
export const CampaignList = ({ asked, isFiltered, onClear, onOpen, activeId, empty }: Props) => {
  const list = useInfiniteQuery(campaignList(asked))
  return (
    <PagedTable
      list={list}
      label="Campanhas"
      columns={columns}
      rowName={({ name }) => name}
      under={(one) => [stateLabelOf(one), whenOf(one)].filter(Boolean).join(' · ')}
      onOpen={({ id }) => onOpen(id)}
      activeId={activeId}
      shown="exibidas"
      filtered={
        isFiltered && { title: 'Nenhuma campanha com estes filtros', text: 'Mude a busca ou os filtros.', onClear }
      }
      empty={empty}
    />
  )
}

const columns: Column<CampaignRow>[] = [
  { key: 'name', label: 'Nome', fills: true, render: ({ name }) => <strong className={classes.name}>{name}</strong> },
  {
    key: 'state',
    label: 'Situação',
    wideOnly: true,
    width: 150,
    render: (one) => <StatusDot tone={stateToneOf(one)} label={stateLabelOf(one)} />,
  },
  { key: 'progress', label: 'Andamento', width: 150, render: (one) => <CampaignProgress campaign={one} /> },
  {
    key: 'read',
    label: 'Lidas',
    align: 'right',
    wideOnly: true,
    width: 90,
    // Of what some channels do not tell there is no share.
    render: (one) =>
      one.numbers.sent && whoTells(one, 'read') === 'all' ? percentOf(one.numbers.read, one.numbers.sent) : '—',
  },
  {
    key: 'answered',
    label: 'Respostas',
    align: 'right',
    wideOnly: true,
    width: 100,
    render: ({ numbers }) => (numbers.sent ? formatNumber(numbers.answered) : '—'),
  },
  {
    key: 'connections',
    label: 'Canais',
    wideOnly: true,
    width: 154,
    render: ({ connections }) => (
      <span className={classes.channels} title={connections.map(({ name }) => name).join(', ')}>
        {connections.map(({ name }) => name).join(', ') || '—'}
      </span>
    ),
  },
  {
    key: 'when',
    label: 'Quando',
    wideOnly: true,
    width: 210,
    render: (one) => <span className="tabular">{whenOf(one) || '—'}</span>,
  },
]
