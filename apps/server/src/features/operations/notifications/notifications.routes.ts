import {
  notificationCount,
  notificationPage,
  notificationsQuery,
  notificationsRead,
} from '@balcao/contract/operations/notifications.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { countNotifications, listNotifications, readNotifications } from './notifications.service.ts'

/** The bell of whoever asks. */
export const notificationRoutes: Routes = (app) => {
  app.get(
    '/notifications',
    {
      config: { can: 'self.write', summary: 'Listar os avisos do sino' },
      schema: { querystring: notificationsQuery, response: { 200: notificationPage } },
    },
    (request) => listNotifications(request.actor, request.query),
  )
  app.get(
    '/notifications/count',
    {
      config: { can: 'self.write', summary: 'Contar os avisos não lidos' },
      schema: { response: { 200: notificationCount } },
    },
    (request) => countNotifications(request.actor),
  )
  app.post(
    '/notifications/read',
    {
      config: { can: 'self.write', summary: 'Marcar avisos como lidos' },
      schema: { body: notificationsRead, response: { 204: z.void() } },
    },
    async (request, reply) => {
      await readNotifications(request.actor, request.body)
      return reply.status(204).send()
    },
  )
}
