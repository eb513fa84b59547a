import { id, pageOf } from '@balcao/contract/common.ts'
import { contactStory, galleryItem, galleryQuery } from '@balcao/contract/contacts/contacts.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { readGallery, readStory } from './contact-history.ts'

const params = z.object({ id })

export const contactHistoryRoutes: Routes = (app) => {
  app.get(
    '/contacts/:id/story',
    {
      config: { can: 'tickets.read', summary: 'Ler a história de um contato', errors: ['ERR_NO_CONTACT_FOUND'] },
      schema: {
        params,
        querystring: z.object({ cursor: z.string().max(300).optional() }),
        response: { 200: pageOf(contactStory) },
      },
    },
    (req) => readStory(req.actor, req.params.id, req.query.cursor),
  )
  app.get(
    '/contacts/:id/media',
    {
      config: {
        can: 'messages.read',
        summary: 'Listar os arquivos trocados com um contato',
        errors: ['ERR_NO_CONTACT_FOUND'],
      },
      schema: { params, querystring: galleryQuery, response: { 200: pageOf(galleryItem) } },
    },
    (req) => readGallery(req.actor, req.params.id, req.query),
  )
}
