import type { TenantStatus } from '@balcao/contract/core/tenant-status.ts'
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { v7 } from 'uuid'
import { type Prepared, type Tx, withPlatform, withTenant } from '../../../db/database.ts'
import { refreshTokens } from '../../../db/schema/people/sessions.ts'
import { users } from '../../../db/schema/people/users.ts'
import { tenants } from '../../../db/schema/platform/companies.ts'
import { hashToken, randomToken } from '../../../kit/crypto.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { announce } from '../../../kit/signals/signals.ts'
import { findDirectory, invalidateDirectory, mayEnter } from '../../core/directory/directory.ts'
import { inTenant } from '../../core/platform-audit/platform-audit.ts'
import type { Claims } from './access-token.ts'
import { isWithinAllowedHours } from './allowed-hours.ts'
import { endVisit } from './visits.ts'

/** A session unused for this long is over. */
const lifeMs = 30 * 24 * 60 * 60_000
/** A superadmin's visit to a company is short and not prolonged by use. */
const visitMs = 60 * 60_000
/** Two tabs of one browser refresh with the same cookie: honest, when it happens at nearly the same time. */
const graceMs = 10_000

export type OpenSession = { claims: Claims; refreshToken: string; expiresAt: Date }

/** Begins a session: a family of refresh tokens, of which each is used once. */
export const openSession = (tx: Tx, user: { id: string; tokenVersion: number }, impersonatorId: string | null = null) =>
  addToken(tx, {
    familyId: v7(),
    userId: user.id,
    tokenVersion: user.tokenVersion,
    impersonatorId,
    expiresAt: new Date(Date.now() + (impersonatorId ? visitMs : lifeMs)),
  })

type Family = { familyId: string; userId: string; tokenVersion: number; impersonatorId: string | null; expiresAt: Date }

const addToken = async (tx: Tx, family: Family): Promise<OpenSession> => {
  const refreshToken = `${tx.tenantId}.${randomToken()}`
  const { tenantId } = tx
  const { familyId, userId, tokenVersion, impersonatorId, expiresAt } = family
  await tx.db
    .insert(refreshTokens)
    .values({ tenantId, familyId, userId, tokenVersion, impersonatorId, expiresAt, hash: hashToken(refreshToken) })
  return { claims: { tenantId, userId, tokenVersion, sessionId: familyId, impersonatorId }, refreshToken, expiresAt }
}

/**
 * Exchanges a refresh token for the next of its family. One that was exchanged before ends the family, unless that
 * was a moment ago. Throws ERR_SESSION_EXPIRED, ERR_USER_BLOCKED, ERR_TENANT_INACTIVE or OUT_RANGE.
 */
export const renewSession = async (refreshToken: string): Promise<OpenSession> => {
  const outcome = await withHome(tenantOf(refreshToken), async (tx): Promise<OpenSession | AppError> => {
    const token = await lockToken(tx, refreshToken)
    if (!token) return new AppError('ERR_SESSION_EXPIRED')
    const { user } = token
    if (user.isBlocked || user.deletedAt) return new AppError('ERR_USER_BLOCKED')
    if (!token.impersonatorId && (await isLockedOut(tx.tenantId, user.tenantStatus, token.userId)))
      return new AppError('ERR_TENANT_INACTIVE')
    if (token.revokedAt || token.expiresAt <= new Date()) return new AppError('ERR_SESSION_EXPIRED')
    if (token.rotatedAt && Date.now() - token.rotatedAt.getTime() > graceMs) {
      await revokeFamily(tx, token.familyId)
      log.warn({ tenantId: tx.tenantId, userId: token.userId, sessionId: token.familyId }, 'refresh token used twice')
      return new AppError('ERR_SESSION_EXPIRED')
    }
    if (user.tokenVersion !== token.tokenVersion) return new AppError('ERR_SESSION_EXPIRED')
    if (!token.impersonatorId && !isWithinAllowedHours(user, user.timezone)) return new AppError('OUT_RANGE')

    if (!token.rotatedAt) {
      await tx.db
        .update(refreshTokens)
        .set({ rotatedAt: new Date() })
        .where(and(eq(refreshTokens.tenantId, tx.tenantId), eq(refreshTokens.id, token.id)))
    }
    return addToken(tx, { ...token, expiresAt: token.impersonatorId ? token.expiresAt : new Date(Date.now() + lifeMs) })
  })
  if (outcome instanceof AppError) throw outcome // after the commit: a family that ended stays ended
  return outcome
}

/** Some of the platform's people have their password in a company, which only the platform's role sees from there. */
const withHome = <T>(tenantId: number, work: (tx: Tx) => Promise<T>) =>
  tenantId === 0 ? withPlatform('sessions', (tx) => work(inTenant(tx, 0))) : withTenant(tenantId, work)
/** Of a suspended company only its administrators may enter. */
export const isLockedOut = async (tenantId: number, status: TenantStatus, userId: string) => {
  if (status === 'active') return false
  invalidateDirectory(tenantId) // as it is now
  return !mayEnter(status, (await findDirectory(tenantId))?.people.get(userId))
}
const home = alias(users, 'home')

