import type { BusinessDay } from '@balcao/contract/core/business-hours.ts'
import type { UserConfigs } from '@balcao/contract/people/users.ts'
import type { MenuVisibility } from '@balcao/contract/permissions.ts'
import { profiles } from '@balcao/contract/permissions.ts'
import { distributions } from '@balcao/contract/service/queues.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantLink, tenantTable, updatedAt } from './columns.ts'

export const users = tenantTable(
  'users',
  {
    name: text('name').notNull(),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    profile: text('profile', { enum: profiles }).notNull(),
    isSupport: boolean('is_support').notNull().default(false),
    isBlocked: boolean('is_blocked').notNull().default(false),
    isOnline: boolean('is_online').notNull().default(false),
    /** Away by their own word, since when and why. */
    awaySince: moment('away_since'),
    awayReason: text('away_reason'),
    /** Conversations at a time that distribution may hand over; null: no limit. */
    capacity: integer('capacity'),
    configs: jsonb('configs').$type<Partial<UserConfigs>>().notNull().default({}),
    menuPermissions: jsonb('menu_permissions').$type<MenuVisibility>().notNull().default({}),
    allowedHours: jsonb('allowed_hours').$type<BusinessDay[]>().notNull().default([]),
    /** Every token and socket carries it; raising it ends them all. */
    tokenVersion: integer('token_version').notNull().default(1),
    version: integer('version').notNull().default(1),
    lastLoginAt: moment('last_login_at'),
    /**
     * Of the platform's people: the company in which they are somebody too, under the same id. Name, e-mail and password
     * are those of there; null: they have their own here.
     */
    homeTenantId: integer('home_tenant_id'),
    /** Kept for history; a deleted user cannot log in and is not listed. */
    deletedAt: moment('deleted_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    // Log-in knows only the e-mail, so it is unique across companies; it alone does not begin with the tenant.
    uniqueIndex('users_email').on(t.email).where(sql`${t.deletedAt} is null and ${t.homeTenantId} is null`),
    index('users_by_name').on(t.tenantId, t.name, t.id),
  ],
)

export const queues = tenantTable(
  'queues',
  {
    name: text('name').notNull(),
    color: text('color').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    /** How waiting conversations find a person. */
    distribution: text('distribution', { enum: distributions }).notNull().default('none'),
    /** Minutes a person has to accept what they were handed before it goes to the next; null: for ever. */
    acceptWithin: integer('accept_within'),
    /** Its own hours; empty: the company's. */
    businessHours: jsonb('business_hours').$type<BusinessDay[]>().notNull().default([]),
    /** Its own words for closed hours; empty: the company's. */
    absenceMessage: text('absence_message').notNull().default(''),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex('queues_name').on(t.tenantId, sql`lower(${t.name})`)],
)

export const queueMembers = tenantLink(
  'queue_members',
  {
    queueId: uuid('queue_id').notNull(),
    userId: uuid('user_id').notNull(),
    /** When distribution last handed them one: the turn goes to whoever waits longest. */
    lastAssignedAt: moment('last_assigned_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.queueId, t.userId] }),
    refers(t, t.queueId, () => queues, 'cascade'),
    refers(t, t.userId, () => users, 'cascade'),
    index('queue_members_user').on(t.tenantId, t.userId),
  ],
)

/** When people stepped away, and why. */
export const agentPauses = tenantTable(
  'agent_pauses',
  {
    userId: uuid('user_id').notNull(),
    reason: text('reason').notNull(),
    startedAt: moment('started_at').notNull(),
    endedAt: moment('ended_at'),
  },
  (t) => [
    uniqueIndex('agent_pauses_now').on(t.tenantId, t.userId).where(sql`${t.endedAt} is null`),
    index('agent_pauses_of_user').on(t.tenantId, t.userId, t.startedAt),
    refers(t, t.userId, () => users, 'cascade'),
  ],
)

/** A refresh token: opaque, stored hashed, rotated on each use inside its family. */
export const refreshTokens = tenantTable(
  'refresh_tokens',
  {
    familyId: uuid('family_id').notNull(),
    userId: uuid('user_id').notNull(),
    hash: text('hash').notNull(),
    tokenVersion: integer('token_version').notNull(),
    /** The superadmin behind an impersonated session. */
    impersonatorId: uuid('impersonator_id'),
    expiresAt: moment('expires_at').notNull(),
    rotatedAt: moment('rotated_at'),
    revokedAt: moment('revoked_at'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('refresh_tokens_hash').on(t.tenantId, t.hash),
    index('refresh_tokens_family').on(t.tenantId, t.familyId),
    index('refresh_tokens_user').on(t.tenantId, t.userId),
    index('refresh_tokens_revoked').on(t.tenantId, t.revokedAt).where(sql`${t.revokedAt} is not null`),
    index('refresh_tokens_visits').on(t.tenantId, t.expiresAt).where(sql`${t.impersonatorId} is not null`),
    refers(t, t.userId, () => users, 'cascade'),
  ],
)

export const resetTokens = tenantTable(
  'reset_tokens',
  {
    userId: uuid('user_id').notNull(),
    hash: text('hash').notNull(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('reset_tokens_hash').on(t.tenantId, t.hash),
    index('reset_tokens_user').on(t.tenantId, t.userId),
    refers(t, t.userId, () => users, 'cascade'),
  ],
)

/** Who changed what: one row per write of an administrable thing. */
export const audit = tenantTable(
  'audit',
  {
    at: createdAt(),
    userId: uuid('user_id'),
    impersonatorId: uuid('impersonator_id'),
    action: text('action').notNull(),
    entity: text('entity').notNull(),
    entityId: text('entity_id').notNull(),
    before: jsonb('before').$type<unknown>(),
    after: jsonb('after').$type<unknown>(),
  },
  (t) => [
    index('audit_recent').on(t.tenantId, t.at, t.id),
    index('audit_user').on(t.tenantId, t.userId, t.at, t.id),
    index('audit_entity').on(t.tenantId, t.entity, t.entityId, t.at),
  ],
)
