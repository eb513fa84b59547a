import {
  resolvePendingBody,
  resolvePendingResult,
  stuckMessages,
} from '@balcao/contract/conversations/message-calls.ts'
import type { Routes } from '../../../kit/http.ts'
import { countStuck, resolveStuck } from './stuck.ts'

const manages = { can: 'connections.write' } as const

/** Messages that did not leave, by channel. */
export const stuckRoutes: Routes = (app) => {
  app.get(
    '/pending',
    {
      config: { ...manages, summary: 'Contar as mensagens paradas por canal' },
      schema: { response: { 200: stuckMessages } },
    },
    async (req) => ({
      items: await countStuck(req.actor),
    }),
  )
  app.post(
    '/pending/resolvePending',
    {
      config: { ...manages, summary: 'Resolver as mensagens paradas', errors: ['ERR_NO_WAPP_FOUND'] },
      schema: { body: resolvePendingBody, response: { 200: resolvePendingResult } },
    },
    (req) => resolveStuck(req.actor, req.body),
  )
}
