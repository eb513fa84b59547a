import { id } from '@balcao/contract/common.ts'
import { contact } from '@balcao/contract/contacts/contacts.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { getContact } from '../../contacts/contacts/contacts.service.ts'
import { askPicture, removePicture } from './picture-calls.ts'

/** Pictures of people by hand: taken away, or asked for anew. */
export const pictureCallRoutes: Routes = (app) => {
  app.put(
    '/contactsRemovePicture/:id',
    {
      config: { can: 'contacts.write', summary: 'Tirar a foto de um contato', errors: ['ERR_NO_CONTACT_FOUND'] },
      schema: { params: z.object({ id }), response: { 200: contact } },
    },
    async ({ actor, params: { id } }) => {
      await getContact(actor, id)
      await removePicture(actor, id)
      return getContact(actor, id)
    },
  )
  app.post(
    '/contactsShowProfilePicture',
    {
      config: {
        can: 'contacts.write',
        summary: 'Buscar de novo a foto de um contato em um canal',
        errors: ['ERR_NO_CONTACT_FOUND', 'ERR_NO_WAPP_FOUND'],
      },
      schema: { body: z.strictObject({ contactId: id, whatsappId: id }), response: { 202: contact } },
    },
    async ({ actor, body }, reply) => {
      const found = await getContact(actor, body.contactId)
      await askPicture(actor, body)
      return reply.status(202).send(found)
    },
  )
}
