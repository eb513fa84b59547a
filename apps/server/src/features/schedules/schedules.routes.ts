import { id, pageOf } from '@balcao/contract/common.ts'
import { schedule, scheduleCreate, schedulePatch, schedulesQuery } from '@balcao/contract/schedules.ts'
import { z } from 'zod'
import type { Routes } from '../../kit/http.ts'
import { cancelSchedule, createSchedule, getSchedule, listSchedules, updateSchedule } from './schedules.service.ts'

const params = z.object({ id })

export const scheduleRoutes: Routes = (app) => {
  app.get(
    '/scheduleMessages',
    { config: { can: 'messages.read' }, schema: { querystring: schedulesQuery, response: { 200: pageOf(schedule) } } },
    (request) => listSchedules(request.actor, request.query),
  )
  app.get(
    '/scheduleMessages/:id',
    { config: { can: 'messages.read' }, schema: { params, response: { 200: schedule } } },
    (request) => getSchedule(request.actor, request.params.id),
  )
  app.post(
    '/messagesSchedule',
    { config: { can: 'schedules.write' }, schema: { body: scheduleCreate, response: { 201: schedule } } },
    async (request, reply) => reply.status(201).send(await createSchedule(request.actor, request.body)),
  )
  app.put(
    '/scheduleMessages/:id',
    { config: { can: 'schedules.write' }, schema: { params, body: schedulePatch, response: { 200: schedule } } },
    (request) => updateSchedule(request.actor, request.params.id, request.body),
  )
  app.delete(
    '/scheduleMessages/:id',
    { config: { can: 'schedules.write' }, schema: { params, response: { 200: schedule } } },
    (request) => cancelSchedule(request.actor, request.params.id),
  )
}
