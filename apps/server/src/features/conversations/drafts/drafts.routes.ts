import { id } from '@balcao/contract/common.ts'
import { draft, draftQuery } from '@balcao/contract/conversations/messages.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { readDraft, saveDraft } from './drafts.service.ts'

const params = z.object({ id })

export const draftRoutes: Routes = (app) => {
  app.get(
    '/tickets/:id/draft',
    {
      config: { can: 'messages.write', summary: 'Ler o rascunho de um atendimento', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { params, querystring: draftQuery, response: { 200: draft } },
    },
    ({ actor, params: { id: ticketId }, query: { kind } }) => readDraft(actor, { ticketId, kind }),
  )
  app.put(
    '/tickets/:id/draft',
    {
      config: {
        can: 'messages.write',
        summary: 'Guardar o rascunho de um atendimento',
        errors: ['ERR_NO_TICKET_FOUND'],
      },
      schema: {
        params,
        querystring: draftQuery,
        body: draft.pick({ body: true }).strict(),
        response: { 200: draft },
      },
    },
    ({ actor, params: { id: ticketId }, query: { kind }, body }) => saveDraft(actor, { ticketId, kind }, body.body),
  )
}
