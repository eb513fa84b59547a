import { z } from 'zod'
import { channelKinds } from '../channels/index.ts'
import { email, moment, pageQuery, personName, tenantId, timezone } from '../common.ts'
import { tenantStatuses } from '../core/tenant-status.ts'
import { isIdentity, plainIdentity } from '../identity.ts'
import { encryptedPassword, menuPermissions } from '../people/users.ts'

const tenantFields = z.object({
  name: z.string().trim().min(2, 'Informe o nome da empresa.').max(120, 'Use no máximo 120 caracteres.'),
  identity: z
    .string()
    .trim()
    .refine((text) => text === '' || isIdentity(text), 'Este CNPJ ou CPF não confere. Confira os números.')
    .transform(plainIdentity),
  timezone,
  maxUsers: z.int().min(1).max(100_000),
  maxConnections: z.int().min(0).max(10_000),
  /** Kinds of channel it may add; null: every one. Those it has stay. */
  allowedChannels: z.array(z.enum(channelKinds)).nullable(),
  /** Both null where there is no limit. Customers who write are never turned away. */
  maxContacts: z.int().min(0).max(100_000_000).nullable(),
  maxStorageMb: z.int().min(0).max(100_000_000).nullable(),
  menuVisibility: menuPermissions,
})
export const tenant = tenantFields.extend({
  identity: z.string(),
  id: tenantId,
  status: z.enum(tenantStatuses),
  version: z.int(),
  usersCount: z.int(),
  connectionsCount: z.int(),
  createdAt: moment,
  updatedAt: moment,
})
export type Tenant = z.output<typeof tenant>
export const tenantCreate = tenantFields.extend({
  identity: tenantFields.shape.identity.default(''),
  timezone: timezone.default('America/Sao_Paulo'),
  maxUsers: tenantFields.shape.maxUsers.default(50),
  maxConnections: tenantFields.shape.maxConnections.default(10),
  allowedChannels: tenantFields.shape.allowedChannels.default(null),
  maxContacts: tenantFields.shape.maxContacts.default(null),
  maxStorageMb: tenantFields.shape.maxStorageMb.default(null),
  menuVisibility: menuPermissions.default({}),
  adminName: personName,
  adminEmail: email,
  adminPassword: encryptedPassword,
})
export const tenantUpdate = tenantFields
  .partial()
  .extend({ status: z.enum(tenantStatuses).optional(), version: z.int().optional() })
export const tenantsQuery = pageQuery.extend({ status: z.enum(tenantStatuses).optional() })
export const impersonateBody = z.object({ reason: z.string().trim().min(5, 'Descreva o motivo.').max(300) })
export const impersonateAnswer = z.object({ code: z.string(), url: z.string(), expiresAt: moment })
export type TenantCreate = z.output<typeof tenantCreate>
export type TenantUpdate = z.output<typeof tenantUpdate>
