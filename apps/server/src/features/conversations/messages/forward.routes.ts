import { forwardBody, forwardElsewhereBody, forwardResult } from '@balcao/contract/conversations/message-calls.ts'
import type { Routes } from '../../../kit/http.ts'
import { forwardMessages } from './forward.ts'

const writes = { can: 'messages.write' } as const

/** Messages passed on, over the same channel or another. */
export const forwardRoutes: Routes = (app) => {
  app.post(
    '/forward-messages',
    {
      config: {
        ...writes,
        summary: 'Encaminhar mensagens',
        errors: ['ERR_FETCH_WAPP_MSG', 'ERR_NO_CONTACT_FOUND', 'ERR_NO_WAPP_FOUND'],
      },
      schema: { body: forwardBody, response: { 200: forwardResult } },
    },
    async (req) => ({ targets: await forwardMessages(req.actor, req.body) }),
  )
  app.post(
    '/forward-other-channel-messages',
    {
      config: {
        ...writes,
        summary: 'Encaminhar mensagens por outro canal',
        errors: ['ERR_FETCH_WAPP_MSG', 'ERR_NO_CONTACT_FOUND', 'ERR_NO_WAPP_FOUND'],
      },
      schema: { body: forwardElsewhereBody, response: { 200: forwardResult } },
    },
    async (req) => ({ targets: await forwardMessages(req.actor, req.body) }),
  )
}
