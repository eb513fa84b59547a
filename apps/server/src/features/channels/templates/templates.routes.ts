import { templateChange, templateCreate, templateDraft } from '@balcao/contract/channels/template-draft.ts'
import { messageTemplate, templatesQuery, templatesSync, templatesSynced } from '@balcao/contract/channels/templates.ts'
import { id, pageOf } from '@balcao/contract/common.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { changeTemplate, createTemplate, deleteTemplate, getTemplate } from './edit-templates.ts'
import { listTemplates, syncNow } from './templates.service.ts'

const params = z.object({ id })
const refusals = [
  'ERR_CHANNEL_REFUSED',
  'ERR_NO_WAPP_FOUND',
  'ERR_WAPP_NOT_INITIALIZED',
  'ERR_CHANNEL_UNSUPPORTED',
] as const

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
        can: 'templates.write',
        summary: 'Buscar os modelos de mensagem no provedor',
        errors: ['ERR_CHANNEL_REFUSED', 'ERR_NO_WAPP_FOUND', 'ERR_WAPP_NOT_INITIALIZED'],
      },
      schema: { body: templatesSync, response: { 200: templatesSynced } },
    },
    (req) => syncNow(req.actor, req.body.connectionId),
  )
  app.get(
    '/templates/:id',
    {
      config: { can: 'templates.write', summary: 'Ler um modelo de mensagem' },
      schema: { params, response: { 200: messageTemplate.extend({ draft: templateDraft.nullable() }) } },
    },
    (req) => getTemplate(req.actor, req.params.id),
  )
  app.post(
    '/templates',
    {
      config: { can: 'templates.write', summary: 'Criar um modelo e enviá-lo à análise', errors: [...refusals] },
      schema: { body: templateCreate, response: { 201: messageTemplate } },
    },
    async (req, reply) => reply.status(201).send(await createTemplate(req.actor, req.body)),
  )
  app.put(
    '/templates/:id',
    {
      config: { can: 'templates.write', summary: 'Mudar um modelo e enviá-lo à análise', errors: [...refusals] },
      schema: { params, body: templateChange, response: { 200: messageTemplate } },
    },
    (req) => changeTemplate(req.actor, req.params.id, req.body.draft),
  )
  app.delete(
    '/templates/:id',
    {
      config: { can: 'templates.write', summary: 'Excluir um modelo no provedor', errors: [...refusals] },
      schema: { params, response: { 204: z.void() } },
    },
    async (req, reply) => {
      await deleteTemplate(req.actor, req.params.id)
      return reply.status(204).send()
    },
  )
}
