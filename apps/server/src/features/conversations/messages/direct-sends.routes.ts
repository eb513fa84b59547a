import { id } from '@balcao/contract/common.ts'
import { directSend, locationBody, vcardBody } from '@balcao/contract/conversations/message-calls.ts'
import { message, messageSend } from '@balcao/contract/conversations/messages.ts'
import { v7 } from 'uuid'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { writeAudit } from '../../../kit/audit.ts'
import type { Routes } from '../../../kit/http.ts'
import { sendMessage } from './send-message.ts'

const ofTicket = z.object({ ticketId: id })
const writes = { can: 'messages.write' } as const

/** The same sending as every other, by the body that one kind of message needs. */
export const directSendRoutes: Routes = (app) => {
  app.post(
    '/messages/:ticketId/vcard',
    {
      config: {
        ...writes,
        summary: 'Enviar um cartão de contato',
        errors: ['ERR_INVALID_TRANSITION', 'ERR_NO_TICKET_FOUND'],
      },
      schema: { params: ofTicket, body: vcardBody, response: { 200: message } },
    },
    ({ actor, params, body }) =>
      sendMessage(actor, params.ticketId, messageSend.parse({ id: v7(), ...body, type: 'contact' })),
  )
  app.post(
    '/messages/:ticketId/location',
    {
      config: {
        ...writes,
        summary: 'Enviar uma localização',
        errors: ['ERR_INVALID_TRANSITION', 'ERR_NO_TICKET_FOUND'],
      },
      schema: { params: ofTicket, body: locationBody, response: { 200: message } },
    },
    ({ actor, params, body }) =>
      sendMessage(actor, params.ticketId, messageSend.parse({ id: v7(), ...body, type: 'location' })),
  )
  // Elsewhere this passes by a pacing queue of its own. Ours is the message's row, for every send: there is nothing to pass by.
  app.post(
    '/noRedis',
    {
      config: {
        can: 'messages.direct',
        summary: 'Enviar uma mensagem sem passar por outra fila',
        errors: ['ERR_INVALID_TRANSITION', 'ERR_NO_TICKET_FOUND'],
      },
      schema: { body: directSend, response: { 200: message } },
    },
    async ({ actor, body: { ticketId, ...input } }) => {
      const sent = await sendMessage(actor, ticketId, input)
      const entry = { action: 'message.direct', entity: 'ticket', entityId: ticketId, after: { messageId: sent.id } }
      await withTenant(actor.tenantId, (tx) => writeAudit(tx, actor, entry))
      return sent
    },
  )
}
