import { type ComponentProps, useState } from 'react'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { useDeleteTask } from './api.ts'
import { TaskForm } from './task-form.tsx'

/** A task beside whatever shows it, and the question before it goes. */
export const TaskDrawer = (props: Omit<ComponentProps<typeof TaskForm>, 'onDelete'>) => {
  const { task, onClose } = props
  const [asking, setAsking] = useState(false)
  const deletion = useDeleteTask()
  return (
    <>
      <TaskForm {...props} onDelete={() => setAsking(true)} />
      {task && (
        <ConfirmDelete
          opened={asking}
          what={`a tarefa “${task.name}”`}
          busy={deletion.isPending}
          onConfirm={() => deletion.mutate(task.id, { onSuccess: onClose, onError: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
