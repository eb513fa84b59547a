import { z } from 'zod'
import { id, moment, namedRef, pageQuery } from './common.ts'

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
  before: z.unknown(),
  after: z.unknown(),
})
export type AuditEntry = z.output<typeof auditEntry>
export const auditQuery = pageQuery.pick({ cursor: true, limit: true, pageNumber: true }).extend({
  entity: z.string().max(60).optional(),
  entityId: z.string().max(60).optional(),
  userId: id.optional(),
})
export type AuditQuery = z.output<typeof auditQuery>
