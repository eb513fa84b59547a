import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantTable } from '../columns.ts'
import { users } from './users.ts'

/** Counters of attempts in a window, by scope and key; holds under parallel attempts because the row does. */
export const attempts = pgTable(
  'attempts',
  {
    scope: text('scope').notNull(),
    key: text('key').notNull(),
    count: integer('count').notNull(),
    windowEndsAt: moment('window_ends_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.scope, t.key] }), index('attempts_expired').on(t.windowEndsAt)],
)

/** One-time secrets of the platform: installation link, impersonation codes. Only hashes are stored. */
export const oneTimeTokens = pgTable(
  'one_time_tokens',
  {
    hash: text('hash').primaryKey(),
    purpose: text('purpose', { enum: ['setup', 'impersonation', 'oauth'] }).notNull(),
    details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
    createdAt: createdAt(),
  },
  (t) => [index('one_time_tokens_expiry').on(t.expiresAt)],
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
