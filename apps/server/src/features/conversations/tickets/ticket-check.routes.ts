import { id } from '@balcao/contract/common.ts'
import { ticketCheck } from '@balcao/contract/conversations/tickets.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { refreshAllLastMessages } from './last-message.ts'
import { checkTicket, clearMemory } from './ticket-check.ts'

const read = { can: 'tickets.read' } as const

/** Looking after the list: whether a contact has an open one, and putting what is remembered right. */
export const ticketCheckRoutes: Routes = (app) => {
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
