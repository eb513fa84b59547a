import { templateDraft } from '@balcao/contract/channels/template-draft.ts'
import { messageTemplate, templatesQuery } from '@balcao/contract/channels/templates.ts'
import { id, pageOf } from '@balcao/contract/common.ts'
import { z } from 'zod'
import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { changeTemplate, createTemplate, deleteTemplate, getTemplate } from './edit-templates.ts'
import { listTemplates } from './templates.service.ts'

const params = z.object({ id })
const writes = (summary: string) => ({
  can: 'templates.write' as const,
  summary,
  errors: ['ERR_CHANNEL_REFUSED' as const, 'ERR_NO_WAPP_FOUND' as const, 'ERR_CHANNEL_UNSUPPORTED' as const],
})

/** Templates of an official number by the names that other programs know these calls by; `id` is the number's. */
export const namedTemplateRoutes: Routes = (app) => {
  app.get(
    '/wabametaTemplate/:id',
    {
      config: { can: 'messages.write', summary: 'Listar os modelos de um número oficial' },
      schema: {
        params,
        querystring: templatesQuery.omit({ connectionId: true }),
        response: { 200: pageOf(messageTemplate) },
      },
    },
    ({ actor, params, query }) => listTemplates(actor, { ...query, connectionId: [params.id] }),
  )
  app.post(
    '/wabametaTemplateCreate/:id',
    {
      config: writes('Criar um modelo de um número oficial'),
      schema: { params, body: z.strictObject({ draft: templateDraft }), response: { 201: messageTemplate } },
    },
    async ({ actor, params, body }, reply) =>
      reply.status(201).send(await createTemplate(actor, { connectionId: params.id, ...body })),
  )
  app.put(
    '/wabametaTemplateEdit/:id',
    {
      config: writes('Mudar um modelo de um número oficial'),
      schema: {
        params,
        body: z.strictObject({ templateId: id, draft: templateDraft }),
        response: { 200: messageTemplate },
      },
    },
    async ({ actor, params, body: { templateId, draft } }) => {
      await requireOf(actor, params.id, templateId)
      return changeTemplate(actor, templateId, draft)
    },
  )
  app.delete(
    '/wabametaTemplateDelete/:id',
    {
      config: writes('Excluir um modelo de um número oficial'),
      schema: { params, querystring: z.object({ templateId: id }), response: { 204: z.void() } },
    },
    async ({ actor, params, query }, reply) => {
      await requireOf(actor, params.id, query.templateId)
      await deleteTemplate(actor, query.templateId)
      return reply.status(204).send()
    },
  )
}

const requireOf = async (actor: Actor, connectionId: string, templateId: string) => {
  const template = await getTemplate(actor, templateId)
  if (template.connectionId !== connectionId) throw new AppError('ERR_NOT_FOUND')
}
