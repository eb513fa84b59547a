import { id } from '@balcao/contract/common.ts'
import { contactHistory, contactHistoryQuery } from '@balcao/contract/conversations/message-calls.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { listContactHistory } from './contact-history.ts'

const reads = { can: 'messages.read' } as const

/** Everything that was said with a contact, in whatever conversation. */
export const contactMessageRoutes: Routes = (app) => {
  app.get(
    '/messagesContact/:contactId',
    {
      config: {
        ...reads,
        summary: 'Listar as mensagens de um contato em todos os atendimentos',
        errors: ['ERR_NO_CONTACT_FOUND'],
      },
      schema: {
        params: z.object({ contactId: id }),
        querystring: contactHistoryQuery,
        response: { 200: contactHistory },
      },
    },
    (req) => listContactHistory(req.actor, req.params.contactId, req.query),
  )
}
