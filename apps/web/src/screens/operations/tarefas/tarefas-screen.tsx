import { taskStatuses, taskStatusLabels } from '@balcao/contract/operations/tasks.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { IconCalendar, IconLayoutKanban, IconList, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { taskQuery } from '../../../features/operations/tasks/api.ts'
import { TaskBoard } from '../../../features/operations/tasks/task-board.tsx'
import { TaskCalendar } from '../../../features/operations/tasks/task-calendar.tsx'
import { TaskDrawer } from '../../../features/operations/tasks/task-drawer.tsx'
import { TaskList } from '../../../features/operations/tasks/task-list.tsx'
import { useTaskFilter } from '../../../features/operations/tasks/use-task-filter.ts'
import { userOptions } from '../../../features/people/users/api.ts'
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

const stateOptions = [
  ...taskStatuses.map((value) => ({ value: value as string, label: taskStatusLabels[value] })),
  { value: 'late', label: 'Atrasada' },
]

export default function TarefasScreen() {
  const [, setParams] = useSearchParams()
  const [view, setView] = useUrlState('ver', 'lista')
  const filter = useTaskFilter()
  const seesAll = useCan('tasks.showAll')
  const mayWrite = useCan('tasks.write')
  const people = useQuery({ ...userOptions, enabled: seesAll })
  const { opened, newAt, setOpened } = useOpened()
  const showDay = (day: string) =>
    setParams((now) => {
      const next = new URLSearchParams(now)
      next.delete('ver')
      next.delete('situacao')
      for (const state of taskStatuses) next.append('situacao', state)
      next.set('de', day)
      next.set('ate', day)
      return next
    })

  const createButton = mayWrite && (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpened('nova')}>
      Criar tarefa
    </Button>
  )
  return (
    <Page
      header={
        <PageHeader
          title="Tarefas"
          purpose="O que a equipe precisa fazer, com prazo e responsável."
          actions={createButton}
        >
          <ViewSwitch
            value={view}
            onChange={setView}
            views={[
              { value: 'lista', label: 'Lista', icon: <IconList size={16} aria-hidden /> },
              {
                value: 'quadro',
                label: 'Quadro',
                icon: <IconLayoutKanban size={16} aria-hidden />,
              },
              { value: 'mes', label: 'Mês', icon: <IconCalendar size={16} aria-hidden /> },
            ]}
          />
          <SegmentedControl
            aria-label="De quem"
            value={filter.isMine ? 'minhas' : 'todas'}
            onChange={(whose) => filter.setMine(whose === 'minhas')}
            data={[
              { value: 'minhas', label: 'Minhas' },
              { value: 'todas', label: 'Todas' },
            ]}
          />
          <SearchInput label="Buscar em tarefas" value={filter.search} onSearch={filter.setSearch} w={220} />
          {seesAll && !filter.isMine && (
            <FilterMenu
              label="Responsável"
              options={(people.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
              value={filter.owners}
              onChange={filter.setOwners}
            />
          )}
          {view === 'lista' && (
            <>
              <FilterMenu
                label={filter.states.length ? 'Situação' : 'Situação: por fazer'}
                options={stateOptions}
                value={filter.states}
                onChange={filter.setStates}
              />
              <PeriodFilter label="Prazo" value={filter.period} onChange={filter.setPeriod} />
            </>
          )}
        </PageHeader>
      }
    >
      {view === 'quadro' ? (
        <TaskBoard asked={filter.shared} onOpen={setOpened} />
      ) : view === 'mes' ? (
        <TaskCalendar
          asked={filter.shared}
          onOpen={setOpened}
          onCreate={(day) => setOpened('nova', day)}
          onShowDay={showDay}
        />
      ) : (
        <TaskList
          asked={filter.listed}
          isFiltered={filter.isFiltered}
          onClear={() => setParams(filter.isMine ? {} : { quem: 'todas' }, { replace: true })}
          onOpen={setOpened}
          activeId={opened}
          createButton={createButton}
        />
      )}
      {opened && <OpenTask key={opened} id={opened} newLimit={newAt} onClose={() => setOpened(null)} />}
    </Page>
  )
}

/** The drawer of the task in the address. */
const OpenTask = ({ id, newLimit, onClose }: { id: string; newLimit: string; onClose: () => void }) => {
  const isNew = id === 'nova'
  const task = useQuery({ ...taskQuery(id), enabled: !isNew })
  if (isNew || task.data) return <TaskDrawer task={task.data ?? null} newLimit={newLimit} onClose={onClose} />
  return (
    <GoneDialog row={task} title="Tarefa não encontrada" backLabel="Voltar às tarefas" onBack={onClose}>
      Talvez ela tenha sido excluída ou passada a outra pessoa.
    </GoneDialog>
  )
}
