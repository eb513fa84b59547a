import { id, pageOf } from '@balcao/contract/common.ts'
import { csvImportReport } from '@balcao/contract/core/csv-imports.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { goals, goalsQuery, goalsWrite } from '@balcao/contract/sales/goals.ts'
import {
  funnelDashboard,
  funnelDashboardQuery,
  opportunitiesExportQuery,
  opportunitiesQuery,
  opportunity,
  opportunityBoard,
  opportunityBoardQuery,
  opportunityCreate,
  opportunityImportBody,
  opportunityMove,
  opportunityNoteWrite,
  opportunityPatch,
} from '@balcao/contract/sales/opportunities.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { readFunnelDashboard } from './dashboard.ts'
import { readGoals, writeGoals } from './goals.ts'
import { importOpportunities } from './import.ts'
import { opportunitiesExport } from './opportunities.export.ts'
import {
  addNote,
  createOpportunity,
  deleteOpportunity,
  getOpportunity,
  listOpportunities,
  readOpportunityBoard,
  readTimeline,
  updateOpportunity,
} from './opportunities.service.ts'

const params = z.object({ id })
const timeline = z.array(opportunityMove)

export const opportunityRoutes: Routes = (app) => {
  app.get(
    '/funnel-goals',
    {
      config: { can: 'funnel.read', summary: 'Ler as metas de um mês' },
      schema: { querystring: goalsQuery, response: { 200: goals } },
    },
    async ({ actor, query }) => ({ items: await readGoals(actor, query) }),
  )
  app.put(
    '/funnel-goals',
    {
      config: { can: 'funnel.manage', summary: 'Definir as metas de um mês' },
      schema: { body: goalsWrite, response: { 200: goals } },
    },
    async ({ actor, body }) => ({ items: await writeGoals(actor, body) }),
  )
  app.post(
    '/opportunities/import',
    {
      config: { can: 'funnel.write', summary: 'Importar oportunidades de um CSV', errors: ['ERR_TOO_LARGE'] },
      schema: { body: opportunityImportBody, response: { 200: csvImportReport } },
    },
    ({ actor, body }) => importOpportunities(actor, body),
  )
  app.post(
    '/opportunities/export',
    {
      config: { can: 'funnel.read', summary: 'Pedir a exportação das oportunidades' },
      schema: { body: opportunitiesExportQuery, response: { 202: bulkJob } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await opportunitiesExport.enqueue(actor, body)),
  )
  app.get(
    '/opportunities',
    {
      config: { can: 'funnel.read', summary: 'Listar as oportunidades' },
      schema: { querystring: opportunitiesQuery, response: { 200: pageOf(opportunity) } },
    },
    ({ actor, query }) => listOpportunities(actor, query),
  )
  app.get(
    '/opportunities/board',
    {
      config: { can: 'funnel.read', summary: 'Ler o quadro de um funil' },
      schema: { querystring: opportunityBoardQuery, response: { 200: opportunityBoard } },
    },
    ({ actor, query }) => readOpportunityBoard(actor, query),
  )
  app.get(
    '/opportunities/dashboard',
    {
      config: { can: 'funnel.read', summary: 'Ler os números de um funil', errors: ['ERR_BUSY', 'ERR_TOO_SLOW'] },
      schema: { querystring: funnelDashboardQuery, response: { 200: funnelDashboard } },
    },
    ({ actor, query }) => readFunnelDashboard(actor, query),
  )
  app.get(
    '/opportunitiesContact/:contactId',
    {
      config: { can: 'funnel.read', summary: 'Listar as oportunidades de um contato' },
      schema: { params: z.object({ contactId: id }), response: { 200: pageOf(opportunity) } },
    },
    ({ actor, params: { contactId } }) => listOpportunities(actor, opportunitiesQuery.parse({ contactId, limit: 50 })),
  )
  app.get(
    '/opportunities/:id',
    {
      config: { can: 'funnel.read', summary: 'Ler uma oportunidade' },
      schema: { params, response: { 200: opportunity } },
    },
    ({ actor, params: { id } }) => getOpportunity(actor, id),
  )
  app.post(
    '/opportunities',
    {
      config: { can: 'funnel.write', summary: 'Criar uma oportunidade' },
      schema: { body: opportunityCreate, response: { 201: opportunity } },
    },
    async ({ actor, body }, reply) => reply.status(201).send(await createOpportunity(actor, body)),
  )
  app.put(
    '/opportunities/:id',
    {
      config: { can: 'funnel.write', summary: 'Atualizar uma oportunidade', errors: ['ERR_CONFLICT'] },
      schema: { params, body: opportunityPatch, response: { 200: opportunity } },
    },
    ({ actor, params: { id }, body }) => updateOpportunity(actor, id, body),
  )
  app.delete(
    '/opportunities/:id',
    {
      config: { can: 'funnel.write', summary: 'Excluir uma oportunidade' },
      schema: { params, response: { 204: z.void() } },
    },
    async ({ actor, params: { id } }, reply) => {
      await deleteOpportunity(actor, id)
      return reply.status(204).send()
    },
  )
  app.get(
    '/opportunities/:id/timeline',
    {
      config: { can: 'funnel.read', summary: 'Ler a história de uma oportunidade' },
      schema: { params, response: { 200: timeline } },
    },
    ({ actor, params: { id } }) => readTimeline(actor, id),
  )
  app.post(
    '/opportunities/:id/notes',
    {
      config: { can: 'funnel.write', summary: 'Anotar em uma oportunidade' },
      schema: { params, body: opportunityNoteWrite, response: { 200: timeline } },
    },
    ({ actor, params: { id }, body }) => addNote(actor, id, body.body),
  )
}
