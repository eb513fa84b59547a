import { id, pageOf } from '@balcao/contract/common.ts'
import { type InboxPage, inboxPage } from '@balcao/contract/conversations/inbox-page.ts'
import {
  ticket,
  ticketCounters,
  ticketCreate,
  ticketEntity,
  ticketForceBody,
  ticketLog,
  ticketLogsQuery,
  ticketPatch,
  ticketsFilter,
  ticketsQuery,
  visibilityReason,
} from '@balcao/contract/conversations/tickets.ts'
import { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import type { Routes } from '../../../kit/http.ts'
import { setShared } from './share.ts'
import { ticketEntityOf } from './ticket-entity.ts'
import { readLogs } from './ticket-logs.ts'
import { countTickets } from './tickets.counters.ts'
import { listInbox, listTickets } from './tickets.list.ts'
import { deleteTicket, forceClose, getVisibleTicket, startTicket, updateTicket } from './tickets.service.ts'
import { explainVisibility } from './tickets.visibility.ts'

const params = z.object({ id })

export const ticketRoutes: Routes = (app) => {
  app.get(
    '/tickets',
    {
      config: { can: 'tickets.read', summary: 'Listar os atendimentos', errors: ['ERR_BUSY', 'ERR_TOO_SLOW'] },
      schema: { querystring: ticketsQuery, response: { 200: z.union([pageOf(ticket), inboxPage]), 304: z.void() } },
    },
    async (request, reply) => {
      const { actor, query, headers } = request
      reply.type('application/json; charset=utf-8')
      if (query.view === 'inbox') {
        const { body, etag } = await listInbox(actor, query)
        reply.header('etag', etag).header('cache-control', 'private, no-store')
        return headers['if-none-match'] === etag ? reply.status(304).send() : reply.send(body as unknown as InboxPage) // is written already
      }
      const page = await listTickets(actor, query)
      // The busiest answer of the product. `presentTicket` names every field by hand, so nothing can leak that parsing
      // would hold back, and a test parses it with the schema; here that parse would cost more than the query.
      return reply.serializer(JSON.stringify).send(page)
    },
  )

  app.get(
    '/tickets/counters',
    {
      config: { can: 'tickets.read', summary: 'Contar os atendimentos por situação' },
      schema: { querystring: ticketsFilter, response: { 200: ticketCounters } },
    },
    (request) => countTickets(request.actor, request.query),
  )

  app.get(
    '/tickets/:id',
    {
      config: { can: 'tickets.read', summary: 'Ler um atendimento', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { params, response: { 200: ticketEntity } },
    },
    async ({ actor, params: { id } }) =>
      ticketEntityOf(actor.tenantId, await withTenant(actor.tenantId, (tx) => getVisibleTicket(tx, actor, id))),
  )

  app.get(
    '/tickets/:id/logs',
    {
      config: { can: 'tickets.read', summary: 'Listar o histórico de um atendimento', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { params, querystring: ticketLogsQuery, response: { 200: pageOf(ticketLog) } },
    },
    ({ actor, params: { id }, query }) => readLogs(actor, id, query),
  )

  app.get(
    '/tickets/:id/visibility',
    {
      config: {
        can: 'users.write',
        summary: 'Saber por que alguém vê um atendimento',
        errors: ['ERR_NO_TICKET_FOUND', 'ERR_NO_USER_FOUND'],
      },
      schema: { params, querystring: z.object({ userId: id.optional() }), response: { 200: visibilityReason } },
    },
    ({ actor, params: { id }, query }) => explainVisibility(actor, id, query.userId ?? actor.userId),
  )

  app.post(
    '/tickets',
    {
      config: {
        can: 'tickets.write',
        summary: 'Iniciar um atendimento',
        errors: ['ERR_NO_CONTACT_FOUND', 'ERR_NO_WAPP_FOUND', 'ERR_OTHER_OPEN_TICKET'],
      },
      schema: { body: ticketCreate, response: { 201: ticketEntity } },
    },
    async ({ actor, body }, reply) =>
      reply.status(201).send(await ticketEntityOf(actor.tenantId, await startTicket(actor, body))),
  )

  app.put(
    '/tickets/:id',
    {
      config: {
        can: 'tickets.write',
        summary: 'Atualizar um atendimento',
        errors: [
          'ERR_CONFLICT',
          'ERR_INVALID_TRANSITION',
          'ERR_NO_TICKET_FOUND',
          'ERR_OTHER_OPEN_TICKET',
          'ERR_TICKET_CLOSED',
          'ERR_TICKET_OFFERED',
          'ERR_TICKET_TAKEN',
          'ERR_WINDOW_CLOSED',
        ],
      },
      schema: { params, body: ticketPatch, response: { 200: ticketEntity } },
    },
    async ({ actor, params: { id }, body: { groupUserIdArray, ...patch } }) => {
      const share = groupUserIdArray && ((tx: Tx) => setShared(tx, actor, id, groupUserIdArray))
      return ticketEntityOf(actor.tenantId, await updateTicket(actor, id, patch, { first: share }))
    },
  )

  app.put(
    '/ticketsForce/:id',
    {
      config: {
        can: 'tickets.force',
        summary: 'Encerrar um atendimento sem motivo nem mensagem',
        errors: ['ERR_INVALID_TRANSITION', 'ERR_NO_TICKET_FOUND'],
      },
      schema: { params, body: ticketForceBody, response: { 200: ticket } },
    },
    ({ actor, params: { id } }) => forceClose(actor, id),
  )

  app.delete(
    '/tickets/:id',
    {
      config: { can: 'tickets.delete', summary: 'Excluir um atendimento', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { params, response: { 204: z.void() } },
    },
    async ({ actor, params: { id } }, reply) => {
      await deleteTicket(actor, id)
      return reply.status(204).send()
    },
  )
}
