import { pageOf } from '@balcao/contract/common.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import {
  agentStatesReportQuery,
  contactsReportQuery,
  reportAgentState,
  reportContact,
  reportFiles,
  reportQuery,
  reportResult,
  reportTicket,
  statisticsPerUsersQuery,
  ticketsReportQuery,
  userStatistics,
} from '@balcao/contract/operations/reports/reports.ts'
import { z } from 'zod'
import { csvHeaders } from '../../../kit/csv.ts'
import type { Routes } from '../../../kit/http.ts'
import { listReportAgentStates } from './agent-states-report.ts'
import { listReportContacts } from './contacts-report.ts'
import { reportAsFile } from './report-files.ts'
import { reportExports } from './reports.export.ts'
import { runReport } from './run-report.ts'
import { readStatisticsPerUsers } from './statistics-per-users.ts'
import { byOurNames, listReportTickets } from './tickets-report.ts'

const can = 'reports.read'
const params = z.object({ key: z.string().max(60) })
const kinds: Record<(typeof reportFiles)[number], string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
}

/** What the facts of conversations come to. */
export const reportRoutes: Routes = (app) => {
  app.get(
    '/reports/:key',
    {
      config: { can, summary: 'Ler um relatório', errors: ['ERR_NOT_FOUND'] },
      schema: { params, querystring: reportQuery, response: { 200: reportResult } },
    },
    ({ actor, params: { key }, query }) => runReport(actor, key, query),
  )
  app.get(
    '/reports/:key/file/:format',
    {
      config: {
        can,
        summary: 'Baixar um relatório em CSV, Excel ou PDF',
        gives: 'text/csv',
        errors: ['ERR_NOT_FOUND'],
      },
      schema: { params: params.extend({ format: z.enum(reportFiles) }), querystring: reportQuery },
    },
    async ({ actor, params: { key, format }, query }, reply) => {
      const file = await reportAsFile(actor, { key, format, query })
      const headers = {
        ...csvHeaders(key),
        'content-type': kinds[format],
        'content-disposition': `attachment; filename="${key}.${format}"`,
      }
      return reply.headers(headers).send(file)
    },
  )
  app.get(
    '/tickets-report',
    {
      config: { can, summary: 'Listar os atendimentos de um relatório' },
      schema: { querystring: ticketsReportQuery, response: { 200: pageOf(reportTicket) } },
    },
    ({ actor, query }) => listReportTickets(actor, query),
  )
  app.get(
    '/contacts-report',
    {
      config: { can, summary: 'Listar os contatos de um relatório' },
      schema: { querystring: contactsReportQuery, response: { 200: pageOf(reportContact) } },
    },
    ({ actor, query }) => listReportContacts(actor, query),
  )
  app.get(
    '/agent-states-report',
    {
      config: { can, summary: 'Listar quando cada pessoa esteve disponível e em pausa' },
      schema: { querystring: agentStatesReportQuery, response: { 200: pageOf(reportAgentState) } },
    },
    ({ actor, query }) => listReportAgentStates(actor, query),
  )
  app.get(
    '/statistics-per-users',
    {
      config: { can, summary: 'Contar os atendimentos de cada pessoa' },
      schema: { querystring: statisticsPerUsersQuery, response: { 200: userStatistics } },
    },
    ({ actor, query }) => readStatisticsPerUsers(actor, query),
  )
  const format = z.object({ format: z.enum(['csv', 'xlsx']) })
  app.post(
    '/tickets-report/export/:format',
    {
      config: { can, summary: 'Pedir a exportação dos atendimentos de um relatório' },
      schema: { params: format, body: ticketsReportQuery, response: { 202: bulkJob } },
    },
    async ({ actor, params, body }, reply) =>
      reply.status(202).send(await reportExports.tickets[params.format].enqueue(actor, byOurNames(body))),
  )
  app.post(
    '/contacts-report/export/:format',
    {
      config: { can, summary: 'Pedir a exportação dos contatos de um relatório' },
      schema: { params: format, body: contactsReportQuery, response: { 202: bulkJob } },
    },
    async ({ actor, params, body }, reply) =>
      reply.status(202).send(await reportExports.contacts[params.format].enqueue(actor, body)),
  )
}
