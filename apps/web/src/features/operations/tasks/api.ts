import type { Page } from '@balcao/contract/common.ts'
import type { Task, TaskComment, TaskPatch, TasksQuery } from '@balcao/contract/operations/tasks.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'
import { readAll } from '../../../kit/resource-api.ts'
import { notify } from '../../../ui/notify.ts'

/** What a view asks for; keys begin like those of every resource, so that events renew them. */
export type TasksAsked = Partial<Omit<TasksQuery, 'cursor' | 'pageNumber' | 'limit' | 'count'>>

const monthLimit = 2_000

export const tasksList = (asked: TasksAsked) =>
  pagedList<Page<Task>>(
    ['resource', 'task', 'list', asked],
    '/todoLists',
    { ...asked, limit: pageSize },
    { counts: true },
  )

/** Every task of some days: what a calendar shows. */
export const tasksBetween = (asked: TasksAsked & { dateFrom: string; dateTo: string }) =>
  queryOptions({
    queryKey: ['resource', 'task', 'days', asked],
    queryFn: ({ signal }) => readAll<Task>('/todoLists', asked, signal, monthLimit),
  })

export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', 'task', 'row', id],
    queryFn: ({ signal }) => api.get<Task>(`/todoLists/${id}`, { signal }),
  })

export const commentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', 'task', 'comments', id],
    queryFn: ({ signal }) => api.get<TaskComment[]>(`/todoLists/${id}/comments`, { signal }),
  })

export const createTask = (values: TaskPatch & { id: string }) => api.post<Task>('/todoLists', values)
export const saveTask = (id: string, patch: TaskPatch) => api.put<Task>(`/todoLists/${id}`, patch)
export const addComment = (id: string, body: string) => api.post<TaskComment[]>(`/todoLists/${id}/comments`, { body })
export const deleteComment = (id: string, commentId: string) =>
  api.delete<TaskComment[]>(`/todoLists/${id}/comments/${commentId}`)

/** Another state for a task: by drag, by menu, by the tick in the list. */
export const useMoveTask = () => {
  const cache = useQueryClient()
  return useMutation({
    scope: { id: 'move task' }, // one after the other, as they were asked for
    mutationFn: ({ task, status }: { task: Task; status: Task['status'] }) => saveTask(task.id, { status }),
    onSuccess: (saved, { task }) => {
      cache.setQueryData(taskQuery(saved.id).queryKey, saved)
      const repeats = saved.status === 'done' && task.recurrence
      if (repeats) notify.success('Tarefa finalizada. A próxima já está na lista.')
    },
    onError: (error) => notify.error(messageOf(error)),
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource', 'task'] }),
  })
}

/** Takes a task away; whoever asked closes what shows it. */
export const useDeleteTask = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.delete(`/todoLists/${id}`),
    onSuccess: () => {
      notify.success('Tarefa excluída.')
      // Not the row: it is still on the screen, and there is nothing to read.
      for (const what of ['list', 'days']) void cache.invalidateQueries({ queryKey: ['resource', 'task', what] })
    },
    onError: (error) => notify.error(messageOf(error)),
  })
}
