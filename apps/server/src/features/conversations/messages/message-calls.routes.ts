import { id, pageOf } from '@balcao/contract/common.ts'
import {
  birthdayContact,
  birthdayGreeting,
  birthdayResult,
  birthdaysQuery,
  contactHistory,
  contactHistoryQuery,
  directSend,
  editMessageBody,
  forwardBody,
  forwardElsewhereBody,
  forwardResult,
  groupCall,
  groupMention,
  locationBody,
  mentionBody,
  messageEdits,
  participantList,
  resolvePendingBody,
  resolvePendingResult,
  starred,
  starredQuery,
  stuckMessages,
  syncOldBody,
  syncOldByUserBody,
  syncTimeBody,
  vcardBody,
} from '@balcao/contract/conversations/message-calls.ts'
import { message, messageSend } from '@balcao/contract/conversations/messages.ts'
import { v7 } from 'uuid'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { writeAudit } from '../../../kit/audit.ts'
import type { Routes } from '../../../kit/http.ts'
import { listBirthdays, sendBirthdayGreetings } from './birthdays.ts'
import { listContactHistory } from './contact-history.ts'
import { forwardMessages } from './forward.ts'
import { listParticipants, mentionInGroup } from './groups.ts'
import { editMessage } from './message-actions.ts'
import { syncOldMessages } from './old-messages.ts'
import { listEdits } from './read-messages.ts'
import { sendMessage } from './send-message.ts'
import { listStarred, starMessage } from './stars.ts'
import { countStuck, resolveStuck } from './stuck.ts'

const ofTicket = z.object({ ticketId: id })
const ofMessage = z.object({ id })
const reads = { can: 'messages.read' } as const
const writes = { can: 'messages.write' } as const
const nothing = { 204: z.undefined() }

