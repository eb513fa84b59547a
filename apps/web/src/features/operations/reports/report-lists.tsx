import type { ReportAgentState, ReportContact, ReportTicket } from '@balcao/contract/operations/reports/reports.ts'
import { durationText, measureText } from '@balcao/contract/operations/reports/words.ts'
import { Drawer, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { formatDateTime, formatTime } from '../../../kit/format.ts'
import { keepRows } from '../../../kit/paged-list.ts'
import { PagedTable } from '../../../kit/paged-table.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useGo } from '../../../kit/use-go.ts'
import { PhoneText } from '../../contacts/contacts/phone-text.tsx'
import { type Query, reportAgentStateList, reportContactList, reportTicketList } from './api.ts'

const statusNames = { pending: 'Aguardando', open: 'Em atendimento', closed: 'Encerrado' } as const

/** The conversations behind a number; each leads to itself. */
export const ReportTickets = ({ query }: { query: Query }) => {
  const go = useGo()
  const list = useInfiniteQuery({ ...reportTicketList(query), placeholderData: keepRows })
  return (
    <PagedTable<ReportTicket>
      label="Atendimentos"
      list={list}
      filtered={false}
      empty={{ title: 'Nenhum atendimento', text: 'Mude o período ou tire filtros.' }}
      rowName={(row) => `atendimento de ${row.contactName}`}
      onOpen={(row, event) => go(`/atendimento/${row.ticketId}`, event)}
      columns={[
        { key: 'contactName', label: 'Contato' },
        { key: 'status', label: 'Situação', width: 130, render: (row) => statusNames[row.status] },
        { key: 'openedAt', label: 'Aberto', width: 120, render: (row) => <RelativeTime moment={row.openedAt} /> },
        { key: 'user', label: 'Atendente', width: 150, wideOnly: true },
        { key: 'queue', label: 'Fila', width: 120, wideOnly: true },
        { key: 'waitS', label: 'Espera', width: 110, wideOnly: true, render: (row) => durationText(row.waitS) || '—' },
        {
          key: 'resolutionS',
          label: 'Duração',
          width: 110,
          wideOnly: true,
          render: (row) => durationText(row.resolutionS) || '—',
        },
        {
          key: 'aiCostMicros',
          label: 'Custo de IA',
          width: 110,
          wideOnly: true,
          render: ({ aiCostMicros }) => (aiCostMicros ? measureText(aiCostMicros / 10_000, 'money') : '—'),
        },
        { key: 'reason', label: 'Motivo', width: 130, wideOnly: true },
      ]}
    />
  )
}

/** The contacts of a report; each leads to its card. */
export const ReportContacts = ({ query }: { query: Query }) => {
  const go = useGo()
  const list = useInfiniteQuery({ ...reportContactList(query), placeholderData: keepRows })
  return (
    <PagedTable<ReportContact>
      label="Contatos"
      list={list}
      filtered={false}
      empty={{ title: 'Nenhum contato', text: 'Mude o período ou tire filtros.' }}
      rowName={(row) => row.name}
      onOpen={(row, event) => go(`/contatos?registro=${row.id}`, event)}
      columns={[
        { key: 'name', label: 'Nome' },
        {
          key: 'number',
          label: 'Número',
          width: 150,
          render: ({ number }) => (number ? <PhoneText number={number} /> : '—'),
        },
        { key: 'email', label: 'E-mail', width: 200, wideOnly: true },
        { key: 'tags', label: 'Etiquetas', width: 170, wideOnly: true, render: (row) => row.tags.join(', ') || '—' },
        { key: 'estado', label: 'Estado', width: 130, wideOnly: true },
        { key: 'kanban', label: 'Etapa', width: 120, wideOnly: true },
        {
          key: 'wallets',
          label: 'Carteira',
          width: 150,
          wideOnly: true,
          render: (row) => row.wallets.join(', ') || '—',
        },
      ]}
    />
  )
}

/** When people were there and away. */
const ReportAgentStates = ({ query }: { query: Query }) => {
  const list = useInfiniteQuery({ ...reportAgentStateList(query), placeholderData: keepRows })
  const ofOne = query.dimension === 'agent'
  const write = query.dimension === 'day' ? formatTime : formatDateTime
  return (
    <PagedTable<ReportAgentState>
      label="Horas da equipe"
      list={list}
      filtered={false}
      empty={{ title: 'Ninguém esteve disponível', text: 'Mude o período ou tire filtros.' }}
      rowName={(row) => `${row.user}, ${formatDateTime(row.startedAt)}`}
      columns={[
        ...(ofOne ? [] : [{ key: 'user' as const, label: 'Atendente' }]),
        { key: 'state', label: 'Situação', width: 150, render: (row) => row.reason ?? stateNames[row.state] },
        { key: 'startedAt', label: 'De', width: 150, render: (row) => write(row.startedAt) },
        {
          key: 'endedAt',
          label: 'Até',
          width: 110,
          wideOnly: true,
          render: (row) => (row.endedAt ? write(row.endedAt) : 'Agora'),
        },
        { key: 'seconds', label: 'Tempo', width: 120, render: (row) => durationText(row.seconds) },
      ]}
    />
  )
}
const stateNames = { online: 'Disponível', away: 'Em pausa' } as const

const lists = { tickets: ReportTickets, contacts: ReportContacts, states: ReportAgentStates }
type Behind = { title: string; of: keyof typeof lists; query: Query; onClose: () => void }
/** What a row of a report is made of. */
export const BehindRow = ({ title, of, query, onClose }: Behind) => {
  const List = lists[of]
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="xl"
      title={<Text fw={600}>{title}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <List query={query} />
    </Drawer>
  )
}
