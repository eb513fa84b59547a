import {
  assistant,
  assistantAccounts,
  assistantPublish,
  assistantResource,
  assistantRuns,
  assistantVersion,
  assistantVersionsQuery,
  rehearsalBody,
  rehearsed,
  ticketAssistants,
} from '@balcao/contract/automation/assistants/assistants.ts'
import {
  assistantCaseResource,
  assistantEvaluation,
  assistantEvaluations,
  evaluateBody,
  evaluationJobBody,
} from '@balcao/contract/automation/assistants/evaluation.ts'
import { id, pageOf } from '@balcao/contract/common.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { z } from 'zod'
import { crud } from '../../../kit/crud.ts'
import type { Routes } from '../../../kit/http.ts'
import { assistantOptions } from './assistants.rows.ts'
import { caseOptions, evaluate, listEvaluations } from './evaluate.ts'
import { enqueueEvaluation } from './evaluation.job.ts'
import { requireAsGood } from './publish-gate.ts'
import { rehearse } from './rehearse.ts'
import { readAccounts, readAssistants, readRuns } from './trace.ts'
import { listVersions, publishDraft, publishVersion } from './versions.ts'

const can = 'assistants.write'
const administration = crud(assistantResource, assistantOptions)
const cases = crud(assistantCaseResource, caseOptions)
const params = z.object({ id })
const versionParams = z.object({ id, versionId: id })

/** Assistants: their rows and drafts, the versions that answer, a rehearsal, and what they did in a conversation. */
export const assistantRoutes: Routes = (app) => {
  administration(app)
  cases(app)
  app.post(
    '/assistants/:id/publish',
    {
      config: {
        can,
        summary: 'Publicar o rascunho de um assistente',
        errors: ['ERR_CONFLICT', 'ERR_EVALUATION_FAILED'],
      },
      schema: { params, body: assistantPublish, response: { 200: assistant } },
    },
    async ({ actor, params, body }) => {
      const judged = await requireAsGood(actor, params.id, body)
      return publishDraft(actor, params.id, body, judged)
    },
  )
  app.get(
    '/assistants/:id/versions',
    {
      config: { can, summary: 'Listar as versões de um assistente' },
      schema: { params, querystring: assistantVersionsQuery, response: { 200: pageOf(assistantVersion) } },
    },
    ({ actor, params, query }) => listVersions(actor, params.id, query),
  )
  app.post(
    '/assistants/:id/versions/:versionId/publish',
    {
      config: { can, summary: 'Voltar a responder com uma versão anterior' },
      schema: { params: versionParams, response: { 200: assistant } },
    },
    ({ actor, params }) => publishVersion(actor, params.id, params.versionId),
  )
  app.post(
    '/assistants/:id/rehearse',
    {
      config: { can, summary: 'Ensaiar o rascunho de um assistente' },
      schema: { params, body: rehearsalBody, response: { 200: rehearsed } },
    },
    ({ actor, params, body }) => rehearse(actor, params.id, body),
  )
  app.get(
    '/assistant-accounts',
    {
      config: { can, summary: 'Listar as contas que podem responder por um assistente' },
      schema: { response: { 200: assistantAccounts } },
    },
    ({ actor }) => readAccounts(actor),
  )
  app.get(
    '/assistants/:id/evaluations',
    {
      config: { can, summary: 'Listar as avaliações de um assistente' },
      schema: { params, response: { 200: assistantEvaluations } },
    },
    async ({ actor, params }) => ({ items: await listEvaluations(actor, params.id) }),
  )
  app.post(
    '/assistants/:id/evaluations',
    {
      config: { can, summary: 'Avaliar um assistente com os seus casos' },
      schema: { params, body: evaluateBody, response: { 200: assistantEvaluation } },
    },
    ({ actor, params, body }) => evaluate(actor.tenantId, params.id, { ...body, why: 'hand' }),
  )
  app.post(
    '/assistants/:id/evaluation-jobs',
    {
      config: {
        can,
        summary: 'Avaliar um assistente em segundo plano, e publicar o rascunho',
        errors: ['ERR_CONFLICT'],
      },
      schema: { params, body: evaluationJobBody, response: { 202: bulkJob } },
    },
    async ({ actor, params, body }, reply) => reply.status(202).send(await enqueueEvaluation(actor, params.id, body)),
  )
  app.get(
    '/tickets/:id/assistant-runs',
    {
      config: { can: 'tickets.read', summary: 'Ver o que os assistentes fizeram numa conversa' },
      schema: { params, response: { 200: assistantRuns } },
    },
    async ({ actor, params }) => ({ items: await readRuns(actor, params.id) }),
  )
  app.get(
    '/tickets/:id/assistants',
    {
      config: { can: 'tickets.write', summary: 'Ver que assistentes podem responder numa conversa' },
      schema: { params, response: { 200: ticketAssistants } },
    },
    ({ actor, params }) => readAssistants(actor, params.id),
  )
}
