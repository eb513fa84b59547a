import { z } from 'zod'
import { id, moment, namedRef, pageQuery, queryFlag, queryList, tenantId } from '../common.ts'

/** Who changed what, as an administrator reads it. */
export const auditEntry = z.object({
  id,
  at: moment,
  action: z.string(),
  entity: z.string(),
  entityId: z.string(),
  user: namedRef.nullable(),
  /** Done by the platform's support inside this company. */
  isImpersonated: z.boolean(),
  /** Who of the support it was. */
  support: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  /** What the ids in this entry are called, as far as the company still knows them. */
  names: z.record(z.string(), z.string()),
})
export type AuditEntry = z.output<typeof auditEntry>

const period = { dateFrom: z.iso.date().optional(), dateTo: z.iso.date().optional() }
const paging = pageQuery.pick({ cursor: true, limit: true, pageNumber: true })

/** GET /audit: days of the company's calendar. */
export const auditQuery = paging.extend({
  ...period,
  entity: queryList(z.string().max(60)),
  entityId: z.string().max(60).optional(),
  userId: queryList(id),
  isImpersonated: queryFlag.optional(),
})
export type AuditQuery = z.output<typeof auditQuery>

/** What the platform's people did, in whichever company. */
export const platformAuditEntry = auditEntry.extend({
  tenant: z.object({ id: tenantId, name: z.string() }).nullable(),
})
export type PlatformAuditEntry = z.output<typeof platformAuditEntry>
/** GET /tenantsAudit: days in UTC. */
export const platformAuditQuery = paging.extend({ ...period, tenantId: z.coerce.number().int().min(1).optional() })
export type PlatformAuditQuery = z.output<typeof platformAuditQuery>

/** A superadmin who is inside the company now. */
export const supportVisit = z.object({ id, name: z.string(), startedAt: moment, endsAt: moment })
export type SupportVisit = z.output<typeof supportVisit>
