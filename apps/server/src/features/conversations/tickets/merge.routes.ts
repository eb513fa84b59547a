import { id } from '@balcao/contract/common.ts'
import { ticket, ticketMergeBody } from '@balcao/contract/conversations/tickets.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { mergeTicket } from './merge.ts'

const params = z.object({ id })
const write = { can: 'tickets.write' } as const

/** Two conversations of one customer become one. */
export const mergeRoutes: Routes = (app) => {
  app.post(
    '/tickets/:id/merge',
    {
      config: {
        ...write,
        summary: 'Unir dois atendimentos',
        errors: ['ERR_INVALID_TRANSITION', 'ERR_NO_TICKET_FOUND', 'ERR_TICKET_CLOSED'],
      },
      schema: { params, body: ticketMergeBody, response: { 200: ticket } },
    },
    ({ actor, params: { id }, body }) => mergeTicket(actor, id, body.intoId),
  )
}
