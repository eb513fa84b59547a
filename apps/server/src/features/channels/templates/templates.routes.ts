import { messageTemplate, templatesQuery, templatesSync, templatesSynced } from '@balcao/contract/channels/templates.ts'
import { pageOf } from '@balcao/contract/common.ts'
import type { Routes } from '../../../kit/http.ts'
import { listTemplates, syncNow } from './templates.service.ts'

export const templateRoutes: Routes = (app) => {
  app.get(
    '/templates',
    {
      config: { can: 'messages.write', summary: 'Listar os modelos de mensagem' },
      schema: { querystring: templatesQuery, response: { 200: pageOf(messageTemplate) } },
    },
    (req) => listTemplates(req.actor, req.query),
  )
  app.post(
    '/templates/sync',
    {
      config: {
        can: 'connections.write',
        summary: 'Buscar os modelos de mensagem no provedor',
        errors: ['ERR_CHANNEL_REFUSED', 'ERR_NO_WAPP_FOUND', 'ERR_WAPP_NOT_INITIALIZED'],
      },
      schema: { body: templatesSync, response: { 200: templatesSynced } },
    },
    (req) => syncNow(req.actor, req.body.connectionId),
  )
}
