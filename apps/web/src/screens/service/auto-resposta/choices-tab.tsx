import { type AutoReplyChoice, choicesKeptDays, keywordModeLabels } from '@balcao/contract/service/auto-replies.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { ExportButton } from '../../../features/operations/jobs/export-button.tsx'
import { keepRows } from '../../../kit/paged-list.ts'
import { ReadingScreen } from '../../../kit/reading-screen.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { usePeriod } from '../../../kit/use-period.ts'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { PeriodFilter } from '../../../ui/period-filter.tsx'
import { autoReplies, choicesList, exportChoices } from './auto-reply-api.ts'
import { AutoReplyTabs } from './auto-reply-tabs.tsx'

/** What was answered by itself, to whom and to which words. */
export const ChoicesTab = () => {
  const [searchParam] = useUrlState('busca')
  const [ruleIds, setRules] = useUrlList('resposta')
  const [connectionIds, setConnections] = useUrlList('canal')
  const [period, setPeriod] = usePeriod()
  const rules = useQuery(autoReplies).data ?? []
  const connections = useQuery(connectionList).data ?? []
  const query = { searchParam, ruleIds, connectionIds, dateFrom: period.from, dateTo: period.to }
  const list = useInfiniteQuery({ ...choicesList(query), placeholderData: keepRows, staleTime: 0 })
  const optionsOf = (rows: readonly { id: string; name: string }[]) =>
    rows.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <ReadingScreen<AutoReplyChoice>
      title="Respostas automáticas"
      purpose={`O que foi respondido sozinho nos últimos ${choicesKeptDays} dias.`}
      actions={<ExportButton onExport={() => exportChoices(query)} />}
      searchLabel="Buscar contato ou mensagem"
      filters={
        <>
          <AutoReplyTabs value="respondidas" />
          <FilterMenu label="Resposta" options={optionsOf(rules)} value={ruleIds} onChange={setRules} />
          <FilterMenu label="Canal" options={optionsOf(connections)} value={connectionIds} onChange={setConnections} />
          <PeriodFilter label="Período" value={period} onChange={setPeriod} />
        </>
      }
      progress={<BulkProgress kind="exportAutoReplies" />}
      list={list}
      ticketOf={(row) => row.ticketId}
      rowName={(row) => `resposta a ${row.contact.name}`}
      shown="exibidas"
      empty={{
        title: 'Nada foi respondido ainda',
        text: 'Assim que uma mensagem combinar com uma resposta, ela aparece aqui.',
        action: <GoTo to="/auto-resposta" label="Ver as respostas" />,
      }}
      under={(row) => (
        <>
          {row.rule.name} · {row.problem ?? row.said}
        </>
      )}
      columns={[
        { key: 'contact', label: 'Contato', width: 190, render: (row) => row.contact.name },
        { key: 'said', label: 'O que escreveu', wideOnly: true, render: (row) => row.said || '(sem texto)' },
        {
          key: 'keyword',
          label: 'Combinou com',
          width: 200,
          wideOnly: true,
          render: (row) =>
            row.keyword && row.mode ? `${keywordModeLabels[row.mode]} “${row.keyword}”` : 'Qualquer mensagem',
        },
        { key: 'rule', label: 'Resposta', width: 180, wideOnly: true, render: (row) => row.rule.name },
        { key: 'problem', label: 'Não foi possível', width: 200, wideOnly: true, render: (row) => row.problem ?? '—' },
        { key: 'at', label: 'Quando', width: 120, render: (row) => <RelativeTime moment={row.at} /> },
      ]}
    />
  )
}
