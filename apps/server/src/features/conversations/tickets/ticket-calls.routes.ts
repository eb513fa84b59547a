import { id, namedRef, pageOf } from '@balcao/contract/common.ts'
import {
  pauseBody,
  ticket,
  ticketChannelBody,
  ticketChatBotBody,
  ticketCheck,
  ticketLoads,
  ticketMergeBody,
  ticketNotificationBody,
  ticketNotified,
  ticketNullBody,
  ticketShareBody,
  ticketsQuery,
} from '@balcao/contract/conversations/tickets.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { callResponsible } from './call-responsible.ts'
import { changeConnection, handToBot } from './hand-over.ts'
import { refreshAllLastMessages } from './last-message.ts'
import { mergeTicket } from './merge.ts'
import { pauseTicket, resumeTicket } from './pause.ts'
import { listShared, shareTicket, unshareTicket } from './share.ts'
import { takeNextTicket } from './take-next.ts'
import { checkTicket, clearMemory } from './ticket-check.ts'
import { listTickets } from './tickets.list.ts'
import { updateTicket } from './tickets.service.ts'
import { undoTicket } from './undo.ts'
import { readLoads } from './workload.ts'

const params = z.object({ id })
const write = { can: 'tickets.write' } as const
const read = { can: 'tickets.read' } as const

/** The calls beside the ticket itself. */
export const ticketCallRoutes: Routes = (app) => {
  app.put(
    '/ticketsNull/:id',
    {
      config: { ...write, summary: 'Devolver um atendimento para a triagem', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { params, body: ticketNullBody, response: { 200: ticket } },
    },
    ({ actor, params: { id } }) => updateTicket(actor, id, { status: 'pending', userId: null, queueId: null }),
  )
  app.put(
    '/ticketsChatBot/:id',
    {
      config: {
        ...write,
        summary: 'Passar um atendimento para um fluxo ou assistente',
        errors: ['ERR_NO_TICKET_FOUND', 'ERR_TICKET_CLOSED'],
      },
      schema: { params, body: ticketChatBotBody, response: { 200: ticket } },
    },
    ({ actor, params: { id }, body }) => handToBot(actor, id, body),
  )
  app.put(
    '/ticketsChannelId/:id',
    {
      config: {
        ...write,
        summary: 'Continuar um atendimento por outro canal',
        errors: ['ERR_CONTACT_UNREACHABLE', 'ERR_NO_TICKET_FOUND', 'ERR_NO_WAPP_FOUND', 'ERR_OTHER_OPEN_TICKET'],
      },
      schema: { params, body: ticketChannelBody, response: { 200: ticket } },
    },
    ({ actor, params: { id }, body }) => changeConnection(actor, id, body),
  )
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
  app.post(
    '/tickets/:id/undo',
    {
      config: { ...write, summary: 'Desfazer o encerramento ou a transferência', errors: ['ERR_UNDO_OVER'] },
      schema: { params, response: { 200: ticket } },
    },
    ({ actor, params: { id } }) => undoTicket(actor, id),
  )
  app.post(
    '/tickets/next',
    {
      config: { ...write, summary: 'Assumir o próximo atendimento', errors: ['ERR_NOBODY_WAITING'] },
      schema: { response: { 200: ticket } },
    },
    ({ actor }) => takeNextTicket(actor),
  )
  app.get(
    '/ticketsLoad',
    {
      config: { ...read, summary: 'Ler quantos atendimentos cada pessoa tem' },
      schema: { response: { 200: ticketLoads } },
    },
    ({ actor }) => readLoads(actor),
  )
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

  app.get(
    '/ticketscheck/:contactId/:whatsappId',
    {
      config: { ...read, summary: 'Saber se um contato já tem atendimento aberto' },
      schema: { params: z.object({ contactId: id, whatsappId: id }), response: { 200: ticketCheck } },
    },
    ({ actor, params: { contactId, whatsappId } }) => checkTicket(actor, contactId, whatsappId),
  )
  app.get(
    '/ticketsClear',
    {
      config: { can: 'tickets.force', summary: 'Limpar a memória do servidor sobre a empresa' },
      schema: { response: { 200: z.object({ cleared: z.int() }) } },
    },
    ({ actor }) => clearMemory(actor),
  )
  app.put(
    '/ticketsLastMessageAt',
    {
      config: { can: 'settings.write', summary: 'Conferir a última mensagem de cada atendimento' },
      schema: { response: { 200: z.object({ checked: z.int(), corrected: z.int() }) } },
    },
    ({ actor }) => refreshAllLastMessages(actor),
  )
}
