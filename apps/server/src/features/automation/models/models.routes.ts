import { aiCallsPage, aiCallsQuery, aiSpending, aiSpendingQuery } from '@balcao/contract/automation/models.ts'
import { modelsAsked, modelsOffered as offered } from '@balcao/contract/core/integrations/models.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import type { Routes } from '../../../kit/http.ts'
import { aiCallsCsv } from './calls.export.ts'
import { modelsOffered } from './offered.ts'
import { listCalls, readSpending } from './spending.ts'

export const modelRoutes: Routes = (app) => {
  app.post(
    '/integrations/models',
    {
      config: { can: 'integrations.write', summary: 'Ler os modelos que uma conta de inteligência artificial oferece' },
      schema: { body: modelsAsked, response: { 200: offered } },
    },
    ({ actor, body }) => modelsOffered(actor.tenantId, body),
  )
  app.get(
    '/ai/spending',
    {
      config: {
        can: 'settings.write',
        summary: 'Ler o gasto com inteligência artificial, por dia, assistente e finalidade',
      },
      schema: { querystring: aiSpendingQuery, response: { 200: aiSpending } },
    },
    ({ actor, query }) => readSpending(actor, query),
  )
  app.get(
    '/ai/calls',
    {
      config: { can: 'settings.write', summary: 'Listar as chamadas a modelos de inteligência artificial' },
      schema: { querystring: aiCallsQuery, response: { 200: aiCallsPage } },
    },
    ({ actor, query }) => listCalls(actor, query),
  )
  app.post(
    '/ai/calls/export',
    {
      config: { can: 'settings.write', summary: 'Exportar as chamadas a modelos de inteligência artificial' },
      schema: { body: aiSpendingQuery, response: { 202: bulkJob } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await aiCallsCsv.enqueue(actor, body)),
  )
}
