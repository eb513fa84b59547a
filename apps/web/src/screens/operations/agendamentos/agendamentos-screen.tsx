import { scheduleStateLabels, scheduleStates } from '@balcao/contract/operations/schedules.ts'
import { Button } from '@mantine/core'
import { IconCalendar, IconList, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { scheduleQuery } from '../../../features/operations/schedules/api.ts'
import { ScheduleCalendar } from '../../../features/operations/schedules/schedule-calendar.tsx'
import { ScheduleDrawer } from '../../../features/operations/schedules/schedule-drawer.tsx'
import { ScheduleList } from '../../../features/operations/schedules/schedule-list.tsx'
import { useScheduleFilter } from '../../../features/operations/schedules/use-schedule-filter.ts'
import { useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { useOpened } from '../../../kit/use-opened.ts'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { GoneDialog } from '../../../ui/gone-dialog.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { PeriodFilter } from '../../../ui/period-filter.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'
import { ViewSwitch } from '../../../ui/view-switch.tsx'

const stateOptions = scheduleStates.map((value) => ({ value: value as string, label: scheduleStateLabels[value] }))

export default function AgendamentosScreen() {
  const [, setParams] = useSearchParams()
  const [view, setView] = useUrlState('ver', 'lista')
  const filter = useScheduleFilter()
  const mayWrite = useCan('schedules.write')
  const connections = useQuery(connectionList)
  const { opened, newAt, setOpened } = useOpened()
  const showDay = (day: string) =>
    setParams((now) => {
      const next = new URLSearchParams(now)
      next.delete('ver')
      if (!next.has('situacao')) for (const state of scheduleStates) next.append('situacao', state)
      next.set('de', day)
      next.set('ate', day)
      return next
    })

  const createButton = mayWrite && (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpened('nova')}>
      Agendar mensagem
    </Button>
  )
  return (
    <Page
      header={
        <PageHeader
          title="Agendamentos"
          purpose="Mensagens escritas agora e enviadas na hora certa."
          actions={createButton}
        >
          <ViewSwitch
            value={view}
            onChange={setView}
            views={[
              { value: 'lista', label: 'Lista', icon: <IconList size={16} aria-hidden /> },
              { value: 'mes', label: 'Mês', icon: <IconCalendar size={16} aria-hidden /> },
            ]}
          />
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
        </PageHeader>
      }
    >
      {view === 'mes' ? (
        <ScheduleCalendar
          asked={filter.shared}
          onOpen={setOpened}
          onCreate={(day) => setOpened('nova', day)}
          onShowDay={showDay}
        />
      ) : (
        <ScheduleList
          asked={filter.listed}
          isFiltered={filter.isFiltered}
          onClear={() => setParams({}, { replace: true })}
          onOpen={setOpened}
          activeId={opened}
          createButton={createButton}
        />
      )}
      {opened && <OpenSchedule key={opened} id={opened} newWhen={newAt} onClose={() => setOpened(null)} />}
    </Page>
  )
}

/** The drawer of the message in the address. */
const OpenSchedule = ({ id, newWhen, onClose }: { id: string; newWhen: string; onClose: () => void }) => {
  const isNew = id === 'nova'
  const schedule = useQuery({ ...scheduleQuery(id), enabled: !isNew })
  if (isNew || schedule.data)
    return <ScheduleDrawer schedule={schedule.data ?? null} newWhen={newWhen} onClose={onClose} />
  return (
    <GoneDialog row={schedule} title="Agendamento não encontrado" backLabel="Voltar aos agendamentos" onBack={onClose}>
      Talvez o contato tenha sido excluído ou passado a outra pessoa.
    </GoneDialog>
  )
}
