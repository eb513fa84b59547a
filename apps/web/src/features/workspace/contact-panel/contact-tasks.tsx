import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Task } from '@balcao/contract/operations/tasks.ts'
import { Checkbox, UnstyledButton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { useCan } from '../../../kit/use-can.ts'
import { tasksList, useMoveTask } from '../../operations/tasks/api.ts'
import { LimitText } from '../../operations/tasks/limit-text.tsx'
import classes from './contact-panel.module.css'
import { PanelList } from './panel-list.tsx'

const TaskDrawer = lazyPart(async () => ({
  default: (await import('../../operations/tasks/task-drawer.tsx')).TaskDrawer,
}))

/** What is still to be done for the contact; ticked off, opened and written down here. */
export const ContactTasks = ({ ticket }: { ticket: Ticket }) => {
  const mayWrite = useCan('tasks.write')
  const move = useMoveTask()
  const [opened, setOpened] = useState<Task | 'new' | null>(null)
  const list = useInfiniteQuery(tasksList({ contactId: ticket.contactId, status: ['pending', 'doing'] }))
  return (
    <>
      <PanelList
        list={list}
        none="Nenhuma tarefa em aberto."
        createLabel={mayWrite && 'Criar tarefa'}
        onCreate={() => setOpened('new')}
      >
        {(task) => (
          <>
            <Checkbox
              size="xs"
              aria-label={`Finalizar ${task.name}`}
              disabled={!mayWrite || move.isPending}
              checked={move.isPending && move.variables.task.id === task.id}
              onChange={() => move.mutate({ task, status: 'done' })}
            />
            <UnstyledButton className={classes.lineMain} onClick={() => setOpened(task)}>
              <span className="truncate" title={task.name}>
                {task.name}
              </span>
              <span className={classes.meta}>
                <LimitText task={task} /> · {task.owner.name}
              </span>
            </UnstyledButton>
          </>
        )}
      </PanelList>
      {opened && (
        <Suspense fallback={null}>
          <TaskDrawer
            task={opened === 'new' ? null : opened}
            newLinks={{
              contact: { value: ticket.contactId, label: ticket.contact.name },
              ticket: { value: ticket.id, label: ticket.protocol },
            }}
            onClose={() => setOpened(null)}
          />
        </Suspense>
      )}
    </>
  )
}
