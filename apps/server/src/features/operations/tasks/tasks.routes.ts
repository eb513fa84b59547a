import { id, pageOf } from '@balcao/contract/common.ts'
import {
  task,
  taskComment,
  taskCommentWrite,
  taskCreate,
  taskPatch,
  tasksQuery,
} from '@balcao/contract/operations/tasks.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import {
  addComment,
  createTask,
  deleteComment,
  deleteTask,
  getTask,
  listComments,
  listTasks,
  updateTask,
} from './tasks.service.ts'

const params = z.object({ id })
const comments = z.array(taskComment)

export const taskRoutes: Routes = (app) => {
  app.get(
    '/todoLists',
    {
      config: { can: 'tasks.read', summary: 'Listar as tarefas' },
      schema: { querystring: tasksQuery, response: { 200: pageOf(task) } },
    },
    (request) => listTasks(request.actor, request.query),
  )
  app.get(
    '/todoLists/:id',
    { config: { can: 'tasks.read', summary: 'Ler uma tarefa' }, schema: { params, response: { 200: task } } },
    (request) => getTask(request.actor, request.params.id),
  )
  app.post(
    '/todoLists',
    {
      config: { can: 'tasks.write', summary: 'Criar uma tarefa' },
      schema: { body: taskCreate, response: { 201: task } },
    },
    async (request, reply) => reply.status(201).send(await createTask(request.actor, request.body)),
  )
  app.put(
    '/todoLists/:id',
    {
      config: { can: 'tasks.write', summary: 'Atualizar uma tarefa', errors: ['ERR_CONFLICT'] },
      schema: { params, body: taskPatch, response: { 200: task } },
    },
    (request) => updateTask(request.actor, request.params.id, request.body),
  )
  app.delete(
    '/todoLists/:id',
    { config: { can: 'tasks.write', summary: 'Excluir uma tarefa' }, schema: { params, response: { 204: z.void() } } },
    async (request, reply) => {
      await deleteTask(request.actor, request.params.id)
      return reply.status(204).send()
    },
  )
  app.get(
    '/todoLists/:id/comments',
    {
      config: { can: 'tasks.read', summary: 'Listar os comentários de uma tarefa' },
      schema: { params, response: { 200: comments } },
    },
    (request) => listComments(request.actor, request.params.id),
  )
  app.post(
    '/todoLists/:id/comments',
    {
      config: { can: 'tasks.write', summary: 'Comentar uma tarefa' },
      schema: { params, body: taskCommentWrite, response: { 200: comments } },
    },
    (request) => addComment(request.actor, request.params.id, request.body.body),
  )
  app.delete(
    '/todoLists/:id/comments/:commentId',
    {
      config: { can: 'tasks.write', summary: 'Excluir um comentário' },
      schema: { params: params.extend({ commentId: id }), response: { 200: comments } },
    },
    (request) => deleteComment(request.actor, request.params.id, request.params.commentId),
  )
}
