import { pushKey, pushSubscription, pushUnsubscribe } from '@balcao/contract/operations/push.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { subscribe, unsubscribe } from './push.service.ts'
import { vapidKeys } from './vapid.ts'

/** Notices on a device while no window is open. */
export const pushRoutes: Routes = (app) => {
  app.get(
    '/push/key',
    {
      config: { can: 'self.write', summary: 'Obter a chave com que um navegador aceita avisos' },
      schema: { response: { 200: pushKey } },
    },
    () => ({ publicKey: vapidKeys().publicKey }),
  )
  app.post(
    '/push/subscriptions',
    {
      config: { can: 'self.write', summary: 'Receber avisos neste navegador' },
      schema: { body: pushSubscription, response: { 204: z.void() } },
    },
    async (request, reply) => {
      await subscribe(request.actor, request.body)
      return reply.status(204).send()
    },
  )
  app.delete(
    '/push/subscriptions',
    {
      config: { can: 'self.write', summary: 'Parar de receber avisos neste navegador' },
      schema: { body: pushUnsubscribe, response: { 204: z.void() } },
    },
    async (request, reply) => {
      await unsubscribe(request.actor, request.body.endpoint)
      return reply.status(204).send()
    },
  )
}
