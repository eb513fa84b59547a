import { pageOf } from '@balcao/contract/common.ts'
import { messageTemplate, templatesQuery, templatesSync, templatesSynced } from '@balcao/contract/templates.ts'
import type { Routes } from '../../kit/http.ts'
import { listTemplates, syncNow } from './templates.service.ts'

export const templateRoutes: Routes = (app) => {
  app.get(
    '/templates',
    {
      config: { can: 'messages.write' },
      schema: { querystring: templatesQuery, response: { 200: pageOf(messageTemplate) } },
    },
    (req) => listTemplates(req.actor, req.query),
  )
  app.post(
    '/templates/sync',
    { config: { can: 'connections.write' }, schema: { body: templatesSync, response: { 200: templatesSynced } } },
    (req) => syncNow(req.actor, req.body.connectionId),
  )
}
