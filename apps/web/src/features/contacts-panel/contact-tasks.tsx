import type { Task } from '@balcao/contract/tasks.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, Checkbox, UnstyledButton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { messageOf } from '../../kit/api-error.ts'
import { useCan } from '../../kit/use-can.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { notify } from '../../ui/notify.ts'
import { SkeletonList } from '../../ui/skeleton-list.tsx'
import { deleteTask, tasksList, useMoveTask } from '../tasks/api.ts'
import { LimitText } from '../tasks/limit-text.tsx'
import classes from './contact-panel.module.css'
import { None } from './panel-section.tsx'

const TaskForm = lazy(async () => ({ default: (await import('../tasks/task-form.tsx')).TaskForm }))

/** What is still to be done for the contact; ticked off, opened and written down here. */
export const ContactTasks = ({ ticket }: { ticket: Ticket }) => {
  const cache = useQueryClient()
  const mayWrite = useCan('tasks.write')
  const move = useMoveTask()
  const [opened, setOpened] = useState<Task | 'new' | null>(null)
  const [deleting, setDeleting] = useState<Task | null>(null)
  const [busy, setBusy] = useState(false)
  const list = useInfiniteQuery(tasksList({ contactId: ticket.contactId, status: ['pending', 'doing'] }))
  const tasks = list.data?.pages.flatMap((page) => page.items) ?? []

  const handleDelete = async () => {
    if (!deleting) return
    setBusy(true)
    try {
      await deleteTask(deleting.id)
      setOpened(null)
      setDeleting(null)
    } catch (error) {
      notify.error(messageOf(error))
    } finally {
      setBusy(false)
      void cache.invalidateQueries({ queryKey: ['resource', 'task'] })
    }
  }
  return (
    <>
      {list.isPending ? (
        <SkeletonList rows={1} height={44} />
      ) : list.isError ? (
        <ErrorState message={messageOf(list.error)} onRetry={() => void list.refetch()} />
      ) : (
        tasks.length === 0 && <None text="Nenhuma tarefa em aberto." />
      )}
      <ul className={classes.lines}>
        {tasks.map((task) => (
          <li key={task.id} className={classes.lineItem}>
            <Checkbox
              size="xs"
              aria-label={`Finalizar ${task.name}`}
              disabled={!mayWrite || move.isPending}
              checked={move.isPending && move.variables.task.id === task.id}
              onChange={() => move.mutate({ task, status: 'done' })}
            />
            <UnstyledButton className={classes.lineMain} onClick={() => setOpened(task)}>
              <span className="truncate">{task.name}</span>
              <span className={classes.meta}>
                <LimitText task={task} /> · {task.owner.name}
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => void list.fetchNextPage()}>
          Mostrar mais
        </Button>
      )}
      {mayWrite && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={() => setOpened('new')}
        >
          Criar tarefa
        </Button>
      )}
      {opened && (
        <Suspense fallback={null}>
          <TaskForm
            task={opened === 'new' ? null : opened}
            newLinks={{
              contact: { value: ticket.contactId, label: ticket.contact.name },
              ticket: { value: ticket.id, label: ticket.protocol },
            }}
            onClose={() => setOpened(null)}
            onDelete={() => opened !== 'new' && setDeleting(opened)}
          />
        </Suspense>
      )}
      <ConfirmDialog
        opened={deleting !== null}
        title="Excluir esta tarefa?"
        confirmLabel="Excluir"
        tone="danger"
        busy={busy}
        onClose={() => setDeleting(null)}
        onConfirm={() => void handleDelete()}
      >
        {deleting?.name}
      </ConfirmDialog>
    </>
  )
}
