import { id } from '@balcao/contract/common.ts'
import { ticketMark, ticketMarks, ticketMarksBody } from '@balcao/contract/conversations/tickets.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { markTicket, readMarks } from './ticket-marks.service.ts'

/** What one person pins on top of their list, and what they follow. */
export const ticketMarkRoutes: Routes = (app) => {
  app.get(
    '/ticketMarks',
    {
      config: { can: 'tickets.read', summary: 'Listar os atendimentos que você fixou e acompanha' },
      schema: { response: { 200: ticketMarks } },
    },
    ({ actor }) => readMarks(actor),
  )
  app.put(
    '/tickets/:id/marks',
    {
      config: { can: 'tickets.read', summary: 'Fixar ou acompanhar um atendimento', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { params: z.object({ id }), body: ticketMarksBody, response: { 200: ticketMark } },
    },
    ({ actor, params, body }) => markTicket(actor, params.id, body),
  )
}
