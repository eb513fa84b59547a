import { familyNames, integrationKinds, integrationStates } from '@balcao/contract/core/integrations/index.ts'
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantTable, updatedAt } from '../columns.ts'

/** An account of the company at somebody who is no channel. Secret fields of `config` are stored sealed (kit/crypto). */
export const integrations = tenantTable(
  'integrations',
  {
    family: text('family', { enum: familyNames }).notNull(),
    kind: text('kind', { enum: integrationKinds }).notNull(),
    name: text('name').notNull(),
    config: jsonb('config').$type<Record<string, unknown>>().notNull(),
    state: text('state', { enum: integrationStates }).notNull().default('unchecked'),
    stateText: text('state_text'),
    checkedAt: moment('checked_at'),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('integrations_name').on(t.tenantId, sql`lower(${t.name})`),
    uniqueIndex('integrations_gateway').on(t.tenantId, t.kind).where(sql`${t.family} = 'gateway'`),
    index('integrations_family').on(t.tenantId, t.family, t.createdAt),
  ],
)

/** The consent of an account's owner (OAuth 2): its tokens, sealed. Whoever holds `refreshing_until` asks for new ones. */
export const oauthGrants = tenantTable(
  'oauth_grants',
  {
    integrationId: uuid('integration_id').notNull(),
    tokens: text('tokens').notNull(),
    expiresAt: moment('expires_at').notNull(),
    refreshingUntil: moment('refreshing_until'),
    revokedAt: moment('revoked_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('oauth_grants_owner').on(t.tenantId, t.integrationId),
    refers(t, t.integrationId, () => integrations, 'cascade'),
  ],
)
