import { id, pageOf } from '@balcao/contract/common.ts'
import { starred, starredQuery } from '@balcao/contract/conversations/message-calls.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { listStarred, starMessage } from './stars.ts'

const ofMessage = z.object({ id })
const reads = { can: 'messages.read' } as const
const nothing = { 204: z.undefined() }

/** Messages a person keeps at hand. */
export const starRoutes: Routes = (app) => {
  app.get(
    '/messages/starred',
    {
      config: { ...reads, summary: 'Listar as mensagens favoritas' },
      schema: { querystring: starredQuery, response: { 200: pageOf(starred) } },
    },
    (req) => listStarred(req.actor, req.query),
  )
  const stars = { POST: 'Favoritar uma mensagem', DELETE: 'Tirar uma mensagem das favoritas' } as const
  for (const method of ['POST', 'DELETE'] as const) {
    app.route({
      method,
      url: '/messages/:id/star',
      config: { ...reads, summary: stars[method], errors: ['ERR_FETCH_WAPP_MSG', 'ERR_NO_TICKET_FOUND'] },
      schema: { params: ofMessage, response: nothing },
      handler: async (req, reply) => {
        await starMessage(req.actor, req.params.id, method === 'POST')
        return reply.status(204).send()
      },
    })
  }
}
