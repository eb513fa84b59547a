import { orderProducts } from '@balcao/contract/channels/requests.ts'
import { id, pageOf } from '@balcao/contract/common.ts'
import {
  buttonSend,
  foundMessage,
  message,
  messageCall,
  messageDelete,
  messageEdit,
  messageEntity,
  messagePage,
  messageSearchQuery,
  messagesQuery,
  reactionBody,
} from '@balcao/contract/conversations/messages.ts'
import { v7 } from 'uuid'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { expectMail } from '../mail-html/show-mail.ts'
import {
  deleteMessage,
  editMessage,
  fetchFileAgain,
  markTicketRead,
  reactToMessage,
  requireTicket,
  resendMessage,
  showTyping,
} from './message-actions.ts'
import { messageEntityOf } from './message-entity.ts'
import { readOrderProducts } from './order-products.ts'
import { listMessages } from './read-messages.ts'
import { readMailSignature } from './read-signature.ts'
import { searchMessages } from './search-messages.ts'
import { sendMessage } from './send-message.ts'

const ofTicket = z.object({ ticketId: id })
const ofMessage = z.object({ id })
const reads = { can: 'messages.read' } as const
const writes = { can: 'messages.write' } as const
const nothing = { 204: z.undefined() }
const formattedMail = /"isFormatted": ?true/

