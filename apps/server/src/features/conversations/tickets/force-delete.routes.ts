import { id } from '@balcao/contract/common.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { deleteWithTickets } from './delete-with-tickets.ts'

export const forceDeleteRoutes: Routes = (app) => {
  app.delete(
    '/contactsforce/:id',
    {
      config: {
        can: 'tickets.delete',
        summary: 'Excluir um contato com todos os seus atendimentos',
        errors: ['ERR_NO_CONTACT_FOUND'],
      },
      schema: { params: z.object({ id }), response: { 204: z.void() } },
    },
    async ({ actor, params }, reply) => {
      await deleteWithTickets(actor, params.id)
      return reply.status(204).send()
    },
  )
}
