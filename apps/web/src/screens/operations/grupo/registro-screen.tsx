import {
  type GroupLog,
  type GroupLogState,
  groupLogStateLabels,
  groupLogStates,
  groupRuleKinds,
  groupRuleLabels,
} from '@balcao/contract/operations/group-rules.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { PhoneText } from '../../../features/contacts/contacts/phone-text.tsx'
import { exportGroupLogs, groupLogs } from '../../../features/operations/groups/api.ts'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { ExportButton } from '../../../features/operations/jobs/export-button.tsx'
import { formatDateTime } from '../../../kit/format.ts'
import { keepRows } from '../../../kit/paged-list.ts'
import { ReadingScreen } from '../../../kit/reading-screen.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { usePeriod } from '../../../kit/use-period.ts'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { PeriodFilter } from '../../../ui/period-filter.tsx'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'
import classes from './groups-screen.module.css'

const tones: Record<GroupLogState, StatusTone> = {
  waiting: 'waiting',
  doing: 'waiting',
  done: 'good',
  failed: 'bad',
  skipped: 'quiet',
}

/** What the rules did in the groups: to whom, when and why. */
export default function RegistroScreen() {
  const [search] = useUrlState('busca')
  const [kinds, setKinds] = useUrlList('regra')
  const [states, setStates] = useUrlList('situacao')
  const [connectionIds, setConnections] = useUrlList('canal')
  const [period, setPeriod] = usePeriod()
  const connections = useQuery(connectionList).data ?? []
  const able = connections.filter(({ abilities }) => abilities.supports.includes('groupMessages'))
  const query = {
    ...{ searchParam: search, kinds, states, connectionIds },
    ...{ dateFrom: period.from || undefined, dateTo: period.to || undefined },
  }
  const list = useInfiniteQuery({ ...groupLogs(query), placeholderData: keepRows, staleTime: 0 })
  return (
    <ReadingScreen<GroupLog>
      title="Registro dos grupos"
      purpose="O que as regras fizeram: com quem, quando e por quê."
      searchLabel="Buscar pessoa, grupo ou motivo"
      actions={<ExportButton onExport={() => exportGroupLogs(query)} />}
      filters={
        <>
          <FilterMenu
            label="Regra"
            options={groupRuleKinds.map((value) => ({ value, label: groupRuleLabels[value] }))}
            value={kinds}
            onChange={setKinds}
          />
          <FilterMenu
            label="Situação"
            options={groupLogStates.map((value) => ({ value, label: groupLogStateLabels[value] }))}
            value={states}
            onChange={setStates}
          />
          <FilterMenu
            label="Canal"
            options={able.map(({ id, name }) => ({ value: id, label: name }))}
            value={connectionIds}
            onChange={setConnections}
          />
          <PeriodFilter label="Dias" value={period} onChange={setPeriod} />
        </>
      }
      progress={<BulkProgress kind="exportGroupLogs" />}
      list={list}
      rowName={({ member, what }) => `${what}: ${member.name}`}
      empty={{
        title: 'Nada aconteceu ainda',
        text: 'Quando uma regra remover, avisar, saudar ou se despedir de alguém, aparece aqui.',
      }}
      // Two lines of a phone: what became of it first.
      under={({ what, why, group, connection, state, problem, createdAt }) => {
        const did = why ? `${what}: ${why}` : what
        const became = problem ? `${groupLogStateLabels[state]}: ${problem}` : groupLogStateLabels[state]
        return [became, did, group.name, formatDateTime(createdAt), connection.name].join(' · ')
      }}
      columns={[
        { key: 'member', label: 'Pessoa', render: ({ member }) => member.name },
        {
          key: 'number',
          label: 'Telefone',
          width: 170,
          wideOnly: true,
          render: ({ member }) => (member.number ? <PhoneText number={member.number} /> : '—'),
        },
        { key: 'what', label: 'O que', width: 180, wideOnly: true, render: ({ what }) => what },
        { key: 'why', label: 'Por quê', width: 180, wideOnly: true, render: ({ why }) => why || '—' },
        {
          key: 'group',
          label: 'Grupo',
          width: 200,
          wideOnly: true,
          render: ({ group, connection }) => (
            <span className={classes.words}>
              {group.name}
              <span className={classes.meta}>{connection.name}</span>
            </span>
          ),
        },
        {
          key: 'state',
          label: 'Situação',
          width: 260,
          wideOnly: true,
          render: ({ state, problem }) => (
            <span className={classes.words}>
              <StatusDot tone={tones[state]} label={groupLogStateLabels[state]} />
              {problem && <span className={classes.meta}>{problem}</span>}
            </span>
          ),
        },
        {
          key: 'createdAt',
          label: 'Quando',
          width: 130,
          wideOnly: true,
          render: ({ createdAt }) => <RelativeTime moment={createdAt} />,
        },
      ]}
    />
  )
}