/** The calls beside reading, sending and changing a message. */
export const messageCallRoutes: Routes = (app) => {
  app.get(
    '/messagesContact/:contactId',
    {
      config: {
        ...reads,
        summary: 'Listar as mensagens de um contato em todos os atendimentos',
        errors: ['ERR_NO_CONTACT_FOUND'],
      },
      schema: {
        params: z.object({ contactId: id }),
        querystring: contactHistoryQuery,
        response: { 200: contactHistory },
      },
    },
    (req) => listContactHistory(req.actor, req.params.contactId, req.query),
  )
  app.get(
    '/messages/:id/edits',
    {
      config: { ...reads, summary: 'Ler os textos anteriores de uma mensagem editada', errors: ['ERR_FETCH_WAPP_MSG'] },
      schema: { params: ofMessage, response: { 200: messageEdits } },
    },
    async (req) => ({ edits: await listEdits(req.actor, req.params.id) }),
  )
  app.post(
    '/messages/editMessage',
    {
      config: { ...writes, summary: 'Editar uma mensagem pelo corpo da chamada', errors: ['ERR_FETCH_WAPP_MSG'] },
      schema: { body: editMessageBody, response: { 200: message } },
    },
    (req) => editMessage(req.actor, req.body.messageId, req.body.body),
  )

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

  app.post(
    '/forward-messages',
    {
      config: {
        ...writes,
        summary: 'Encaminhar mensagens',
        errors: ['ERR_FETCH_WAPP_MSG', 'ERR_NO_CONTACT_FOUND', 'ERR_NO_WAPP_FOUND'],
      },
      schema: { body: forwardBody, response: { 200: forwardResult } },
    },
    async (req) => ({ targets: await forwardMessages(req.actor, req.body) }),
  )
  app.post(
    '/forward-other-channel-messages',
    {
      config: {
        ...writes,
        summary: 'Encaminhar mensagens por outro canal',
        errors: ['ERR_FETCH_WAPP_MSG', 'ERR_NO_CONTACT_FOUND', 'ERR_NO_WAPP_FOUND'],
      },
      schema: { body: forwardElsewhereBody, response: { 200: forwardResult } },
    },
    async (req) => ({ targets: await forwardMessages(req.actor, req.body) }),
  )

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

  app.post(
    '/messages/listParticipants',
    {
      config: { ...reads, summary: 'Listar os participantes de um grupo', errors: ['ERR_CHANNEL_UNSUPPORTED'] },
      schema: { body: groupCall, response: { 200: participantList } },
    },
    async (req) => ({ participants: await listParticipants(req.actor, req.body.ticketId) }),
  )
  app.post(
    '/messages/mentionMessage',
    {
      config: { ...writes, summary: 'Mencionar pessoas em um grupo', errors: ['ERR_CHANNEL_UNSUPPORTED'] },
      schema: { body: mentionBody, response: { 200: message } },
    },
    (req) => mentionInGroup(req.actor, req.body),
  )
  app.post(
    '/messages/mentionAllMessage',
    {
      config: { ...writes, summary: 'Mencionar todos em um grupo', errors: ['ERR_CHANNEL_UNSUPPORTED'] },
      schema: { body: groupMention, response: { 200: message } },
    },
    (req) => mentionInGroup(req.actor, { ...req.body, everybody: 'named' }),
  )
  app.post(
    '/messages/ghostMessage',
    {
      config: {
        ...writes,
        summary: 'Mencionar todos em um grupo sem mostrar os nomes',
        errors: ['ERR_CHANNEL_UNSUPPORTED'],
      },
      schema: { body: groupMention, response: { 200: message } },
    },
    (req) => mentionInGroup(req.actor, { ...req.body, everybody: 'ghost' }),
  )

  const manages = { can: 'connections.write' } as const
  app.post(
    '/messages/syncOld',
    {
      config: { ...writes, summary: 'Buscar as mensagens antigas de um canal', errors: ['ERR_CHANNEL_UNSUPPORTED'] },
      schema: { body: syncOldBody, response: nothing },
    },
    (req) => syncOldMessages(req.actor, req.body),
  )
  app.post(
    '/messages/syncOldByUser',
    {
      config: { ...writes, summary: 'Buscar as mensagens antigas de um contato', errors: ['ERR_CHANNEL_UNSUPPORTED'] },
      schema: { body: syncOldByUserBody, response: nothing },
    },
    (req) => syncOldMessages(req.actor, req.body),
  )
  app.post(
    '/messagesUpdateSyncTime',
    {
      config: {
        ...manages,
        summary: 'Definir desde quando buscar mensagens antigas',
        errors: ['ERR_CHANNEL_UNSUPPORTED'],
      },
      schema: { body: syncTimeBody, response: nothing },
    },
    (req) => syncOldMessages(req.actor, req.body),
  )

  app.get(
    '/pending',
    {
      config: { ...manages, summary: 'Contar as mensagens paradas por canal' },
      schema: { response: { 200: stuckMessages } },
    },
    async (req) => ({
      items: await countStuck(req.actor),
    }),
  )
  app.post(
    '/pending/resolvePending',
    {
      config: { ...manages, summary: 'Resolver as mensagens paradas', errors: ['ERR_NO_WAPP_FOUND'] },
      schema: { body: resolvePendingBody, response: { 200: resolvePendingResult } },
    },
    (req) => resolveStuck(req.actor, req.body),
  )

  app.get(
    '/contactsBirthday',
    {
      config: { can: 'contacts.read', summary: 'Listar os aniversariantes' },
      schema: { querystring: birthdaysQuery, response: { 200: pageOf(birthdayContact) } },
    },
    (req) => listBirthdays(req.actor, req.query),
  )
  app.post(
    '/messages/sendBirthday',
    {
      config: {
        can: 'schedules.write',
        summary: 'Agendar os parabéns aos aniversariantes',
        errors: ['ERR_NO_WAPP_FOUND'],
      },
      schema: { body: birthdayGreeting, response: { 200: birthdayResult } },
    },
    (req) => sendBirthdayGreetings(req.actor, req.body),
  )
}
