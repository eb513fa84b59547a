import type { TicketNote } from '@balcao/contract/conversations/notes.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { notesList } from '../../../features/conversations/notes/api.ts'
import { TicketState } from '../../../features/conversations/notes/ticket-state.tsx'
import { userOptions } from '../../../features/people/users/api.ts'
import { keepRows } from '../../../kit/paged-list.ts'
import { ReadingScreen } from '../../../kit/reading-screen.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { usePeriod } from '../../../kit/use-period.ts'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { PeriodFilter } from '../../../ui/period-filter.tsx'
import classes from './notas-screen.module.css'

export default function NotasScreen() {
  const [searchParam] = useUrlState('busca')
  const [userId, setUserId] = useUrlList('autor')
  const [period, setPeriod] = usePeriod()
  const people = useQuery(userOptions)
  const query = { searchParam, userId, dateFrom: period.from, dateTo: period.to }
  const list = useInfiniteQuery({ ...notesList(query), placeholderData: keepRows })
  return (
    <ReadingScreen<TicketNote>
      title="Notas"
      purpose="O que a equipe anotou nos atendimentos. O cliente nunca vê."
      searchLabel="Buscar em notas"
      filters={
        <>
          <FilterMenu
            label="Autor"
            options={(people.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={userId}
            onChange={setUserId}
          />
          <PeriodFilter label="Período" value={period} onChange={setPeriod} />
        </>
      }
      list={list}
      ticketOf={(note) => note.ticket.id}
      rowName={(note) => `nota de ${note.contact.name}`}
      shown="exibidas"
      empty={{
        title: 'Ainda não há notas',
        text: 'Na conversa, mude de “Mensagem” para “Nota” e escreva algo só para a equipe.',
        action: <GoTo to="/atendimento" label="Ver atendimentos" />,
      }}
      under={(note) => (
        <>
          {note.contact.name} · <RelativeTime moment={note.createdAt} />
        </>
      )}
      columns={[
        {
          key: 'notes',
          label: 'Nota',
          render: (note) => (
            <span className={classes.note} title={note.notes}>
              {note.notes}
            </span>
          ),
        },
        {
          key: 'contact',
          label: 'Contato',
          width: 200,
          wideOnly: true,
          render: (note) => note.contact.name,
        },
        { key: 'user', label: 'Autor', width: 170, wideOnly: true, render: (note) => note.user?.name ?? 'Sistema' },
        {
          key: 'status',
          label: 'Atendimento',
          width: 130,
          wideOnly: true,
          render: (note) => <TicketState status={note.ticket.status} />,
        },
        {
          key: 'createdAt',
          label: 'Quando',
          width: 140,
          wideOnly: true,
          render: (note) => <RelativeTime moment={note.createdAt} />,
        },
      ]}
    />
  )
}