const lockToken = async (tx: Tx, refreshToken: string) => {
  const [found] = await tx.db
    .select({
      id: refreshTokens.id,
      familyId: refreshTokens.familyId,
      userId: refreshTokens.userId,
      tokenVersion: refreshTokens.tokenVersion,
      impersonatorId: refreshTokens.impersonatorId,
      expiresAt: refreshTokens.expiresAt,
      rotatedAt: refreshTokens.rotatedAt,
      revokedAt: refreshTokens.revokedAt,
      user: {
        isBlocked: sql<boolean>`${users.isBlocked} or coalesce(${home.isBlocked}, false)`,
        deletedAt: sql<Date | null>`coalesce(${users.deletedAt}, ${home.deletedAt})`,
        tokenVersion: sql`${users.tokenVersion} + coalesce(${home.tokenVersion}, 0)`.mapWith(Number),
        allowedHours: users.allowedHours,
        tenantStatus: tenants.status,
        timezone: tenants.timezone,
      },
    })
    .from(refreshTokens)
    .innerJoin(users, and(eq(users.tenantId, refreshTokens.tenantId), eq(users.id, refreshTokens.userId)))
    .innerJoin(tenants, eq(tenants.id, refreshTokens.tenantId))
    .leftJoin(home, and(eq(home.tenantId, users.homeTenantId), eq(home.id, users.id)))
    .where(and(eq(refreshTokens.tenantId, tx.tenantId), eq(refreshTokens.hash, hashToken(refreshToken))))
    .for('update', { of: refreshTokens })
  return found
}

/** Whose session this is, as long as it can still be renewed. */
export const findSession = (tenantId: number, sessionId: string): Promise<Claims | undefined> =>
  withTenant(tenantId, async (tx) => {
    const [session] = await tx.rows<Pick<Claims, 'userId' | 'tokenVersion' | 'impersonatorId'>>(livingToken, [
      tenantId,
      sessionId,
    ])
    return session && { ...session, tenantId, sessionId }
  })
const livingToken: Prepared = {
  name: 'session_living',
  text: `select user_id as "userId", token_version as "tokenVersion", impersonator_id as "impersonatorId"
    from refresh_tokens where tenant_id = $1 and family_id = $2 and revoked_at is null and rotated_at is null
      and expires_at > now() limit 1`,
}

/** Ends the session a refresh token belongs to; whose it was, or undefined when it was no session of ours. */
export const closeSession = async (refreshToken: string) =>
  withTenant(tenantOf(refreshToken), async (tx) => {
    const token = await lockToken(tx, refreshToken)
    if (!token) return undefined
    await revokeFamily(tx, token.familyId)
    if (token.impersonatorId) await endVisit(tx, token.userId, token.impersonatorId)
    return { tenantId: tx.tenantId, userId: token.userId, impersonatorId: token.impersonatorId }
  })

/** Ends one session, known by its access token. */
export const endSession = (tenantId: number, sessionId: string) =>
  withTenant(tenantId, (tx) => revokeFamily(tx, sessionId))

/** The family's tokens that could still be exchanged; the older ones are spent already. */
const revokeFamily = async (tx: Tx, familyId: string) => {
  const living = and(
    eq(refreshTokens.tenantId, tx.tenantId),
    eq(refreshTokens.familyId, familyId),
    isNull(refreshTokens.revokedAt),
    or(isNull(refreshTokens.rotatedAt), gt(refreshTokens.rotatedAt, new Date(Date.now() - 2 * graceMs))),
  )
  // First wait for an exchange that is under way, then see the token it made.
  await tx.db.select({ id: refreshTokens.id }).from(refreshTokens).where(living).for('update')
  await tx.db.update(refreshTokens).set({ revokedAt: new Date() }).where(living)
  tx.afterCommit(() => invalidateDirectory(tx.tenantId))
}

/** Ends every session of a person, tokens and sockets: they have another password, were blocked or deleted. */
export const endSessions = async (tx: Tx, userId: string) => {
  await tx.db
    .update(users)
    .set({ tokenVersion: sql`${users.tokenVersion} + 1` })
    .where(and(eq(users.tenantId, tx.tenantId), eq(users.id, userId)))
  await tx.db
    .update(refreshTokens)
    .set({ revokedAt: new Date() })
    .where(
      and(
        eq(refreshTokens.tenantId, tx.tenantId),
        eq(refreshTokens.userId, userId),
        isNull(refreshTokens.revokedAt),
        isNull(refreshTokens.rotatedAt),
      ),
    )
  closeWindows(tx)
}

/** Ends every session of a company. */
export const endTenantSessions = async (tx: Tx) => {
  await tx.db
    .update(users)
    .set({ tokenVersion: sql`${users.tokenVersion} + 1` })
    .where(and(eq(users.tenantId, tx.tenantId), isNull(users.deletedAt)))
  await tx.db
    .update(refreshTokens)
    .set({ revokedAt: new Date() })
    .where(
      and(eq(refreshTokens.tenantId, tx.tenantId), isNull(refreshTokens.revokedAt), isNull(refreshTokens.rotatedAt)),
    )
  closeWindows(tx)
}

/** Each process asks its open windows whose session still holds: one that was opened since then stays. */
const closeWindows = (tx: Tx) =>
  tx.afterCommit(() => {
    invalidateDirectory(tx.tenantId)
    announce('sessions.ended', { tenantId: tx.tenantId })
  })

/** `<tenant>.<random>`: a token names its company, so that it is looked for there only. */
export const tenantOf = (token: string) => {
  const tenant = /^(\d{1,9})\.[\w-]{20,}$/.exec(token)?.[1]
  if (tenant === undefined) throw new AppError('ERR_SESSION_EXPIRED')
  return Number(tenant)
}
