import { channelKinds } from '@balcao/contract/channels/index.ts'
import { tenantStatuses } from '@balcao/contract/core/tenant-status.ts'
import type { TenantSettings } from '@balcao/contract/people/settings.ts'
import type { MenuVisibility } from '@balcao/contract/permissions.ts'
import { foreignKey, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, updatedAt } from '../columns.ts'
import { files } from '../core/files.ts'

/** A company. Id 0 is the platform itself, home of the superadmins. */
export const tenants = pgTable(
  'tenants',
  {
    id: integer('id').primaryKey(),
    name: text('name').notNull(),
    status: text('status', { enum: tenantStatuses }).notNull().default('active'),
    identity: text('identity').notNull().default(''),
    timezone: text('timezone').notNull().default('America/Sao_Paulo'),
    maxUsers: integer('max_users').notNull().default(50),
    maxConnections: integer('max_connections').notNull().default(10),
    /** Kinds of channel it may add; null: every one. */
    allowedChannels: text('allowed_channels', { enum: channelKinds }).array(),
    maxContacts: integer('max_contacts'),
    maxStorageMb: integer('max_storage_mb'),
    menuVisibility: jsonb('menu_visibility').$type<MenuVisibility>().notNull().default({}),
    settings: jsonb('settings').$type<Partial<TenantSettings>>().notNull().default({}),
    logoMediaId: uuid('logo_media_id'),
    /** What decides about promised times changed then: those of active tickets are to be reckoned anew. */
    slaStaleAt: moment('sla_stale_at'),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [foreignKey({ columns: [t.id, t.logoMediaId], foreignColumns: [files.tenantId, files.id] })],
)

/** What the platform's own people did, across companies. */
export const platformAudit = pgTable(
  'platform_audit',
  {
    id: uuid('id').primaryKey(),
    at: createdAt(),
    userId: uuid('user_id'),
    subjectTenantId: integer('subject_tenant_id'),
    action: text('action').notNull(),
    details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
  },
  (t) => [uniqueIndex('platform_audit_recent').on(t.at, t.id)],
)
