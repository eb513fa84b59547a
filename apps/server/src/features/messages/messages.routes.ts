import { id, pageOf } from '@balcao/contract/common.ts'
import {
  buttonSend,
  foundMessage,
  message,
  messageDelete,
  messageEdit,
  messagePage,
  messageSearchQuery,
  messageSend,
  messagesQuery,
  reactionBody,
} from '@balcao/contract/messages.ts'
import { z } from 'zod'
import type { Routes } from '../../kit/http.ts'
import {
  deleteMessage,
  editMessage,
  markTicketRead,
  reactToMessage,
  resendMessage,
  showTyping,
} from './message-actions.ts'
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
    (req) => listMessages(req.actor, req.params.ticketId, req.query),
  )
  app.get(
    '/searchMessage',
    { config: reads, schema: { querystring: messageSearchQuery, response: { 200: pageOf(foundMessage) } } },
    (req) => searchMessages(req.actor, req.query),
  )
  app.post(
    '/messages/:ticketId',
    { config: writes, schema: { params: ofTicket, body: messageSend, response: { 200: message } } },
    (req) => sendMessage(req.actor, req.params.ticketId, req.body),
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
    { config: writes, schema: { params: ofMessage, body: messageEdit, response: { 200: message } } },
    (req) => editMessage(req.actor, req.params.id, req.body.body),
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
    async (_req, reply) => reply.status(204).send(),
  )
}
