import { catalogQuery, channelCatalog, channelForm } from '@balcao/contract/channels/requests.ts'
import { id } from '@balcao/contract/common.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { readCatalog, readForms } from './requests.ts'

const params = z.object({ id })
const config = (summary: string) => ({
  can: 'messages.write' as const,
  summary,
  errors: ['ERR_NO_WAPP_FOUND' as const, 'ERR_CHANNEL_REFUSED' as const, 'ERR_CHANNEL_UNSUPPORTED' as const],
})

/** What a message of a connection may open. */
export const requestRoutes: Routes = (app) => {
  app.get(
    '/whatsapp/:id/forms',
    {
      config: config('Listar os formulários publicados de um canal'),
      schema: { params, response: { 200: z.object({ items: z.array(channelForm) }) } },
    },
    ({ actor, params }) => readForms(actor, params.id),
  )
  app.get(
    '/whatsapp/:id/catalog',
    {
      config: config('Listar os produtos do catálogo de um canal'),
      schema: { params, querystring: catalogQuery, response: { 200: channelCatalog } },
    },
    ({ actor, params, query }) => readCatalog(actor, params.id, query.searchParam),
  )
}
