import { id, pageOf } from '@balcao/contract/common.ts'
import { ticketLog } from '@balcao/contract/conversations/tickets.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import {
  rating,
  ratingCreate,
  ratingSettings,
  ratingSummary,
  ratingsQuery,
  ratingTexts,
  ratingUpdate,
} from '@balcao/contract/service/ratings.ts'
import { z } from 'zod'
import { csvHeaders } from '../../../kit/csv.ts'
import { csvPages } from '../../../kit/csv-pages.ts'
import type { Routes } from '../../../kit/http.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { ratingColumns, ratingsExport } from './ratings.export.ts'
import { listRatings, summariseRatings } from './ratings.list.ts'
import { createRating, deleteRating, readRatingLogs, saveRatingSettings, updateRating } from './ratings.service.ts'

const params = z.object({ id })

/** What customers thought of their conversations, and how they are asked (domain §23). */
export const ratingRoutes: Routes = (app) => {
  const can = { read: 'ratings.read', grade: 'ratings.grade', write: 'ratings.write' } as const
  app.get(
    '/ticketEvaluations',
    {
      config: { can: can.read, summary: 'Listar as avaliações' },
      schema: { querystring: ratingsQuery, response: { 200: pageOf(rating) } },
    },
    ({ actor, query }) => listRatings(actor, query),
  )
  app.get(
    '/ticketEvaluations/summary',
    {
      config: { can: can.read, summary: 'Resumir as avaliações do período' },
      schema: { querystring: ratingsQuery, response: { 200: ratingSummary } },
    },
    ({ actor, query }) => summariseRatings(actor, query),
  )
  app.get(
    '/ticketEvaluations/export.csv',
    {
      config: { can: can.read, summary: 'Exportar as avaliações em CSV', gives: 'text/csv' },
      schema: { querystring: ratingsQuery },
    },
    async ({ actor, query }, reply) => {
      const { timezone } = await getDirectory(actor.tenantId)
      const lines = await csvPages(actor.tenantId, ratingColumns(timezone), (page) =>
        listRatings(actor, { ...query, ...page }),
      )
      return reply.headers(csvHeaders('avaliacoes')).send(lines)
    },
  )
  app.post(
    '/ticketEvaluations/export',
    {
      config: { can: can.read, summary: 'Pedir a exportação das avaliações' },
      schema: { body: ratingsQuery, response: { 202: bulkJob } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await ratingsExport.enqueue(actor, body)),
  )
  app.get(
    '/ticketEvaluations/:ticketId/logs',
    {
      config: { can: can.read, summary: 'Listar o que aconteceu com uma avaliação', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { params: z.object({ ticketId: id }), response: { 200: pageOf(ticketLog) } },
    },
    ({ actor, params }) => readRatingLogs(actor, params.ticketId),
  )
  app.post(
    '/ticketEvaluations',
    {
      config: {
        can: can.grade,
        summary: 'Criar uma avaliação',
        errors: ['ERR_INVALID_TRANSITION', 'ERR_NO_TICKET_FOUND'],
      },
      schema: { body: ratingCreate, response: { 201: rating } },
    },
    async ({ actor, body }, reply) => reply.status(201).send(await createRating(actor, body)),
  )
  app.put(
    '/ticketEvaluations/:id',
    {
      config: { can: can.grade, summary: 'Corrigir a nota de uma avaliação' },
      schema: { params, body: ratingUpdate, response: { 200: rating } },
    },
    ({ actor, params, body }) => updateRating(actor, params.id, body),
  )
  app.delete(
    '/ticketEvaluations/:id',
    { config: { can: can.write, summary: 'Excluir uma avaliação' }, schema: { params, response: { 204: z.void() } } },
    async ({ actor, params }, reply) => {
      await deleteRating(actor, params.id)
      return reply.status(204).send()
    },
  )

  app.get(
    '/tenants/rating',
    {
      config: { can: 'settings.read', summary: 'Ler as configurações de avaliação' },
      schema: { response: { 200: ratingSettings } },
    },
    async ({ actor }) => (await getDirectory(actor.tenantId)).settings.rating,
  )
  app.put(
    '/tenants/rating',
    {
      config: { can: can.write, summary: 'Atualizar as configurações de avaliação' },
      schema: { body: settingsOrScale, response: { 200: ratingSettings } },
    },
    ({ actor, body }) => saveRatingSettings(actor, body),
  )
  app.put(
    '/tenantsRatingData',
    {
      config: { can: can.write, summary: 'Atualizar as mensagens de avaliação' },
      schema: { body: ratingTexts, response: { 200: ratingSettings } },
    },
    ({ actor, body }) => saveRatingSettings(actor, body),
  )
}

/** All of it, or the bare list of grades. */
const settingsOrScale = z.preprocess(
  (sent) => (Array.isArray(sent) ? { options: sent } : sent),
  ratingSettings.partial().strict(),
)
