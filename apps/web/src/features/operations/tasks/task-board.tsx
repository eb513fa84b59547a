import { type Task, type TaskStatus, taskStatuses, taskStatusLabels } from '@balcao/contract/operations/tasks.ts'
import { Skeleton, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { messageOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { keepRows } from '../../../kit/paged-list.ts'
import { useCan } from '../../../kit/use-can.ts'
import { Board, type BoardColumn } from '../../../ui/board.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { type TasksAsked, tasksList, useMoveTask } from './api.ts'
import { TaskState } from './marks.tsx'
import classes from './task-board.module.css'
import { TaskCard } from './task-card.tsx'

type Props = { asked: TasksAsked; onOpen: (id: string) => void }
type Move = ReturnType<typeof useMoveTask>

/** A column per state. */
export const TaskBoard = ({ asked, onOpen }: Props) => {
  const mayWrite = useCan('tasks.write')
  const move = useMoveTask()
  const isStatus = (key: string): key is TaskStatus => taskStatuses.some((status) => status === key)
  const columns = [useColumn('pending', asked, move), useColumn('doing', asked, move), useColumn('done', asked, move)]
  return (
    <Board
      label="Tarefas por situação"
      columns={columns}
      fills
      takes={mayWrite ? (task, key) => task.status !== key : undefined}
      onMove={(task, key) => isStatus(key) && move.mutate({ task, status: key })}
      draw={(task) => (
        <TaskCard
          task={task}
          isMoving={move.isPending && move.variables.task.id === task.id}
          onOpen={() => onOpen(task.id)}
          onMove={(status) => move.mutate({ task, status })}
        />
      )}
    />
  )
}

const useColumn = (status: TaskStatus, asked: TasksAsked, move: Move): BoardColumn<Task> => {
  const order =
    status === 'done' ? ({ sort: 'updatedAt', direction: 'desc' } as const) : ({ sort: 'limitDate' } as const)
  const list = useInfiniteQuery({
    ...tasksList({ ...asked, status: [status], ...order }),
    placeholderData: keepRows,
  })
  const moving = move.isPending ? move.variables : null
  const arriving = moving?.status === status && moving.task.status !== status ? [{ ...moving.task, status }] : []
  const staying = (list.data?.pages.flatMap((page) => page.items) ?? []).filter(
    (task) => task.id !== moving?.task.id || moving.status === status,
  )
  const count = list.data?.pages[0]?.count
  return {
    key: status,
    label: taskStatusLabels[status],
    count,
    cards: [...arriving.filter((task) => !staying.some((one) => one.id === task.id)), ...staying],
    isLoadingMore: list.isFetchingNextPage,
    onMore: () => void (list.hasNextPage && !list.isFetchingNextPage && list.fetchNextPage()),
    head: (
      <h2 className={classes.heading}>
        <TaskState status={status} />
        {count !== undefined && <span className={`tabular ${classes.count}`}>{formatNumber(count)}</span>}
      </h2>
    ),
    none: list.isPending ? (
      <div className={classes.waiting}>
        {[96, 76, 88].map((height) => (
          <Skeleton key={height} height={height} radius="md" />
        ))}
      </div>
    ) : list.isError ? (
      <ErrorState message={messageOf(list.error)} onRetry={() => void list.refetch()} />
    ) : (
      <Text c="dimmed" size="sm" ta="center" py="md">
        Nenhuma tarefa aqui
      </Text>
    ),
  }
}
