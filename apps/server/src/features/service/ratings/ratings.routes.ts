import { id, pageOf } from '@balcao/contract/common.ts'
import { ticketLog } from '@balcao/contract/conversations/tickets.ts'
import {
  type Rating,
  rating,
  ratingCreate,
  ratingSettings,
  ratingSummary,
  ratingsQuery,
  ratingTexts,
  ratingUpdate,
} from '@balcao/contract/service/ratings.ts'
import { z } from 'zod'
import { type CsvColumn, csvHeaders, toCsv } from '../../../kit/csv.ts'
import type { Routes } from '../../../kit/http.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { exportRatings, listRatings, summariseRatings } from './ratings.list.ts'
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
      const rows = await exportRatings(actor, query)
      return reply.headers(csvHeaders('avaliacoes')).send(toCsv(columnsFor(timezone), rows))
    },
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

const statusNames: Record<Rating['status'], string> = {
  pending: 'Aguardando resposta',
  answered: 'Respondida',
  expired: 'Sem resposta',
}
const columnsFor = (timeZone: string): CsvColumn<Rating>[] => {
  const format = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'short', timeZone })
  const moment = (at: string | null) => at && format.format(new Date(at)).replace(',', '')
  return [
    { label: 'Protocolo', value: (row) => row.protocol },
    { label: 'Contato', value: (row) => row.contact.name },
    { label: 'Atendente', value: (row) => row.user?.name },
    { label: 'Fila', value: (row) => row.queue?.name },
    { label: 'Situação', value: (row) => statusNames[row.status] },
    { label: 'Nota', value: (row) => row.grade },
    { label: 'Comentário', value: (row) => row.comment },
    { label: 'Perguntada em', value: (row) => moment(row.createdAt) },
    { label: 'Respondida em', value: (row) => moment(row.answeredAt) },
  ]
}
