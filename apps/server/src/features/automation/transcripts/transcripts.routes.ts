import { id } from '@balcao/contract/common.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { wantTranscript } from './want.ts'

export const transcriptRoutes: Routes = (app) => {
  app.post(
    '/messages/:id/transcript',
    {
      config: {
        can: 'messages.write',
        summary: 'Pedir por escrito o que se diz num áudio',
        errors: ['ERR_FETCH_WAPP_MSG', 'ERR_NO_TICKET_FOUND', 'ERR_NO_MODEL'],
      },
      schema: { params: z.object({ id }), response: { 204: z.void() } },
    },
    async (request, reply) => {
      await wantTranscript(request.actor, request.params.id)
      return reply.status(204).send()
    },
  )
}
