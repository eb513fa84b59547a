import { createHash } from 'node:crypto'
import { type ConsentOutcome, type consentReturn, integrations } from '@balcao/contract/core/integrations/index.ts'
import type { OAuth } from '@balcao/contract/core/providers/define.ts'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { withPlatform, withTenant } from '../../../db/database.ts'
import { oneTimeTokens } from '../../../db/schema/people/sessions.ts'
import { env } from '../../../env.ts'
import type { Actor } from '../../../kit/actor.ts'
import { hashToken, isSame, randomToken, seal, unseal } from '../../../kit/crypto.ts'
import { AppError } from '../../../kit/errors.ts'
import { announce } from '../../../kit/signals/signals.ts'
import { clientOf } from './clients.ts'
import { keepTokens } from './grants.ts'
import { type IntegrationRow, renewUsers } from './integrations.queries.ts'
import { requireIntegration, testIntegration } from './integrations.service.ts'
import { askForTokens } from './token-endpoint.ts'

const lifeMs = 10 * 60_000
const redirectUri = ({ returnPath }: OAuth) => env.PUBLIC_URL + returnPath
const details = z.object({
  tenantId: z.int(),
  integrationId: z.uuid(),
  verifier: z.string(),
  browser: z.string(),
  inWindow: z.boolean(),
})

/**
 * Where the account's owner consents. The state is used once, within ten minutes, by the browser that asked for it:
 * a link sent to somebody else would tie their account to our company.
 */
export const startConsent = async (actor: Actor, integrationId: string, { inWindow }: { inWindow: boolean }) => {
  const row = await requireIntegration(actor.tenantId, integrationId)
  const oauth = oauthOf(row)
  const { authorizeUrl, clientId } = clientOf(row)
  const [state, verifier, browser] = [randomToken(), randomToken(), randomToken()]
  await withPlatform('oauth state', (tx) =>
    tx.db.insert(oneTimeTokens).values({
      hash: hashToken(state),
      purpose: 'oauth',
      details: {
        tenantId: actor.tenantId,
        integrationId,
        verifier: seal(verifier, state),
        browser: hashToken(browser),
        inWindow,
      },
      expiresAt: new Date(Date.now() + lifeMs),
    }),
  )
  const url = new URL(authorizeUrl)
  const query = {
    ...oauth.extra,
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri(oauth),
    scope: oauth.scopes.join(' '),
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    // Both providers then offer this account first.
    login_hint: addressed.parse(row.config).from ?? '',
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return { url: url.href, browser }
}

/** The browser is back: with a code, or without one when the owner said no. */
export const finishConsent = async (
  { state, code }: z.output<typeof consentReturn>,
  browser: string,
): Promise<ConsentOutcome> => {
  const known = await useState(state)
  if (!known || !isSame(known.browser, hashToken(browser))) throw new AppError('ERR_OAUTH_STATE')
  const { tenantId, integrationId, inWindow } = known
  if (!code) return { integrationId, inWindow, isAuthorized: false }
  const row = await requireIntegration(tenantId, integrationId)
  const fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri(oauthOf(row)),
    code_verifier: unseal(known.verifier, state),
  }
  const granted = await askForTokens(clientOf(row), fields)
  if ('problem' in granted) throw new AppError('ERR_OAUTH_REFUSED')
  await keepTokens(row, granted.tokens)
  await withTenant(tenantId, (tx) => renewUsers(tx, integrationId))
  announce('sessions.changed')
  await testIntegration(tenantId, integrationId)
  return { integrationId, inWindow, isAuthorized: true }
}

const oauthOf = ({ kind }: IntegrationRow): OAuth => {
  const { oauth }: { oauth?: OAuth } = integrations[kind]
  if (!oauth) throw new AppError('ERR_NOT_FOUND')
  return oauth
}
const addressed = z.object({ from: z.string().optional() })

const useState = async (state: string) => {
  const [row] = await withPlatform('oauth state', (tx) =>
    tx.db
      .update(oneTimeTokens)
      .set({ usedAt: sql`now()` })
      .where(
        and(
          eq(oneTimeTokens.hash, hashToken(state)),
          eq(oneTimeTokens.purpose, 'oauth'),
          isNull(oneTimeTokens.usedAt),
          gt(oneTimeTokens.expiresAt, sql`now()`),
        ),
      )
      .returning({ details: oneTimeTokens.details }),
  )
  return row && details.parse(row.details)
}
