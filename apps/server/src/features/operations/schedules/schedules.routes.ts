import { id, pageOf, queryFlag } from '@balcao/contract/common.ts'
import {
  sameSchedules,
  schedule,
  scheduleCreate,
  schedulePatch,
  schedulesQuery,
} from '@balcao/contract/operations/schedules.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import {
  cancelSchedule,
  countSameSchedules,
  createSchedule,
  getSchedule,
  listSchedules,
  updateSchedule,
} from './schedules.service.ts'

const params = z.object({ id })

export const scheduleRoutes: Routes = (app) => {
  app.get(
    '/scheduleMessages',
    {
      config: { can: 'messages.read', summary: 'Listar as mensagens agendadas' },
      schema: { querystring: schedulesQuery, response: { 200: pageOf(schedule) } },
    },
    (request) => listSchedules(request.actor, request.query),
  )
  app.get(
    '/scheduleMessages/:id',
    {
      config: { can: 'messages.read', summary: 'Ler uma mensagem agendada' },
      schema: { params, response: { 200: schedule } },
    },
    (request) => getSchedule(request.actor, request.params.id),
  )
  app.get(
    '/scheduleMessages/:id/same',
    {
      config: { can: 'messages.read', summary: 'Contar as mensagens agendadas com esta a outros grupos' },
      schema: { params, response: { 200: sameSchedules } },
    },
    (request) => countSameSchedules(request.actor, request.params.id),
  )
  app.post(
    '/messagesSchedule',
    {
      config: {
        can: 'schedules.write',
        summary: 'Agendar uma mensagem',
        errors: ['ERR_NO_CONTACT_FOUND', 'ERR_NO_WAPP_FOUND'],
      },
      schema: { body: scheduleCreate, response: { 201: schedule } },
    },
    async (request, reply) => reply.status(201).send(await createSchedule(request.actor, request.body)),
  )
  app.put(
    '/scheduleMessages/:id',
    {
      config: {
        can: 'schedules.write',
        summary: 'Atualizar uma mensagem agendada',
        errors: ['ERR_CONFLICT', 'ERR_SCHEDULE_NOT_PENDING'],
      },
      schema: { params, body: schedulePatch, response: { 200: schedule } },
    },
    (request) => updateSchedule(request.actor, request.params.id, request.body),
  )
  app.delete(
    '/scheduleMessages/:id',
    {
      config: {
        can: 'schedules.write',
        summary: 'Cancelar uma mensagem agendada',
        errors: ['ERR_SCHEDULE_NOT_PENDING'],
      },
      schema: { params, querystring: z.object({ alsoSame: queryFlag.default(false) }), response: { 200: schedule } },
    },
    (request) => cancelSchedule(request.actor, request.params.id, request.query.alsoSame),
  )
}
