import { id } from '@balcao/contract/common.ts'
import { contact } from '@balcao/contract/contacts/contacts.ts'
import { contactImport, groupsSynced, phoneBookBody } from '@balcao/contract/contacts/imports.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { updateLid } from './lids.ts'
import { syncContacts, syncGroups } from './phone-books.ts'

export const phoneBookRoutes: Routes = (app) => {
  const config = (summary: string) => ({
    can: 'contacts.import' as const,
    summary,
    errors: ['ERR_NO_WAPP_FOUND' as const, 'ERR_CHANNEL_REFUSED' as const, 'ERR_CONFLICT' as const],
  })
  app.post(
    '/contacts/sync',
    {
      config: config('Trazer os contatos da agenda de um canal'),
      schema: { body: phoneBookBody, response: { 202: contactImport } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await syncContacts(actor, body.whatsappId)),
  )
  app.put(
    '/contactsUpdateLid/:id',
    {
      config: {
        can: 'contacts.write',
        summary: 'Buscar em um canal o LID de um contato',
        errors: ['ERR_NO_CONTACT_FOUND', 'ERR_NO_WAPP_FOUND', 'ERR_CHANNEL_REFUSED'],
      },
      schema: { params: z.object({ id }), body: phoneBookBody, response: { 200: contact } },
    },
    ({ actor, params: { id }, body }) => updateLid(actor, id, body.whatsappId),
  )
  app.post(
    '/groups/sync',
    {
      config: config('Trazer os grupos de um canal'),
      schema: { body: phoneBookBody, response: { 200: groupsSynced } },
    },
    ({ actor, body }) => syncGroups(actor, body.whatsappId),
  )
}
