import { type Task, type TaskStatus, taskStatuses, taskStatusLabels } from '@balcao/contract/operations/tasks.ts'
import { ActionIcon, Button, Menu, Skeleton, Text, UnstyledButton } from '@mantine/core'
import { IconArrowsMove, IconMessage } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { formatNumber, plural } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { type TasksAsked, tasksList, useMoveTask } from './api.ts'
import { LimitText } from './limit-text.tsx'
import { PriorityMark, TaskState } from './marks.tsx'
import classes from './task-board.module.css'

type Props = { asked: TasksAsked; onOpen: (id: string) => void }
type Move = ReturnType<typeof useMoveTask>

/** A column per state. A card is dragged, or sent by its menu: what the mouse can do, the keyboard can. */
export const TaskBoard = ({ asked, onOpen }: Props) => {
  const move = useMoveTask()
  const [dragged, setDragged] = useState<Task | null>(null)
  return (
    <div className={classes.board}>
      {taskStatuses.map((status) => (
        <BoardColumn
          key={status}
          status={status}
          asked={asked}
          move={move}
          dragged={dragged}
          onDrag={setDragged}
          onOpen={onOpen}
        />
      ))}
    </div>
  )
}

type ColumnProps = Props & {
  status: TaskStatus
  move: Move
  dragged: Task | null
  onDrag: (task: Task | null) => void
}

const BoardColumn = ({ status, asked, move, dragged, onDrag, onOpen }: ColumnProps) => {
  const order =
    status === 'done' ? ({ sort: 'updatedAt', direction: 'desc' } as const) : ({ sort: 'limitDate' } as const)
  const list = useInfiniteQuery({
    ...tasksList({ ...asked, status: [status], ...order }),
    placeholderData: keepPreviousData,
  })
  const [isOver, setOver] = useState(false)
  const moving = move.isPending ? move.variables : null
  const arriving = moving?.status === status && moving.task.status !== status ? [moving.task] : []
  const staying = (list.data?.pages.flatMap((page) => page.items) ?? []).filter(
    (task) => task.id !== moving?.task.id || moving.status === status,
  )
  const tasks = [...arriving.filter((task) => !staying.some((one) => one.id === task.id)), ...staying]
  const count = list.data?.pages[0]?.count
  const takes = dragged !== null && dragged.status !== status

  const handleDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (dragged && takes) move.mutate({ task: dragged, status })
    onDrag(null)
  }
  return (
    <section
      className={classes.column}
      data-over={isOver && takes}
      aria-label={taskStatusLabels[status]}
      onDragOver={(event) => {
        if (!takes) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false) // React types it as any EventTarget
      }}
      onDrop={handleDrop}
    >
      <h2 className={classes.heading}>
        <TaskState status={status} />
        {count !== undefined && <span className={`tabular ${classes.count}`}>{formatNumber(count)}</span>}
      </h2>
      <div className={classes.cards}>
        {list.isPending && [96, 76, 88].map((height) => <Skeleton key={height} height={height} radius="md" />)}
        {list.isError && tasks.length === 0 && (
          <ErrorState message={messageOf(list.error)} onRetry={() => void list.refetch()} />
        )}
        {list.isSuccess && tasks.length === 0 && (
          <Text c="dimmed" size="sm" ta="center" py="md">
            Nenhuma tarefa aqui
          </Text>
        )}
        {tasks.map((task) => (
          <TaskCard
            key={task.id}
            task={task}
            isMoving={moving?.task.id === task.id}
            onOpen={() => onOpen(task.id)}
            onDrag={onDrag}
            onMove={(to) => move.mutate({ task, status: to })}
          />
        ))}
        {list.hasNextPage && (
          <Button
            variant="default"
            size="xs"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Carregar mais
          </Button>
        )}
      </div>
    </section>
  )
}

type CardProps = {
  task: Task
  isMoving: boolean
  onOpen: () => void
  onDrag: (task: Task | null) => void
  onMove: (status: TaskStatus) => void
}

const TaskCard = ({ task, isMoving, onOpen, onDrag, onMove }: CardProps) => {
  const mayWrite = useCan('tasks.write')
  return (
    <article
      className={classes.card}
      data-moving={isMoving}
      draggable={mayWrite}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', task.name)
        onDrag(task)
      }}
      onDragEnd={() => onDrag(null)}
    >
      <div className={classes.top}>
        <PriorityMark priority={task.priority} />
        <UnstyledButton className={classes.name} onClick={onOpen}>
          {task.name}
        </UnstyledButton>
        {mayWrite && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon size={32} aria-label={`Mover ${task.name}`}>
                <IconArrowsMove size={16} stroke={1.75} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>Mover para</Menu.Label>
              {taskStatuses
                .filter((status) => status !== task.status)
                .map((status) => (
                  <Menu.Item key={status} onClick={() => onMove(status)}>
                    <TaskState status={status} />
                  </Menu.Item>
                ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      {task.contact && <div className={`truncate ${classes.contact}`}>{task.contact.name}</div>}
      <div className={classes.foot}>
        <LimitText task={task} />
        {task.commentCount > 0 && (
          <span className={classes.comments} title={plural(task.commentCount, 'comentário', 'comentários')}>
            <IconMessage size={14} aria-hidden /> {task.commentCount}
          </span>
        )}
        <span className={classes.owner} title={task.owner.name}>
          <Avatar name={task.owner.name} size={24} />
        </span>
      </div>
    </article>
  )
}
