import type { TaskComment } from '@balcao/contract/operations/tasks.ts'
import { ActionIcon, Button, Group, Skeleton, Text, Textarea } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'
import { UserText } from '../../../ui/user-text.tsx'
import { addComment, commentsQuery, deleteComment } from './api.ts'
import classes from './task-comments.module.css'

/** What was said about a task, and a line to say more; it is saved by itself, apart from the form. */
export const TaskComments = ({ taskId }: { taskId: string }) => {
  const cache = useQueryClient()
  const { userId } = useCurrentSession()
  const mayWrite = useCan('tasks.write')
  const comments = useQuery(commentsQuery(taskId))
  const [text, setText] = useState('')
  const options = {
    onSuccess: (all: TaskComment[]) => cache.setQueryData(commentsQuery(taskId).queryKey, all),
    onError: (error: unknown) => notify.error(messageOf(error)),
  }
  const adding = useMutation({ mutationFn: (body: string) => addComment(taskId, body), ...options })
  const deleting = useMutation({ mutationFn: (id: string) => deleteComment(taskId, id), ...options })
  const handleAdd = () => adding.mutate(text.trim(), { onSuccess: () => setText('') })

  return (
    <section className={classes.comments} aria-label="Comentários">
      <h3 className={classes.title}>Comentários</h3>
      {comments.isPending && <Skeleton height={36} />}
      {comments.isError && (
        <Text c="red" size="sm">
          {messageOf(comments.error)}
        </Text>
      )}
      {comments.data?.length === 0 && (
        <Text c="dimmed" size="sm">
          Ninguém comentou ainda.
        </Text>
      )}
      <ol className={classes.list}>
        {comments.data?.map((comment) => (
          <li key={comment.id} className={classes.comment}>
            <div className={classes.head}>
              <strong className="truncate">{comment.user.name}</strong>
              <RelativeTime moment={comment.createdAt} className={classes.when} />
              {comment.user.id === userId && mayWrite && (
                <ActionIcon
                  size={28}
                  ml="auto"
                  aria-label="Excluir comentário"
                  loading={deleting.isPending && deleting.variables === comment.id}
                  onClick={() => deleting.mutate(comment.id)}
                >
                  <IconTrash size={16} stroke={1.75} />
                </ActionIcon>
              )}
            </div>
            <UserText text={comment.body} className={classes.body} />
          </li>
        ))}
      </ol>
      {mayWrite && (
        <>
          <Textarea
            aria-label="Novo comentário"
            placeholder="Escreva um comentário para a equipe"
            autosize
            minRows={2}
            maxRows={8}
            maxLength={2_000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" disabled={!text.trim()} loading={adding.isPending} onClick={handleAdd}>
              Comentar
            </Button>
          </Group>
        </>
      )}
    </section>
  )
}
