import { syncOldBody, syncOldByUserBody, syncTimeBody } from '@balcao/contract/conversations/message-calls.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { syncOldMessages } from './old-messages.ts'

const manages = { can: 'connections.write' } as const
const writes = { can: 'messages.write' } as const
const nothing = { 204: z.undefined() }

/** Messages from before the channel was connected. */
export const oldMessageRoutes: Routes = (app) => {
  app.post(
    '/messages/syncOld',
    {
      config: { ...writes, summary: 'Buscar as mensagens antigas de um canal', errors: ['ERR_CHANNEL_UNSUPPORTED'] },
      schema: { body: syncOldBody, response: nothing },
    },
    (req) => syncOldMessages(req.actor, req.body),
  )
  app.post(
    '/messages/syncOldByUser',
    {
      config: { ...writes, summary: 'Buscar as mensagens antigas de um contato', errors: ['ERR_CHANNEL_UNSUPPORTED'] },
      schema: { body: syncOldByUserBody, response: nothing },
    },
    (req) => syncOldMessages(req.actor, req.body),
  )
  app.post(
    '/messagesUpdateSyncTime',
    {
      config: {
        ...manages,
        summary: 'Definir desde quando buscar mensagens antigas',
        errors: ['ERR_CHANNEL_UNSUPPORTED'],
      },
      schema: { body: syncTimeBody, response: nothing },
    },
    (req) => syncOldMessages(req.actor, req.body),
  )
}
