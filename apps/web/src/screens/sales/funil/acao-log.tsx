import {
  type ActionRun,
  type ActionRunState,
  actionRunLabels,
  actionRunStates,
  type PipelineAction,
  pipelineActionResource,
  type TicketAction,
  ticketActionResource,
} from '@balcao/contract/operations/funnel-actions.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { actionRuns, exportActionRuns } from '../../../features/operations/funnel-actions/api.ts'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { ExportButton } from '../../../features/operations/jobs/export-button.tsx'
import { keepRows } from '../../../kit/paged-list.ts'
import { ReadingScreen } from '../../../kit/reading-screen.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { allRows } from '../../../kit/resource-api.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { useGo } from '../../../kit/use-go.ts'
import { usePeriod } from '../../../kit/use-period.ts'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { PeriodFilter } from '../../../ui/period-filter.tsx'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'
import { ActionParts } from './acao-parts.tsx'

const tones: Record<ActionRunState, StatusTone> = { waiting: 'note', done: 'good', skipped: 'quiet', failed: 'bad' }
const states = actionRunStates.map((value) => ({ value: value as string, label: actionRunLabels[value] }))

/** What actions did, to whom and when; a row leads to the opportunity, or the conversation. */
export const ActionLog = () => {
  const go = useGo()
  const { tenantId } = useCurrentSession().user
  const [searchParam] = useUrlState('busca')
  const [actionId, setActions] = useUrlList('acao')
  const [state, setStates] = useUrlList('situacao')
  const [period, setPeriod] = usePeriod()
  const known = [
    ...(useQuery(allRows<PipelineAction>(pipelineActionResource)).data ?? []),
    ...(useQuery(allRows<TicketAction>(ticketActionResource)).data ?? []),
  ]
  const query = { searchParam, actionId, state, dateFrom: period.from, dateTo: period.to }
  const list = useInfiniteQuery({ ...actionRuns(tenantId, query), placeholderData: keepRows, staleTime: 0 })
  return (
    <ReadingScreen<ActionRun>
      title="Ações do funil"
      purpose="O que as ações fizeram, com quem, e o que não foi possível."
      actions={<ExportButton onExport={() => exportActionRuns(query)} />}
      searchLabel="Buscar oportunidade ou contato"
      filters={
        <>
          <ActionParts />
          <FilterMenu
            label="Ação"
            options={known.map(({ id, name }) => ({ value: id, label: name }))}
            value={actionId}
            onChange={setActions}
          />
          <FilterMenu label="Situação" options={states} value={state} onChange={setStates} />
          <PeriodFilter label="Período" value={period} onChange={setPeriod} />
        </>
      }
      progress={<BulkProgress kind="exportFunnelActions" />}
      list={list}
      onOpen={({ opportunity, ticketId }, event) =>
        go(opportunity ? `/funil/kanban?registro=${opportunity.id}` : `/atendimento/${ticketId}`, event)
      }
      rowName={(row) => `${row.action.name}: ${row.opportunity?.name ?? row.contact.name}`}
      shown="exibidas"
      empty={{
        title: 'Nenhuma ação agiu ainda',
        text: 'Assim que uma ação ligada alcançar alguém, ela aparece aqui.',
        action: <GoTo to="/funil/acao" label="Ver as ações" />,
      }}
      under={(row) => `${actionRunLabels[row.state]} · ${row.opportunity?.name ?? row.contact.name}`}
      columns={[
        {
          key: 'action',
          label: 'Ação',
          width: 220,
          render: (row) => <span className="truncate">{row.action.name}</span>,
        },
        {
          key: 'who',
          label: 'Com quem',
          width: 240,
          wideOnly: true,
          render: (row) => (
            <span className="truncate">{[row.opportunity?.name, row.contact.name].filter(Boolean).join(' · ')}</span>
          ),
        },
        {
          key: 'state',
          label: 'Situação',
          width: 140,
          wideOnly: true,
          render: (row) => <StatusDot tone={tones[row.state]} label={actionRunLabels[row.state]} />,
        },
        {
          key: 'problem',
          label: 'Observação',
          fills: true,
          wideOnly: true,
          render: (row) => (
            <span className="truncate" title={row.problem ?? undefined}>
              {row.problem ?? '—'}
            </span>
          ),
        },
        { key: 'at', label: 'Quando', width: 120, render: (row) => <RelativeTime moment={row.at} /> },
      ]}
    />
  )
}
