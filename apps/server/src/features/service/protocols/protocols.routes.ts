import { id, pageOf } from '@balcao/contract/common.ts'
import { ticketProtocol, ticketProtocolsQuery } from '@balcao/contract/conversations/notes.ts'
import { ticketLog } from '@balcao/contract/conversations/tickets.ts'
import { newProtocolLink, protocolLink, protocolSend, protocolSent } from '@balcao/contract/service/protocols.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { readLogs } from '../../conversations/tickets/ticket-logs.ts'
import { createLink, listLinks, revokeLink } from './protocol-links.ts'
import { listProtocols } from './protocols.list.ts'
import { sendProtocol } from './send-protocol.ts'

const params = z.object({ ticketId: id })

/** Protocols as the team works with them: the list, sending one, and its public addresses. */
export const protocolRoutes: Routes = (app) => {
  app.get(
    '/ticketProtocols',
    {
      config: { can: 'protocols.read', summary: 'Listar os protocolos' },
      schema: { querystring: ticketProtocolsQuery, response: { 200: pageOf(ticketProtocol) } },
    },
    ({ actor, query }) => listProtocols(actor, query),
  )
  app.post(
    '/ticketProtocols',
    {
      config: { can: 'messages.write', summary: 'Enviar o protocolo ao cliente', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { body: protocolSend, response: { 201: protocolSent } },
    },
    async ({ actor, body }, reply) => reply.status(201).send(await sendProtocol(actor, body.ticketId)),
  )
  app.get(
    '/ticketProtocols/:ticketId/logs',
    {
      config: { can: 'protocols.read', summary: 'Listar os envios de um protocolo', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { params, response: { 200: pageOf(ticketLog) } },
    },
    ({ actor, params }) => readLogs(actor, params.ticketId, { type: 'protocol' }),
  )
  app.get(
    '/ticketProtocols/:ticketId/links',
    {
      config: { can: 'protocols.read', summary: 'Listar os links de um protocolo', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { params, response: { 200: pageOf(protocolLink) } },
    },
    async ({ actor, params }) => ({
      items: await listLinks(actor, params.ticketId),
      hasMore: false,
      nextCursor: null,
    }),
  )
  app.post(
    '/ticketProtocols/:ticketId/links',
    {
      config: { can: 'tickets.write', summary: 'Criar um link para o protocolo', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { params, response: { 201: newProtocolLink } },
    },
    async ({ actor, params }, reply) => reply.status(201).send(await createLink(actor, params.ticketId)),
  )
  app.delete(
    '/ticketProtocols/:ticketId/links/:id',
    {
      config: { can: 'tickets.write', summary: 'Cancelar um link do protocolo', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { params: params.extend({ id }), response: { 204: z.void() } },
    },
    async ({ actor, params }, reply) => {
      await revokeLink(actor, params.ticketId, params.id)
      return reply.status(204).send()
    },
  )
}
