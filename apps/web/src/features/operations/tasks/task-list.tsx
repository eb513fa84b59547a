import type { Task } from '@balcao/contract/operations/tasks.ts'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconCheck, IconMessage, IconRotate } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { plural } from '../../../kit/format.ts'
import { keepRows } from '../../../kit/paged-list.ts'
import { PagedTable } from '../../../kit/paged-table.tsx'
import { useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { type TasksAsked, tasksList, useMoveTask } from './api.ts'
import { LimitText } from './limit-text.tsx'
import { PriorityMark, TaskState } from './marks.tsx'
import classes from './task-list.module.css'

type Props = {
  asked: TasksAsked
  isFiltered: boolean
  onClear: () => void
  onOpen: (id: string) => void
  activeId: string | null
  createButton: ReactNode
}
const sorts = ['limitDate', 'name', 'updatedAt'] as const

export const TaskList = ({ asked, isFiltered, onClear, onOpen, activeId, createButton }: Props) => {
  const mayWrite = useCan('tasks.write')
  const [order, setOrder] = useUrlState('ordem', 'limitDate')
  const by = sorts.find((one) => one === order.replace('-', '')) ?? 'limitDate'
  const direction = order.startsWith('-') ? 'desc' : 'asc'
  const list = useInfiniteQuery({ ...tasksList({ ...asked, sort: by, direction }), placeholderData: keepRows })
  const move = useMoveTask()
  return (
    <PagedTable<Task>
      label="Tarefas"
      shown="exibidas"
      list={list}
      filtered={
        isFiltered && {
          title: 'Nenhuma tarefa com estes filtros',
          text: 'Escolha outros filtros ou veja também as tarefas da equipe.',
          onClear,
        }
      }
      empty={{
        title: 'Nada por fazer',
        text: 'Anote aqui o que não pode ser esquecido: um retorno, um orçamento, uma cobrança.',
        action: createButton,
      }}
      rowName={(task) => task.name}
      sorting={{ by, direction }}
      onSort={(next) => setOrder(next.direction === 'desc' ? `-${next.by}` : next.by)}
      onOpen={(task) => onOpen(task.id)}
      activeId={activeId}
      rowActions={(task) => {
        const isDone = task.status === 'done'
        const label = isDone ? 'Reabrir' : 'Finalizar'
        return (
          mayWrite && (
            <Tooltip label={label}>
              <ActionIcon
                aria-label={`${label} ${task.name}`}
                loading={move.isPending && move.variables.task.id === task.id}
                onClick={() => move.mutate({ task, status: isDone ? 'pending' : 'done' })}
              >
                {isDone ? <IconRotate size={18} stroke={1.75} /> : <IconCheck size={18} stroke={1.75} />}
              </ActionIcon>
            </Tooltip>
          )
        )
      }}
      under={(task) => <LimitText task={task} />}
      columns={[
        {
          key: 'name',
          label: 'Tarefa',
          sortable: true,
          render: (task) => (
            <span className={classes.name} data-done={task.status === 'done'}>
              <PriorityMark priority={task.priority} />
              <span className="truncate" title={task.name}>
                {task.name}
              </span>
              {task.commentCount > 0 && (
                <span className={classes.count} title={plural(task.commentCount, 'comentário', 'comentários')}>
                  <IconMessage size={14} aria-hidden /> {task.commentCount}
                </span>
              )}
            </span>
          ),
        },
        {
          key: 'limitDate',
          label: 'Prazo',
          sortable: true,
          width: 200,
          wideOnly: true,
          render: (task) => <LimitText task={task} />,
        },
        {
          key: 'status',
          label: 'Situação',
          width: 140,
          wideOnly: true,
          render: (task) => <TaskState status={task.status} />,
        },
        { key: 'owner', label: 'Responsável', width: 170, wideOnly: true, render: (task) => task.owner.name },
        { key: 'contact', label: 'Contato', width: 170, wideOnly: true, render: (task) => task.contact?.name ?? '—' },
      ]}
    />
  )
}
