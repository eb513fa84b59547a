import { id } from '@balcao/contract/common.ts'
import { ticketMark, ticketMarks, ticketMarksBody } from '@balcao/contract/tickets.ts'
import { z } from 'zod'
import type { Routes } from '../../kit/http.ts'
import { markTicket, readMarks } from './ticket-marks.service.ts'

/** What one person pins on top of their list, and what they follow. */
export const ticketMarkRoutes: Routes = (app) => {
  app.get(
    '/ticketMarks',
    { config: { can: 'tickets.read' }, schema: { response: { 200: ticketMarks } } },
    ({ actor }) => readMarks(actor),
  )
  app.put(
    '/tickets/:id/marks',
    {
      config: { can: 'tickets.read' },
      schema: { params: z.object({ id }), body: ticketMarksBody, response: { 200: ticketMark } },
    },
    ({ actor, params, body }) => markTicket(actor, params.id, body),
  )
}
