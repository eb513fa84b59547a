import type { TicketProtocol } from '@balcao/contract/conversations/notes.ts'
import { ActionIcon, CopyButton, Group, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy, IconLink } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { protocolsList } from '../../../features/conversations/notes/api.ts'
import { TicketState, ticketStateOptions } from '../../../features/conversations/notes/ticket-state.tsx'
import { formatDateTime, formatExact, formatTime } from '../../../kit/format.ts'
import { keepRows } from '../../../kit/paged-list.ts'
import { ReadingScreen } from '../../../kit/reading-screen.tsx'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { usePeriod } from '../../../kit/use-period.ts'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { PeriodFilter } from '../../../ui/period-filter.tsx'

const ProtocolDialog = lazy(async () => ({
  default: (await import('../../../features/service/protocols/protocol-dialog.tsx')).ProtocolDialog,
}))

export default function ProtocolosScreen() {
  const [shared, setShared] = useState<TicketProtocol | null>(null)
  const [searchParam] = useUrlState('busca')
  const [status, setStatus] = useUrlList('situacao')
  const [period, setPeriod] = usePeriod()
  const query = { searchParam, status, dateFrom: period.from, dateTo: period.to }
  const list = useInfiniteQuery({ ...protocolsList(query), placeholderData: keepRows })
  return (
    <ReadingScreen<TicketProtocol>
      title="Protocolos"
      purpose="O número de cada atendimento, para achar a conversa que o cliente cita."
      searchLabel="Buscar protocolo ou contato"
      filters={
        <>
          <FilterMenu label="Situação" options={ticketStateOptions} value={status} onChange={setStatus} />
          <PeriodFilter label="Período" value={period} onChange={setPeriod} />
        </>
      }
      list={list}
      ticketOf={(row) => row.id}
      rowName={(row) => `protocolo ${row.protocol}`}
      empty={{
        title: 'Ainda não há protocolos',
        text: 'Cada atendimento recebe o seu ao começar, e ele aparece aqui.',
        action: <GoTo to="/atendimento" label="Ver atendimentos" />,
      }}
      rowActions={(row) => (
        <Group gap={2} wrap="nowrap" justify="flex-end">
          <CopyButton value={row.protocol} timeout={2_000}>
            {({ copied, copy }) => (
              <Tooltip label={copied ? 'Copiado' : 'Copiar protocolo'}>
                <ActionIcon
                  aria-label={copied ? `Protocolo ${row.protocol}: copiado` : `Copiar protocolo ${row.protocol}`}
                  onClick={copy}
                >
                  {copied ? <IconCheck size={18} stroke={1.75} /> : <IconCopy size={18} stroke={1.75} />}
                </ActionIcon>
              </Tooltip>
            )}
          </CopyButton>
          <Tooltip label="Enviar ou criar link">
            <ActionIcon aria-label={`Links do protocolo ${row.protocol}`} onClick={() => setShared(row)}>
              <IconLink size={18} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        </Group>
      )}
      under={(row) => (
        <>
          <TicketState status={row.status} /> · {row.contact.name}
        </>
      )}
      columns={[
        {
          key: 'protocol',
          label: 'Protocolo',
          width: 170,
          render: (row) => <span className="tabular">{row.protocol}</span>,
        },
        {
          key: 'contact',
          label: 'Contato',
          wideOnly: true,
          render: (row) => row.contact.name,
        },
        {
          key: 'status',
          label: 'Situação',
          width: 120,
          wideOnly: true,
          render: (row) => <TicketState status={row.status} />,
        },
        { key: 'queue', label: 'Fila', width: 140, wideOnly: true, render: (row) => row.queue?.name ?? '—' },
        { key: 'user', label: 'Atendente', width: 170, wideOnly: true, render: (row) => row.user?.name ?? '—' },
        {
          key: 'createdAt',
          label: 'Aberto em',
          width: 150,
          wideOnly: true,
          render: (row) => (
            <time className="tabular" dateTime={row.createdAt} title={formatExact(row.createdAt)}>
              {formatDateTime(row.createdAt)}
            </time>
          ),
        },
        {
          key: 'closedAt',
          label: 'Encerrado em',
          width: 150,
          wideOnly: true,
          render: (row) =>
            row.closedAt ? (
              <time className="tabular" dateTime={row.closedAt} title={formatExact(row.closedAt)}>
                {closedText(row.createdAt, row.closedAt)}
              </time>
            ) : (
              '—'
            ),
        },
      ]}
    >
      {shared && (
        <Suspense fallback={null}>
          <ProtocolDialog
            ticketId={shared.id}
            protocol={shared.protocol}
            status={shared.status}
            onClose={() => setShared(null)}
          />
        </Suspense>
      )}
    </ReadingScreen>
  )
}

/** Most end on the day they began: the hour says it. */
const closedText = (createdAt: string, closedAt: string) => {
  const [day, ended] = [formatDateTime(createdAt).slice(0, 10), formatDateTime(closedAt)]
  return ended.startsWith(day) ? formatTime(closedAt) : ended
}
