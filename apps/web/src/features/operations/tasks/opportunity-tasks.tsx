import type { Task } from '@balcao/contract/operations/tasks.ts'
import type { Opportunity } from '@balcao/contract/sales/opportunities.ts'
import { Button, Checkbox, Text, UnstyledButton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useCan } from '../../../kit/use-can.ts'
import { tasksList, useMoveTask } from './api.ts'
import { LimitText } from './limit-text.tsx'
import classes from './opportunity-tasks.module.css'

const TaskDrawer = lazy(async () => ({ default: (await import('./task-drawer.tsx')).TaskDrawer }))

/** What is to be done about an opportunity, ticked off and written down where it stands. */
export const OpportunityTasks = ({ opportunity }: { opportunity: Opportunity }) => {
  const mayRead = useCan('tasks.read')
  const mayWrite = useCan('tasks.write')
  const [opened, setOpened] = useState<Task | 'new' | null>(null)
  const list = useInfiniteQuery({
    ...tasksList({ opportunityId: opportunity.id, sort: 'limitDate', direction: 'asc' }),
    enabled: mayRead,
  })
  const move = useMoveTask()
  if (!mayRead) return null
  const tasks = list.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <section aria-label="Tarefas" className={classes.section}>
      <Text fw={500} size="sm">
        Tarefas
      </Text>
      {tasks.length > 0 && (
        <ul className={classes.list}>
          {tasks.map((task) => {
            const isDone = task.status === 'done'
            return (
              <li key={task.id} className={classes.line}>
                <Checkbox
                  aria-label={`${isDone ? 'Reabrir' : 'Finalizar'} ${task.name}`}
                  checked={isDone}
                  disabled={!mayWrite || move.isPending}
                  onChange={() => move.mutate({ task, status: isDone ? 'pending' : 'done' })}
                />
                <UnstyledButton className={classes.name} data-done={isDone} onClick={() => setOpened(task)}>
                  <span className="truncate">{task.name}</span>
                  <span className={classes.meta}>
                    {task.owner.name} · <LimitText task={task} />
                  </span>
                </UnstyledButton>
              </li>
            )
          })}
        </ul>
      )}
      {list.hasNextPage && (
        <Button size="xs" variant="subtle" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Carregar mais
        </Button>
      )}
      {mayWrite && (
        <Button
          size="xs"
          variant="default"
          className={classes.add}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setOpened('new')}
        >
          Criar tarefa
        </Button>
      )}
      <Suspense fallback={null}>
        {opened && (
          <TaskDrawer
            key={opened === 'new' ? 'new' : opened.id}
            task={opened === 'new' ? null : opened}
            newLinks={{
              opportunity: { value: opportunity.id, label: opportunity.name },
              contact: { value: opportunity.contactId, label: opportunity.contact.name },
            }}
            onClose={() => setOpened(null)}
          />
        )}
      </Suspense>
    </section>
  )
}
