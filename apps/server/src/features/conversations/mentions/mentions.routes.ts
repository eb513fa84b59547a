import { id, pageOf } from '@balcao/contract/common.ts'
import {
  mention,
  mentionCandidate,
  mentionCount,
  mentionsQuery,
  mentionsRead,
} from '@balcao/contract/conversations/mentions.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { countMentions, listCandidates, listMentions, readMentions } from './mentions.service.ts'

/** Notes that call me, and whom a note of mine may call. */
export const mentionRoutes: Routes = (app) => {
  app.get(
    '/mentions',
    {
      config: { can: 'messages.read', summary: 'Listar as menções a você' },
      schema: { querystring: mentionsQuery, response: { 200: pageOf(mention) } },
    },
    (request) => listMentions(request.actor, request.query),
  )
  app.get(
    '/mentions/count',
    {
      config: { can: 'messages.read', summary: 'Contar as menções não lidas' },
      schema: { response: { 200: mentionCount } },
    },
    (request) => countMentions(request.actor),
  )
  app.get(
    '/mentions/candidates/:ticketId',
    {
      config: {
        can: 'messages.write',
        summary: 'Listar quem pode ser mencionado em um atendimento',
        errors: ['ERR_NO_TICKET_FOUND'],
      },
      schema: { params: z.object({ ticketId: id }), response: { 200: z.array(mentionCandidate) } },
    },
    (request) => listCandidates(request.actor, request.params.ticketId),
  )
  app.post(
    '/mentions/read',
    {
      config: { can: 'messages.read', summary: 'Marcar menções como lidas', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { body: mentionsRead, response: { 204: z.void() } },
    },
    async (request, reply) => {
      await readMentions(request.actor, request.body)
      return reply.status(204).send()
    },
  )
}
