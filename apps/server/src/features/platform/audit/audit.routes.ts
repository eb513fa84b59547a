import { pageOf } from '@balcao/contract/common.ts'
import {
  type AuditEntry,
  auditEntry,
  auditQuery,
  type PlatformAuditEntry,
  platformAuditEntry,
  platformAuditQuery,
  supportVisit,
} from '@balcao/contract/platform/audit.ts'
import { auditAction, auditChanges, auditEntities, auditSubject } from '@balcao/contract/platform/audit-words.ts'
import { z } from 'zod'
import { withPlatform, withTenant } from '../../../db/database.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { type CsvColumn, csvHeaders } from '../../../kit/csv.ts'
import { csvPages } from '../../../kit/csv-pages.ts'
import type { Routes } from '../../../kit/http.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { writePlatformAudit } from '../../core/platform-audit/platform-audit.ts'
import { listVisits } from '../../people/auth/visits.ts'
import { listAudit, listPlatformAudit } from './audit.queries.ts'

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
      await withTenant(actor.tenantId, (tx) =>
        writeAudit(tx, actor, { action: 'audit.exported', entity: 'audit', entityId: '', after: daysOf(query) }),
      )
      const { timezone } = await getDirectory(actor.tenantId)
      const lines = await csvPages(actor.tenantId, columnsIn(timezone), (page) =>
        listAudit(actor.tenantId, { ...query, ...page }),
      )
      return reply.headers(csvHeaders('auditoria')).send(lines)
    },
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
      await withPlatform('audit', (tx) =>
        writePlatformAudit(tx, {
          userId: actor.userId,
          tenantId: query.tenantId ?? null,
          action: 'audit.exported',
          details: daysOf(query),
        }),
      )
      const company: CsvColumn<PlatformAuditEntry> = { label: 'Empresa', value: (row) => row.tenant?.name }
      const columns = [company, ...columnsIn('America/Sao_Paulo')]
      const lines = await csvPages(actor.tenantId, columns, (page) => listPlatformAudit({ ...query, ...page }))
      return reply.headers(csvHeaders('auditoria-da-plataforma')).send(lines)
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

/** The days alone: whatever else was asked for is the asker's word, and no fact to keep. */
const daysOf = ({ dateFrom, dateTo }: { dateFrom?: string; dateTo?: string }) => ({ dateFrom, dateTo })

const columnsIn = (timeZone: string): CsvColumn<AuditEntry>[] => {
  const moment = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'medium', timeZone })
  return [
    { label: 'Quando', value: (row) => moment.format(new Date(row.at)).replace(',', '') },
    { label: 'Quem', value: (row) => row.user?.name ?? (row.support || row.isImpersonated ? '' : 'Sistema') },
    { label: 'Suporte', value: (row) => row.support },
    { label: 'Ação', value: (row) => auditAction(row.action) },
    { label: 'O quê', value: (row) => auditEntities[row.entity] ?? row.entity },
    { label: 'Nome', value: auditSubject },
    {
      label: 'Mudanças',
      value: (row) =>
        auditChanges(row)
          .map(({ label, before, after }) =>
            before === null ? `${label}: ${after}` : `${label}: ${before || 'vazio'} → ${after || 'vazio'}`,
          )
          .join(' | '),
    },
  ]
}
