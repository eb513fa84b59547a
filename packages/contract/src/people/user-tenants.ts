import { z } from 'zod'
import { email, id, pageQuery, personName, queryFlag, queryList, tenantId } from '../common.ts'
import { tenantStatuses } from '../core/tenant-status.ts'
import { encryptedPassword, user, userDelete, userWork } from './users.ts'

/** A company, named explicitly; the platform's own people (0) are not administered here. */
const company = tenantId.min(1, 'Escolha a empresa.')
const companyProfile = z.enum(['user', 'super', 'admin'])

/** A person of any company, as the superadmin sees them. */
export const userTenant = user
  .pick({
    id: true,
    version: true,
    createdAt: true,
    updatedAt: true,
    name: true,
    email: true,
    profile: true,
    role: true,
    isSupport: true,
    isBlocked: true,
    isOnline: true,
    lastLoginAt: true,
  })
  .extend({ tenantId, tenant: z.object({ id: tenantId, name: z.string(), status: z.enum(tenantStatuses) }) })
export type UserTenant = z.output<typeof userTenant>

const fields = z.object({
  name: personName,
  email,
  profile: companyProfile,
  /** Only a superadmin sets it. */
  isSupport: z.boolean(),
  isBlocked: z.boolean(),
})
export const userTenantCreate = fields.extend({
  tenantId: company,
  isSupport: z.boolean().default(false),
  isBlocked: z.boolean().default(false),
  /** Encrypted, here and below. */
  password: encryptedPassword,
})
export const userTenantUpdate = fields.partial().extend({
  tenantId: company,
  version: z.int().optional(),
  password: encryptedPassword.optional(),
  handOverTo: userDelete.shape.handOverTo.optional(),
})
export const userTenantDelete = userDelete.extend({ tenantId: company })
/** GET /userTenants/{id}/work: what would wait for somebody else, and who could take it. */
export const userTenantWorkQuery = z.object({ tenantId: z.coerce.number().int().min(1) })
export const userTenantWork = userWork.extend({ people: z.array(z.object({ id, name: z.string() })) })
export type UserTenantWork = z.output<typeof userTenantWork>
export type UserTenantCreate = z.output<typeof userTenantCreate>
export type UserTenantUpdate = z.output<typeof userTenantUpdate>

export const userTenantsQuery = pageQuery.extend({
  tenantId: z.coerce.number().int().min(1).optional(),
  /** One person, where a link names them. */
  id: id.optional(),
  profile: queryList(companyProfile),
  isSupport: queryFlag.optional(),
})
