import { id } from '@balcao/contract/common.ts'
import { editMessageBody, messageEdits } from '@balcao/contract/conversations/message-calls.ts'
import { message } from '@balcao/contract/conversations/messages.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { editMessage } from './message-actions.ts'
import { listEdits } from './read-messages.ts'

const ofMessage = z.object({ id })
const reads = { can: 'messages.read' } as const
const writes = { can: 'messages.write' } as const

/** What a message said before, and its correction by the body of the call. */
export const editRoutes: Routes = (app) => {
  app.get(
    '/messages/:id/edits',
    {
      config: { ...reads, summary: 'Ler os textos anteriores de uma mensagem editada', errors: ['ERR_FETCH_WAPP_MSG'] },
      schema: { params: ofMessage, response: { 200: messageEdits } },
    },
    async (req) => ({ edits: await listEdits(req.actor, req.params.id) }),
  )
  app.post(
    '/messages/editMessage',
    {
      config: { ...writes, summary: 'Editar uma mensagem pelo corpo da chamada', errors: ['ERR_FETCH_WAPP_MSG'] },
      schema: { body: editMessageBody, response: { 200: message } },
    },
    (req) => editMessage(req.actor, req.body.messageId, req.body.body),
  )
}
