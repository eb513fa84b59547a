import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { oauthGrants } from '../../../db/schema/core/integrations.ts'
import { seal, unseal } from '../../../kit/crypto.ts'
import { AppError } from '../../../kit/errors.ts'
import { clientOf } from './clients.ts'
import type { IntegrationRow } from './integrations.queries.ts'
import { askForTokens, type Tokens } from './token-endpoint.ts'

/** Renewed this long before it ends, so that it does not end on its way. */
const earlyMs = 60_000
const waitMs = 200
const waitAtMost = 150

const stored = z.object({ access: z.string(), refresh: z.string().optional() })

/**
 * The access token of whoever consented. One process at a time asks for a new one, the others wait for it: many providers
 * take a refresh token once, and a second use of it ends the consent. `refused`: the provider no longer takes this one.
 */
export const accessTokenOf = async (row: IntegrationRow, refused?: string): Promise<string> => {
  for (let left = waitAtMost; left > 0; left -= 1) {
    const grant = await findGrant(row)
    if (!grant) throw new AppError('ERR_NOT_AUTHORIZED_YET')
    if (grant.revokedAt) throw new AppError('ERR_AUTHORIZATION_LOST')
    const { access, refresh } = stored.parse(JSON.parse(unseal(grant.tokens, row.id)))
    const leftMs = access === refused ? 0 : grant.expiresAt.getTime() - Date.now()
    if (leftMs > earlyMs) return access
    if (!refresh) {
      if (leftMs > 0) return access
      await markRevoked(row)
      throw new AppError('ERR_AUTHORIZATION_LOST')
    }
    if (await takeTurn(row, grant.expiresAt)) return renew(row, refresh, leftMs > 0 ? access : undefined)
    await sleep(waitMs)
  }
  throw new AppError('ERR_OAUTH_REFUSED')
}

const renew = async (row: IntegrationRow, refresh: string, stillGood: string | undefined): Promise<string> => {
  const granted = await askForTokens(clientOf(row), { grant_type: 'refresh_token', refresh_token: refresh })
  if ('tokens' in granted) {
    await keepTokens(row, { ...granted.tokens, refresh: granted.tokens.refresh ?? refresh })
    return granted.tokens.access
  }
  if (granted.problem === 'lost') {
    await markRevoked(row)
    throw new AppError('ERR_AUTHORIZATION_LOST')
  }
  await withTenant(row.tenantId, (tx) => tx.db.update(oauthGrants).set({ refreshingUntil: null }).where(of(row)))
  if (stillGood) return stillGood
  throw new AppError('ERR_OAUTH_REFUSED')
}

/** A fresh consent, or a renewed one. */
export const keepTokens = async (row: IntegrationRow, { access, refresh, expiresAt }: Tokens) => {
  const kept = { tokens: seal(JSON.stringify({ access, refresh }), row.id), expiresAt }
  const fresh = { ...kept, refreshingUntil: null, revokedAt: null, updatedAt: new Date() }
  await withTenant(row.tenantId, (tx) =>
    tx.db
      .insert(oauthGrants)
      .values({ tenantId: row.tenantId, integrationId: row.id, ...fresh })
      .onConflictDoUpdate({ target: [oauthGrants.tenantId, oauthGrants.integrationId], set: fresh }),
  )
}

const of = ({ tenantId, id }: IntegrationRow) =>
  and(eq(oauthGrants.tenantId, tenantId), eq(oauthGrants.integrationId, id))

const findGrant = (row: IntegrationRow) =>
  withTenant(row.tenantId, async (tx) => {
    const [grant] = await tx.db.select().from(oauthGrants).where(of(row))
    return grant
  })

const takeTurn = (row: IntegrationRow, seen: Date) =>
  withTenant(row.tenantId, async (tx) => {
    const isFree = or(isNull(oauthGrants.refreshingUntil), lt(oauthGrants.refreshingUntil, sql`now()`))
    const taken = await tx.db
      .update(oauthGrants)
      .set({ refreshingUntil: sql`now() + interval '30 seconds'` })
      .where(and(of(row), eq(oauthGrants.expiresAt, seen), isFree))
      .returning({ id: oauthGrants.id })
    return taken.length > 0
  })

const markRevoked = (row: IntegrationRow) =>
  withTenant(row.tenantId, (tx) => tx.db.update(oauthGrants).set({ revokedAt: new Date() }).where(of(row)))
