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
} from '@balcao/contract/messages.ts'
import { v7 } from 'uuid'
import { z } from 'zod'
import type { Routes } from '../../kit/http.ts'
import {
  deleteMessage,
  editMessage,
  markTicketRead,
  reactToMessage,
  requireTicket,
  resendMessage,
  showTyping,
} from './message-actions.ts'
import { messageEntitiesOf, messageEntityOf } from './message-entity.ts'
import { listMessages } from './read-messages.ts'
import { searchMessages } from './search-messages.ts'
import { sendMessage } from './send-message.ts'

const ofTicket = z.object({ ticketId: id })
const ofMessage = z.object({ id })
const reads = { can: 'messages.read' } as const
const writes = { can: 'messages.write' } as const
const nothing = { 204: z.undefined() }

export const messageRoutes: Routes = (app) => {
  app.get(
    '/messages/:ticketId',
    { config: reads, schema: { params: ofTicket, querystring: messagesQuery, response: { 200: messagePage } } },
    async ({ actor, params, query }) => {
      const page = await listMessages(actor, params.ticketId, query)
      return { ...page, items: await messageEntitiesOf(actor.tenantId, page.items) }
    },
  )
  app.get(
    '/searchMessage',
    { config: reads, schema: { querystring: messageSearchQuery, response: { 200: pageOf(foundMessage) } } },
    (req) => searchMessages(req.actor, req.query),
  )
  app.post(
    '/messages/:ticketId',
    { config: writes, schema: { params: ofTicket, body: messageCall, response: { 200: messageEntity } } },
    async ({ actor, params, body: { id = v7(), ...input } }) =>
      messageEntityOf(actor.tenantId, await sendMessage(actor, params.ticketId, { id, ...input })),
  )
  app.post(
    '/sendButton',
    { config: writes, schema: { body: buttonSend, response: { 200: message } } },
    ({ actor, body: { ticketId, ...input } }) => sendMessage(actor, ticketId, input),
  )
  app.post(
    '/messages/:id/resend',
    { config: writes, schema: { params: ofMessage, response: { 200: message } } },
    (req) => resendMessage(req.actor, req.params.id),
  )
  app.post(
    '/messages/reactionMessage',
    { config: writes, schema: { body: reactionBody, response: { 200: message } } },
    (req) => reactToMessage(req.actor, req.body),
  )
  app.patch(
    '/messages/:id',
    { config: writes, schema: { params: ofMessage, body: messageEdit, response: { 200: messageEntity } } },
    async ({ actor, params, body }) => messageEntityOf(actor.tenantId, await editMessage(actor, params.id, body.body)),
  )
  app.delete('/messages', { config: writes, schema: { body: messageDelete, response: { 200: message } } }, (req) =>
    deleteMessage(req.actor, req.body.id),
  )
  app.post(
    '/messages/:ticketId/read',
    { config: reads, schema: { params: ofTicket, response: nothing } },
    async (req, reply) => {
      await markTicketRead(req.actor, req.params.ticketId)
      return reply.status(204).send()
    },
  )
  for (const state of ['typing', 'recording'] as const) {
    app.post(
      `/messages/:ticketId/${state}`,
      { config: writes, schema: { params: ofTicket, response: nothing } },
      async (req, reply) => {
        await showTyping(req.actor, req.params.ticketId)
        return reply.status(204).send()
      },
    )
  }
  // Providers end the sign by themselves after some seconds; the pause is only acknowledged.
  app.post(
    '/messages/:ticketId/paused',
    { config: writes, schema: { params: ofTicket, response: nothing } },
    async ({ actor, params }, reply) => {
      await requireTicket(actor, params.ticketId)
      return reply.status(204).send()
    },
  )
}
