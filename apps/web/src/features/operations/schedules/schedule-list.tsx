import type { Schedule } from '@balcao/contract/operations/schedules.ts'
import { IconPaperclip } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { keepRows } from '../../../kit/paged-list.ts'
import { PagedTable } from '../../../kit/paged-table.tsx'
import { useUrlState } from '../../../kit/url-state.ts'
import { ChannelGlyph } from '../../../ui/channel-glyph.tsx'
import { type SchedulesAsked, schedulesList } from './api.ts'
import classes from './schedule-list.module.css'
import { ScheduleMark } from './schedule-state.tsx'
import { WhenText } from './when-text.tsx'

type Props = {
  asked: SchedulesAsked
  isFiltered: boolean
  onClear: () => void
  onOpen: (id: string) => void
  activeId: string | null
  createButton: ReactNode
}

export const ScheduleList = ({ asked, isFiltered, onClear, onOpen, activeId, createButton }: Props) => {
  const [order, setOrder] = useUrlState('ordem', 'asc')
  const direction = order === 'desc' ? 'desc' : 'asc'
  const list = useInfiniteQuery({ ...schedulesList({ ...asked, direction }), placeholderData: keepRows })
  return (
    <PagedTable<Schedule>
      label="Agendamentos"
      list={list}
      filtered={
        isFiltered && {
          title: 'Nenhum agendamento com estes filtros',
          text: 'Escolha outras situações, outro canal ou outros dias.',
          onClear,
        }
      }
      empty={{
        title: 'Nada por enviar',
        text: 'Escreva agora o que o cliente deve receber depois: um lembrete, uma confirmação, um retorno.',
        action: createButton,
      }}
      rowName={(row) => `Mensagem para ${row.contact.name}`}
      sorting={{ by: 'scheduleDate', direction }}
      onSort={(next) => setOrder(next.direction)}
      onOpen={(row) => onOpen(row.id)}
      activeId={activeId}
      under={(row) => (
        <>
          <ScheduleMark schedule={row} /> · {row.contact.name}
        </>
      )}
      columns={[
        {
          key: 'scheduleDate',
          label: 'Quando',
          sortable: true,
          width: 170,
          render: (row) => <WhenText schedule={row} />,
        },
        {
          key: 'contact',
          label: 'Contato',
          width: 220,
          wideOnly: true,
          render: (row) => (
            <span className={classes.contact}>
              <ChannelGlyph channel={row.connection.kind} />
              <span className="truncate" title={row.contact.name}>
                {row.contact.name}
              </span>
            </span>
          ),
        },
        {
          key: 'body',
          label: 'Mensagem',
          wideOnly: true,
          render: (row) => (
            <span className={classes.text}>
              {row.media && <IconPaperclip size={14} aria-label="Com arquivo" />}
              <span className="truncate" title={row.body}>
                {row.body || row.media?.name}
              </span>
            </span>
          ),
        },
        { key: 'connection', label: 'Canal', width: 170, wideOnly: true, render: (row) => row.connection.name },
        {
          key: 'state',
          label: 'Situação',
          width: 160,
          wideOnly: true,
          render: (row) => (
            <span title={row.error ?? undefined}>
              <ScheduleMark schedule={row} />
            </span>
          ),
        },
      ]}
    />
  )
}
