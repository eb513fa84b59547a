import { isLate } from '@balcao/contract/operations/tasks.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MonthGrid, useMonth } from '../../../kit/month-grid.tsx'
import { useCan } from '../../../kit/use-can.ts'
import { useNow } from '../../../ui/clock.ts'
import { type TasksAsked, tasksBetween } from './api.ts'

type Props = {
  asked: TasksAsked
  onOpen: (id: string) => void
  onCreate: (day: string) => void
  onShowDay: (day: string) => void
}

/** A month of limits. */
export const TaskCalendar = ({ asked, ...does }: Props) => {
  const now = useNow()
  const at = useMonth()
  const mayWrite = useCan('tasks.write')
  const list = useQuery({
    ...tasksBetween({ ...asked, dateFrom: at.days[0] ?? '', dateTo: at.days.at(-1) ?? '' }),
    placeholderData: keepPreviousData,
  })
  const items = (list.data ?? []).map((task) => ({
    id: task.id,
    at: task.limitDate ?? '',
    label: task.name,
    title: task.name,
    mark: isLate(task, now) ? ('failed' as const) : task.status === 'pending' ? undefined : task.status,
    isStruck: task.status === 'done',
  }))
  return (
    <MonthGrid
      at={at}
      list={list}
      items={items}
      none="Nenhuma tarefa com prazo neste mês."
      createLabel={() => (mayWrite ? 'Criar tarefa' : undefined)}
      {...does}
    />
  )
}
