import { id } from '@balcao/contract/common.ts'
import { pauseBody, ticket } from '@balcao/contract/conversations/tickets.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { pauseTicket, resumeTicket } from './pause.ts'

const params = z.object({ id })
const write = { can: 'tickets.write' } as const

/** Put away for a while, and taken up again. */
export const pauseRoutes: Routes = (app) => {
  app.post(
    '/ticketsPause/:id/pause',
    {
      config: {
        ...write,
        summary: 'Adiar um atendimento',
        errors: ['ERR_INVALID_TRANSITION', 'ERR_NO_TICKET_FOUND', 'ERR_TICKET_CLOSED'],
      },
      schema: { params, body: pauseBody, response: { 200: ticket } },
    },
    ({ actor, params: { id }, body }) => pauseTicket(actor, id, body),
  )
  app.post(
    '/ticketsPause/:id/pause/end',
    {
      config: { ...write, summary: 'Retomar um atendimento adiado', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { params, response: { 200: ticket } },
    },
    ({ actor, params: { id } }) => resumeTicket(actor, id),
  )
}
