import { scheduleStateLabels, scheduleStates } from '@balcao/contract/operations/schedules.ts'
import { IconCalendar, IconList } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { scheduleQuery } from '../../../features/operations/schedules/api.ts'
import { ScheduleCalendar } from '../../../features/operations/schedules/schedule-calendar.tsx'
import { ScheduleDrawer } from '../../../features/operations/schedules/schedule-drawer.tsx'
import { ScheduleList } from '../../../features/operations/schedules/schedule-list.tsx'
import { useScheduleFilter } from '../../../features/operations/schedules/use-schedule-filter.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ViewsScreen } from '../../../kit/views-screen.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { GoneDialog } from '../../../ui/gone-dialog.tsx'
import { PeriodFilter } from '../../../ui/period-filter.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'

const stateOptions = scheduleStates.map((value) => ({ value: value as string, label: scheduleStateLabels[value] }))

export default function AgendamentosScreen() {
  const [, setParams] = useSearchParams()
  const filter = useScheduleFilter()
  const mayWrite = useCan('schedules.write')
  const connections = useQuery(connectionList)
  const showDay = (day: string) =>
    setParams((now) => {
      const next = new URLSearchParams(now)
      next.delete('ver')
      if (!next.has('situacao')) for (const state of scheduleStates) next.append('situacao', state)
      next.set('de', day)
      next.set('ate', day)
      return next
    })
  return (
    <ViewsScreen
      title="Agendamentos"
      purpose="Mensagens escritas agora e enviadas na hora certa."
      createLabel={mayWrite ? 'Agendar mensagem' : undefined}
      views={[
        {
          value: 'lista',
          label: 'Lista',
          icon: IconList,
          draw: ({ opened, onOpen, createButton }) => (
            <ScheduleList
              asked={filter.listed}
              isFiltered={filter.isFiltered}
              onClear={() => setParams({}, { replace: true })}
              onOpen={onOpen}
              activeId={opened}
              createButton={createButton}
            />
          ),
        },
        {
          value: 'mes',
          label: 'Mês',
          icon: IconCalendar,
          draw: ({ onOpen, onCreate }) => (
            <ScheduleCalendar asked={filter.shared} onOpen={onOpen} onCreate={onCreate} onShowDay={showDay} />
          ),
        },
      ]}
      filters={(view) => (
        <>
          <SearchInput
            label="Buscar por contato ou mensagem"
            value={filter.search}
            onSearch={filter.setSearch}
            w={260}
          />
          <FilterMenu
            label={view === 'lista' && filter.states.length === 0 ? 'Situação: por enviar' : 'Situação'}
            options={stateOptions}
            value={filter.states}
            onChange={filter.setStates}
          />
          <FilterMenu
            label="Canal"
            options={(connections.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={filter.channels}
            onChange={filter.setChannels}
          />
          {view === 'lista' && <PeriodFilter label="Dias" value={filter.period} onChange={filter.setPeriod} />}
        </>
      )}
      form={({ id, newAt, onClose }) => <OpenSchedule key={id} id={id} newWhen={newAt} onClose={onClose} />}
    />
  )
}

/** The drawer of the message in the address. */
const OpenSchedule = ({ id, newWhen, onClose }: { id: string; newWhen: string; onClose: () => void }) => {
  const isNew = id === 'novo'
  const schedule = useQuery({ ...scheduleQuery(id), enabled: !isNew })
  if (isNew || schedule.data)
    return <ScheduleDrawer schedule={schedule.data ?? null} newWhen={newWhen} onClose={onClose} />
  return (
    <GoneDialog row={schedule} title="Agendamento não encontrado" backLabel="Voltar aos agendamentos" onBack={onClose}>
      Talvez o contato tenha sido excluído ou passado a outra pessoa.
    </GoneDialog>
  )
}
