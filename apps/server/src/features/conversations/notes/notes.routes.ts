import { pageOf } from '@balcao/contract/common.ts'
import { ticketNote, ticketNotesQuery } from '@balcao/contract/conversations/notes.ts'
import type { Routes } from '../../../kit/http.ts'
import { listNotes } from './notes.service.ts'

/** Internal notes of all the tickets a person may see. */
export const noteRoutes: Routes = (app) => {
  app.get(
    '/ticketNotes',
    {
      config: { can: 'notes.read', summary: 'Listar as notas internas de um atendimento' },
      schema: { querystring: ticketNotesQuery, response: { 200: pageOf(ticketNote) } },
    },
    (request) => listNotes(request.actor, request.query),
  )
}