export const messageRoutes: Routes = (app) => {
  app.get(
    '/messages/:ticketId',
    {
      config: {
        ...reads,
        summary: 'Ler as mensagens de um atendimento',
        errors: ['ERR_FETCH_WAPP_MSG', 'ERR_NO_TICKET_FOUND'],
      },
      schema: { params: ofTicket, querystring: messagesQuery, response: { 200: messagePage } },
    },
    async ({ actor, params, query }, reply) => {
      const page = await listMessages(actor, params.ticketId, query)
      if (formattedMail.test(page)) expectMail()
      reply.type('application/json; charset=utf-8').serializer(String)
      return reply.send(page as unknown as z.output<typeof messagePage>) // is text already
    },
  )
  app.get(
    '/searchMessage',
    {
      config: {
        ...reads,
        summary: 'Buscar mensagens por palavras',
        errors: ['ERR_BUSY', 'ERR_NO_TICKET_FOUND', 'ERR_TOO_SLOW'],
      },
      schema: { querystring: messageSearchQuery, response: { 200: pageOf(foundMessage) } },
    },
    (req) => searchMessages(req.actor, req.query),
  )
  app.post(
    '/messages/:ticketId',
    {
      config: {
        ...writes,
        summary: 'Enviar uma mensagem',
        errors: [
          'ERR_CHANNEL_UNSUPPORTED',
          'ERR_CONFLICT',
          'ERR_DUPLICATED',
          'ERR_INVALID_TRANSITION',
          'ERR_NO_TICKET_FOUND',
          'ERR_TICKET_CLOSED',
          'ERR_WINDOW_CLOSED',
        ],
      },
      schema: { params: ofTicket, body: messageCall, response: { 200: messageEntity } },
    },
    async ({ actor, params, body: { id = v7(), ...input } }) =>
      messageEntityOf(actor.tenantId, await sendMessage(actor, params.ticketId, { id, ...input })),
  )
  app.post(
    '/sendButton',
    {
      config: {
        ...writes,
        summary: 'Enviar uma mensagem com botões',
        errors: ['ERR_INVALID_TRANSITION', 'ERR_NO_TICKET_FOUND'],
      },
      schema: { body: buttonSend, response: { 200: message } },
    },
    ({ actor, body: { ticketId, ...input } }) => sendMessage(actor, ticketId, input),
  )
  app.post(
    '/messages/:id/resend',
    {
      config: {
        ...writes,
        summary: 'Tentar enviar de novo uma mensagem que falhou',
        errors: ['ERR_FETCH_WAPP_MSG', 'ERR_MESSAGE_NOT_RESENDABLE', 'ERR_WINDOW_CLOSED'],
      },
      schema: { params: ofMessage, response: { 200: message } },
    },
    (req) => resendMessage(req.actor, req.params.id),
  )
  app.post(
    '/messages/:id/file',
    {
      config: { ...writes, summary: 'Buscar de novo o arquivo de uma mensagem', errors: ['ERR_FETCH_WAPP_MSG'] },
      schema: { params: ofMessage, response: { 200: message } },
    },
    (req) => fetchFileAgain(req.actor, req.params.id),
  )
  app.get(
    '/messages/:id/products',
    {
      config: {
        ...reads,
        summary: 'Ler os produtos de um pedido',
        errors: ['ERR_FETCH_WAPP_MSG', 'ERR_NO_TICKET_FOUND'],
      },
      schema: { params: ofMessage, response: { 200: orderProducts } },
    },
    (req) => readOrderProducts(req.actor, req.params.id),
  )
  app.post(
    '/messages/reactionMessage',
    {
      config: {
        ...writes,
        summary: 'Reagir a uma mensagem',
        errors: ['ERR_CHANNEL_UNSUPPORTED', 'ERR_FETCH_WAPP_MSG', 'ERR_SENDING_WAPP_MSG', 'ERR_WAPP_NOT_INITIALIZED'],
      },
      schema: { body: reactionBody, response: { 200: message } },
    },
    (req) => reactToMessage(req.actor, req.body),
  )
  app.patch(
    '/messages/:id',
    {
      config: { ...writes, summary: 'Editar uma mensagem', errors: ['ERR_CHANNEL_UNSUPPORTED', 'ERR_FETCH_WAPP_MSG'] },
      schema: { params: ofMessage, body: messageEdit, response: { 200: messageEntity } },
    },
    async ({ actor, params, body }) => messageEntityOf(actor.tenantId, await editMessage(actor, params.id, body.body)),
  )
  app.delete(
    '/messages',
    {
      config: { ...writes, summary: 'Apagar uma mensagem', errors: ['ERR_DELETE_WAPP_MSG', 'ERR_FETCH_WAPP_MSG'] },
      schema: { body: messageDelete, response: { 200: message } },
    },
    (req) => deleteMessage(req.actor, req.body.id),
  )
  app.post(
    '/messages/:ticketId/read',
    {
      config: { ...reads, summary: 'Marcar um atendimento como lido', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { params: ofTicket, response: nothing },
    },
    async (req, reply) => {
      await markTicketRead(req.actor, req.params.ticketId)
      return reply.status(204).send()
    },
  )
  app.get(
    '/messages/:ticketId/signature',
    {
      config: {
        ...writes,
        summary: 'Ler a sua assinatura de e-mail em um atendimento',
        errors: ['ERR_NO_TICKET_FOUND'],
      },
      schema: { params: ofTicket, response: { 200: z.object({ text: z.string() }) } },
    },
    async ({ actor, params }) => ({ text: await readMailSignature(actor, params.ticketId) }),
  )
  const signs = { typing: 'Avisar que está digitando', recording: 'Avisar que está gravando' } as const
  for (const state of ['typing', 'recording'] as const) {
    app.post(
      `/messages/:ticketId/${state}`,
      {
        config: { ...writes, summary: signs[state], errors: ['ERR_NO_TICKET_FOUND'] },
        schema: { params: ofTicket, response: nothing },
      },
      async (req, reply) => {
        await showTyping(req.actor, req.params.ticketId)
        return reply.status(204).send()
      },
    )
  }
  // Providers end the sign by themselves after some seconds; the pause is only acknowledged.
  app.post(
    '/messages/:ticketId/paused',
    {
      config: { ...writes, summary: 'Avisar que parou de digitar', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { params: ofTicket, response: nothing },
    },
    async ({ actor, params }, reply) => {
      await requireTicket(actor, params.ticketId)
      return reply.status(204).send()
    },
  )
}
