import { id, namedRef, pageOf } from '@balcao/contract/common.ts'
import {
  ticket,
  ticketNotificationBody,
  ticketNotified,
  ticketShareBody,
  ticketsQuery,
} from '@balcao/contract/conversations/tickets.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { callResponsible } from './call-responsible.ts'
import { listShared, shareTicket, unshareTicket } from './share.ts'
import { listTickets } from './tickets.list.ts'

const params = z.object({ id })
const write = { can: 'tickets.write' } as const
const read = { can: 'tickets.read' } as const

/** Colleagues who take part in a conversation, and calling whoever is responsible. */
export const shareRoutes: Routes = (app) => {
  app.post(
    '/ticketsNotification/:id',
    {
      config: {
        ...write,
        summary: 'Chamar a atenção do responsável',
        errors: ['ERR_NO_TICKET_FOUND', 'ERR_NO_USER_FOUND'],
        // Nobody is rung for one conversation over and over.
        rateLimit: {
          max: 5,
          timeWindow: '1 minute',
          keyGenerator: (request) => `${request.actor.userId} ${request.url}`,
        },
      },
      schema: { params, body: ticketNotificationBody, response: { 200: ticketNotified } },
    },
    ({ actor, params: { id }, body }) => callResponsible(actor, id, body),
  )
  app.post(
    '/ticket-shared',
    {
      config: {
        ...write,
        summary: 'Compartilhar um atendimento',
        errors: ['ERR_NO_TICKET_FOUND', 'ERR_TICKET_CLOSED'],
      },
      schema: { body: ticketShareBody, response: { 200: ticket } },
    },
    ({ actor, body }) => shareTicket(actor, body),
  )
  app.delete(
    '/ticket-shared/:ticketId/:userId',
    {
      config: {
        ...write,
        summary: 'Deixar de compartilhar um atendimento',
        errors: ['ERR_NO_TICKET_FOUND', 'ERR_NO_USER_FOUND'],
      },
      schema: { params: z.object({ ticketId: id, userId: id }), response: { 204: z.void() } },
    },
    async ({ actor, params: { ticketId, userId } }, reply) => {
      await unshareTicket(actor, ticketId, userId)
      return reply.status(204).send()
    },
  )
  app.get(
    '/ticket-shareds/ticket/:id',
    {
      config: {
        ...read,
        summary: 'Listar com quem um atendimento está compartilhado',
        errors: ['ERR_NO_TICKET_FOUND'],
      },
      schema: { params, response: { 200: pageOf(namedRef) } },
    },
    ({ actor, params: { id } }) => listShared(actor, id),
  )
  app.get(
    '/ticket-shared-user/user',
    {
      config: { ...read, summary: 'Listar os atendimentos compartilhados com você' },
      schema: { querystring: ticketsQuery, response: { 200: pageOf(ticket) } },
    },
    ({ actor, query }) => listTickets(actor, { ...query, isShared: true }),
  )
}
