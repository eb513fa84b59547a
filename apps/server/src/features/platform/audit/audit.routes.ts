import { pageOf } from '@balcao/contract/common.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import {
  auditEntry,
  auditQuery,
  type PlatformAuditQuery,
  platformAuditEntry,
  platformAuditQuery,
  supportVisit,
} from '@balcao/contract/platform/audit.ts'
import { z } from 'zod'
import { withPlatform, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { csvHeaders } from '../../../kit/csv.ts'
import { csvPages } from '../../../kit/csv-pages.ts'
import type { Routes } from '../../../kit/http.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { writePlatformAudit } from '../../core/platform-audit/platform-audit.ts'
import { listVisits } from '../../people/auth/visits.ts'
import { auditExport, auditOf, daysOf, platformAuditColumns, platformAuditExport } from './audit.export.ts'
import { listAudit, listPlatformAudit } from './audit.queries.ts'
import { columnsIn } from './columns.ts'

/** Who changed what: in this company for its administrators, in all of them for the platform's people. */
export const auditRoutes: Routes = (app) => {
  const ours = { can: 'audit.read' } as const
  const platform = { can: 'platform.audit' } as const

  app.get(
    '/audit',
    {
      config: { ...ours, summary: 'Listar a auditoria da empresa' },
      schema: { querystring: auditQuery, response: { 200: pageOf(auditEntry) } },
    },
    (request) => listAudit(request.actor.tenantId, request.query),
  )
  app.get(
    '/audit/export.csv',
    {
      config: { ...ours, summary: 'Exportar a auditoria em CSV', gives: 'text/csv' },
      schema: { querystring: auditQuery },
    },
    async ({ actor, query }, reply) => {
      await withTenant(actor.tenantId, (tx) => writeAudit(tx, actor, auditOf(query)))
      const { timezone } = await getDirectory(actor.tenantId)
      const lines = await csvPages(actor.tenantId, columnsIn(timezone), (page) =>
        listAudit(actor.tenantId, { ...query, ...page }),
      )
      return reply.headers(csvHeaders('auditoria')).send(lines)
    },
  )
  app.post(
    '/audit/export',
    {
      config: { ...ours, summary: 'Pedir a exportação da auditoria' },
      schema: { body: auditQuery, response: { 202: bulkJob } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await auditExport.enqueue(actor, body)),
  )

  app.get(
    '/tenantsAudit',
    {
      config: { ...platform, summary: 'Listar a auditoria da plataforma' },
      schema: { querystring: platformAuditQuery, response: { 200: pageOf(platformAuditEntry) } },
    },
    (request) => listPlatformAudit(request.query),
  )
  app.get(
    '/tenantsAudit/export.csv',
    {
      config: { ...platform, summary: 'Exportar a auditoria da plataforma em CSV', gives: 'text/csv' },
      schema: { querystring: platformAuditQuery },
    },
    async ({ actor, query }, reply) => {
      await noteExport(actor, query)
      const lines = await csvPages(actor.tenantId, platformAuditColumns, (page) =>
        listPlatformAudit({ ...query, ...page }),
      )
      return reply.headers(csvHeaders('auditoria-da-plataforma')).send(lines)
    },
  )
  app.post(
    '/tenantsAudit/export',
    {
      config: { ...platform, summary: 'Pedir a exportação da auditoria da plataforma' },
      schema: { body: platformAuditQuery, response: { 202: bulkJob } },
    },
    async ({ actor, body }, reply) => {
      await noteExport(actor, body)
      return reply.status(202).send(await platformAuditExport.enqueue(actor, body))
    },
  )

  app.get(
    '/supportVisits',
    {
      config: { ...ours, summary: 'Listar as visitas do suporte' },
      schema: { response: { 200: z.array(supportVisit) } },
    },
    ({ actor }) => listVisits(actor.tenantId),
  )
}

const noteExport = ({ userId }: Actor, query: PlatformAuditQuery) =>
  withPlatform('audit', (tx) => {
    const tenantId = query.tenantId ?? null
    return writePlatformAudit(tx, { userId, tenantId, action: 'audit.exported', details: daysOf(query) })
  })
