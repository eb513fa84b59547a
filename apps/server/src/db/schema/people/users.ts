import type { BusinessDay } from '@balcao/contract/core/business-hours.ts'
import { availabilities, type UserConfigs } from '@balcao/contract/people/users.ts'
import { type MenuVisibility, type Permission, profiles } from '@balcao/contract/permissions.ts'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantTable, updatedAt } from '../columns.ts'

/** A profile that the company made: its name and what it grants. */
export const roles = tenantTable(
  'roles',
  {
    name: text('name').notNull(),
    permissions: jsonb('permissions').$type<Permission[]>().notNull(),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex('roles_name').on(t.tenantId, sql`lower(${t.name})`)],
)

export const users = tenantTable(
  'users',
  {
    name: text('name').notNull(),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    profile: text('profile', { enum: profiles }).notNull(),
    /** A role of the company's own; `profile` is then the one it comes nearest to. */
    roleId: uuid('role_id'),
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
    index('users_of_role').on(t.tenantId, t.roleId).where(sql`${t.roleId} is not null`),
    refers(t, t.roleId, () => roles),
  ],
)

/** What people did when: at work, away and why, gone. The open one is what they do now. */
export const agentStates = tenantTable(
  'agent_states',
  {
    userId: uuid('user_id').notNull(),
    state: text('state', { enum: availabilities }).notNull(),
    /** Of `away`. */
    reason: text('reason'),
    startedAt: moment('started_at').notNull(),
    endedAt: moment('ended_at'),
  },
  (t) => [
    check('agent_states_reason', sql`(${t.state} = 'away') = (${t.reason} is not null)`),
    uniqueIndex('agent_states_now').on(t.tenantId, t.userId).where(sql`${t.endedAt} is null`),
    index('agent_states_of_user').on(t.tenantId, t.userId, t.startedAt),
    refers(t, t.userId, () => users, 'cascade'),
  ],
)
