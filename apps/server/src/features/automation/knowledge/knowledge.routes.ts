import {
  knowledgeBaseResource,
  knowledgeFound,
  knowledgeGap,
  knowledgeGapBody,
  knowledgeGapsQuery,
  knowledgeSearchQuery,
  knowledgeSource,
  knowledgeSourceBody,
  knowledgeSourcePatch,
  knowledgeSources,
} from '@balcao/contract/automation/assistants/knowledge.ts'
import { id, pageOf } from '@balcao/contract/common.ts'
import { z } from 'zod'
import { crud } from '../../../kit/crud.ts'
import type { Routes } from '../../../kit/http.ts'
import {
  addSource,
  baseOptions,
  changeSource,
  listGaps,
  listSources,
  refreshSource,
  removeSource,
  settleGap,
  tryKnowledge,
} from './knowledge.service.ts'

const can = 'assistants.write'
const administration = crud(knowledgeBaseResource, baseOptions)
const params = z.object({ id })

/** What assistants know: bases, what they are read from, a search to try, and what was asked and not known. */
export const knowledgeRoutes: Routes = (app) => {
  administration(app)
  app.get(
    '/knowledge-bases/:id/sources',
    {
      config: { can, summary: 'Listar as fontes de uma base' },
      schema: { params, response: { 200: knowledgeSources } },
    },
    async ({ actor, params }) => ({ items: await listSources(actor, params.id) }),
  )
  app.post(
    '/knowledge-bases/:id/sources',
    {
      config: { can, summary: 'Acrescentar uma fonte a uma base' },
      schema: { params, body: knowledgeSourceBody, response: { 201: knowledgeSource } },
    },
    async ({ actor, params, body }, reply) => reply.status(201).send(await addSource(actor, params.id, body)),
  )
  app.put(
    '/knowledge-sources/:id',
    {
      config: { can, summary: 'Alterar uma fonte' },
      schema: { params, body: knowledgeSourcePatch, response: { 200: knowledgeSource } },
    },
    ({ actor, params, body }) => changeSource(actor, params.id, body),
  )
  app.post(
    '/knowledge-sources/:id/refresh',
    { config: { can, summary: 'Ler uma fonte de novo' }, schema: { params, response: { 200: knowledgeSource } } },
    ({ actor, params }) => refreshSource(actor, params.id),
  )
  app.delete(
    '/knowledge-sources/:id',
    { config: { can, summary: 'Excluir uma fonte' }, schema: { params, response: { 204: z.void() } } },
    async ({ actor, params }, reply) => {
      await removeSource(actor, params.id)
      return reply.status(204).send()
    },
  )
  app.get(
    '/knowledge-search',
    {
      config: { can, summary: 'Experimentar uma busca no conhecimento' },
      schema: { querystring: knowledgeSearchQuery, response: { 200: knowledgeFound } },
    },
    async ({ actor, query }) => ({ items: await tryKnowledge(actor, query) }),
  )
  app.get(
    '/knowledge-gaps',
    {
      config: { can, summary: 'Listar o que foi perguntado e ninguém sabia' },
      schema: { querystring: knowledgeGapsQuery, response: { 200: pageOf(knowledgeGap) } },
    },
    ({ actor, query }) => listGaps(actor, query),
  )
  app.put(
    '/knowledge-gaps/:id',
    {
      config: { can, summary: 'Responder ou ignorar uma pergunta sem resposta' },
      schema: { params, body: knowledgeGapBody, response: { 200: knowledgeGap } },
    },
    ({ actor, params, body }) => settleGap(actor, params.id, body),
  )
}
