import { taskStatuses, taskStatusLabels } from '@balcao/contract/operations/tasks.ts'
import { SegmentedControl } from '@mantine/core'
import { IconCalendar, IconLayoutKanban, IconList } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { taskQuery } from '../../../features/operations/tasks/api.ts'
import { TaskBoard } from '../../../features/operations/tasks/task-board.tsx'
import { TaskCalendar } from '../../../features/operations/tasks/task-calendar.tsx'
import { TaskDrawer } from '../../../features/operations/tasks/task-drawer.tsx'
import { TaskList } from '../../../features/operations/tasks/task-list.tsx'
import { useTaskFilter } from '../../../features/operations/tasks/use-task-filter.ts'
import { userOptions } from '../../../features/people/users/api.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ViewsScreen } from '../../../kit/views-screen.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { GoneDialog } from '../../../ui/gone-dialog.tsx'
import { PeriodFilter } from '../../../ui/period-filter.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'

const stateOptions = [
  ...taskStatuses.map((value) => ({ value: value as string, label: taskStatusLabels[value] })),
  { value: 'late', label: 'Atrasada' },
]

export default function TarefasScreen() {
  const [, setParams] = useSearchParams()
  const filter = useTaskFilter()
  const seesAll = useCan('tasks.showAll')
  const mayWrite = useCan('tasks.write')
  const people = useQuery({ ...userOptions, enabled: seesAll })
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
  return (
    <ViewsScreen
      title="Tarefas"
      purpose="O que a equipe precisa fazer, com prazo e responsável."
      createLabel={mayWrite ? 'Criar tarefa' : undefined}
      views={[
        {
          value: 'lista',
          label: 'Lista',
          icon: IconList,
          draw: ({ opened, onOpen, createButton }) => (
            <TaskList
              asked={filter.listed}
              isFiltered={filter.isFiltered}
              onClear={() => setParams(filter.isMine ? {} : { quem: 'todas' }, { replace: true })}
              onOpen={onOpen}
              activeId={opened}
              createButton={createButton}
            />
          ),
        },
        {
          value: 'quadro',
          label: 'Quadro',
          icon: IconLayoutKanban,
          draw: ({ onOpen }) => <TaskBoard asked={filter.shared} onOpen={onOpen} />,
        },
        {
          value: 'mes',
          label: 'Mês',
          icon: IconCalendar,
          draw: ({ onOpen, onCreate }) => (
            <TaskCalendar asked={filter.shared} onOpen={onOpen} onCreate={onCreate} onShowDay={showDay} />
          ),
        },
      ]}
      filters={(view) => (
        <>
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
        </>
      )}
      form={({ id, newAt, onClose }) => <OpenTask key={id} id={id} newLimit={newAt} onClose={onClose} />}
    />
  )
}

/** The drawer of the task in the address. */
const OpenTask = ({ id, newLimit, onClose }: { id: string; newLimit: string; onClose: () => void }) => {
  const isNew = id === 'novo'
  const task = useQuery({ ...taskQuery(id), enabled: !isNew })
  if (isNew || task.data) return <TaskDrawer task={task.data ?? null} newLimit={newLimit} onClose={onClose} />
  return (
    <GoneDialog row={task} title="Tarefa não encontrada" backLabel="Voltar às tarefas" onBack={onClose}>
      Talvez ela tenha sido excluída ou passada a outra pessoa.
    </GoneDialog>
  )
}
