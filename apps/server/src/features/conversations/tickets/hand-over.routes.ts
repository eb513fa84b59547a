import { id } from '@balcao/contract/common.ts'
import { ticket, ticketChannelBody, ticketChatBotBody, ticketNullBody } from '@balcao/contract/conversations/tickets.ts'
import { ticketWays } from '@balcao/contract/conversations/ways.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { changeConnection, handToBot } from './hand-over.ts'
import { updateTicket } from './tickets.service.ts'
import { undoTicket } from './undo.ts'
import { listWays } from './ways.ts'

const params = z.object({ id })
const write = { can: 'tickets.write' } as const

/** Into other hands, or another channel. */
export const handOverRoutes: Routes = (app) => {
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
  app.get(
    '/tickets/:id/ways',
    {
      config: {
        can: 'tickets.read',
        summary: 'Ler por quais canais o contato de um atendimento pode ser respondido',
        errors: ['ERR_NO_TICKET_FOUND'],
      },
      schema: { params, response: { 200: ticketWays } },
    },
    async ({ actor, params: { id } }) => ({ items: await listWays(actor, id) }),
  )
  app.post(
    '/tickets/:id/undo',
    {
      config: { ...write, summary: 'Desfazer o encerramento ou a transferência', errors: ['ERR_UNDO_OVER'] },
      schema: { params, response: { 200: ticket } },
    },
    ({ actor, params: { id } }) => undoTicket(actor, id),
  )
}
