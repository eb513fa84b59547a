import {
  type VoiceCallRow,
  voiceCallDirectionLabels,
  voiceCallDirections,
  voiceCallStatuses,
  voiceCallStatusLabels,
} from '@balcao/contract/automation/voice-calls.ts'
import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { callList, exportVoiceCalls } from '../../../features/automation/voice-calls/api.ts'
import { CallState, capital, dollars, spanOf } from '../../../features/automation/voice-calls/call-words.tsx'
import { PhoneText } from '../../../features/contacts/contacts/phone-text.tsx'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { ExportButton } from '../../../features/operations/jobs/export-button.tsx'
import { keepRows } from '../../../kit/paged-list.ts'
import { ReadingScreen } from '../../../kit/reading-screen.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { useOpened } from '../../../kit/use-opened.ts'
import { usePeriod } from '../../../kit/use-period.ts'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { PeriodFilter } from '../../../ui/period-filter.tsx'
import { CallDrawer } from './call-drawer.tsx'

const statusOptions = voiceCallStatuses.map((value) => ({ value, label: voiceCallStatusLabels[value] }))
const directionOptions = voiceCallDirections.map((value) => ({ value, label: voiceCallDirectionLabels[value] }))

export default function LigacoesScreen() {
  const [searchParam] = useUrlState('busca')
  const [status, setStatus] = useUrlList('situacao')
  const [direction, setDirection] = useUrlList('sentido')
  const [period, setPeriod] = usePeriod()
  const { opened, setOpened } = useOpened()
  const maySet = useCan('integrations.write')
  const query = { searchParam, status, direction, dateFrom: period.from, dateTo: period.to }
  const list = useInfiniteQuery({ ...callList(query), placeholderData: keepRows })
  return (
    <ReadingScreen<VoiceCallRow>
      title="Ligações"
      purpose="As ligações dos assistentes de voz: gravação, transcrição, custo e resultado de cada uma."
      actions={<ExportButton onExport={() => exportVoiceCalls(query)} />}
      searchLabel="Buscar nome ou número"
      filters={
        <>
          <FilterMenu label="Situação" options={statusOptions} value={status} onChange={setStatus} />
          <FilterMenu label="Sentido" options={directionOptions} value={direction} onChange={setDirection} />
          <PeriodFilter label="Período" value={period} onChange={setPeriod} />
        </>
      }
      progress={<BulkProgress kind="exportVoiceCalls" />}
      list={list}
      rowName={(row) => `ligação de ${nameOf(row)}`}
      onOpen={(row) => setOpened(row.id)}
      empty={{
        title: 'Ainda não há ligações',
        text: 'Ligue pelo menu de um atendimento, em “Ligar com assistente de voz”. Cada ligação aparece aqui.',
        action: maySet ? (
          <GoTo to="/configuracoes/vapi" label="Configurar a Vapi" />
        ) : (
          <GoTo to="/atendimento" label="Ver atendimentos" />
        ),
      }}
      under={(row) => (
        <>
          <CallState status={row.status} /> · {spanOf(row) ?? phoneOf(row)} · <RelativeTime moment={row.createdAt} />
        </>
      )}
      columns={[
        { key: 'contact', label: 'Contato', render: nameOf },
        {
          key: 'number',
          label: 'Número',
          width: 160,
          wideOnly: true,
          render: phoneOf,
        },
        {
          key: 'status',
          label: 'Situação',
          width: 150,
          wideOnly: true,
          render: (row) => <CallState status={row.status} />,
        },
        {
          key: 'result',
          label: 'Resultado',
          wideOnly: true,
          render: (row) => (
            <Text size="sm" truncate maw={250}>
              {resultOf(row)}
            </Text>
          ),
        },
        {
          key: 'span',
          label: 'Duração',
          width: 110,
          wideOnly: true,
          render: (row) => <span className="tabular">{spanOf(row) ?? '—'}</span>,
        },
        {
          key: 'cost',
          label: 'Custo',
          width: 100,
          wideOnly: true,
          render: (row) => <span className="tabular">{dollars(row.costUsd) ?? '—'}</span>,
        },
        {
          key: 'at',
          label: 'Quando',
          width: 120,
          wideOnly: true,
          render: (row) => <RelativeTime moment={row.createdAt} />,
        },
      ]}
    >
      {opened && <CallDrawer id={opened} onClose={() => setOpened(null)} />}
    </ReadingScreen>
  )
}

const phoneOf = ({ number }: VoiceCallRow) => <PhoneText number={number.replace('+', '')} />
const nameOf = ({ contact, name, number }: VoiceCallRow) => contact?.name || name || number
const resultOf = ({ problem, summary, endedReason }: VoiceCallRow) => {
  const text = problem ?? (summary || endedReason)
  return text ? capital(text) : '—'
}
