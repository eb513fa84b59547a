import { hkdfSync } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { env } from '../../../env.ts'
import type { Actor } from '../../../kit/actor.ts'
import { canonical } from '../../../kit/crypto.ts'
import { AppError } from '../../../kit/errors.ts'
import { type Directory, findDirectory, invalidateDirectory, mayEnter } from '../../core/directory/directory.ts'

export const accessTokenS = 15 * 60
const key = Buffer.from(hkdfSync('sha256', env.APP_SECRET, '', 'access-token', 32))
const audience = 'balcao-access'

export type Claims = {
  tenantId: number
  userId: string
  tokenVersion: number
  sessionId: string
  impersonatorId: string | null
}

/** A signed access token, good for 15 minutes. */
export const issueAccessToken = (claims: Claims) =>
  new SignJWT({ t: claims.tenantId, v: claims.tokenVersion, f: claims.sessionId, i: claims.impersonatorId })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(claims.userId)
    .setAudience(audience)
    .setIssuedAt()
    .setNotBefore('0s')
    .setExpirationTime(`${accessTokenS}s`)
    .sign(key)

/** The person behind a token. Throws ERR_SESSION_EXPIRED, ERR_USER_BLOCKED or ERR_TENANT_INACTIVE. */
export const readActor = async (token: string): Promise<Actor> => actorOf(await readClaims(token))

/**
 * The person behind claims, as they are now: a blocked, changed or deleted one is refused although the signature
 * holds. Sockets, which outlive their token, ask again and again.
 */
export const actorOf = async (claims: Claims): Promise<Actor> => {
  const directory = await directoryFor(claims)
  const person = directory?.people.get(claims.userId)
  if (!directory || !person) throw new AppError('ERR_SESSION_EXPIRED')
  if (person.isBlocked) throw new AppError('ERR_USER_BLOCKED')
  // Before the session, which ended with it: who is locked out is told why, not to log in again.
  if (directory.status === 'closed' || (!claims.impersonatorId && !mayEnter(directory.status, person)))
    throw new AppError('ERR_TENANT_INACTIVE')
  if (person.tokenVersion !== claims.tokenVersion) throw new AppError('ERR_SESSION_EXPIRED')
  if (directory.endedSessions.has(claims.sessionId)) throw new AppError('ERR_SESSION_EXPIRED')
  if (claims.impersonatorId) await checkVisit(directory, claims.impersonatorId)
  return {
    tenantId: claims.tenantId,
    userId: person.id,
    name: person.name,
    email: person.email,
    profile: person.profile,
    isSupport: person.isSupport,
    queueIds: person.queueIds,
    permissions: person.permissions,
    sessionId: claims.sessionId,
    impersonatorId: claims.impersonatorId,
  }
}

/** The company as we know it; a token newer than our knowledge (another process issued it) proves that stale. */
const directoryFor = async (claims: Claims) => {
  const known = await findDirectory(claims.tenantId)
  const version = known?.people.get(claims.userId)?.tokenVersion
  if (version === undefined || version >= claims.tokenVersion) return known
  invalidateDirectory(claims.tenantId)
  return findDirectory(claims.tenantId)
}

/** A superadmin stays in a company while the company allows it and they are still a superadmin. */
const checkVisit = async (directory: Directory, superadminId: string) => {
  const platform = await findDirectory(0)
  const superadmin = platform?.people.get(superadminId)
  const isWelcome =
    directory.settings.allowImpersonation && superadmin?.permissions.has('tenants.impersonate') && !superadmin.isBlocked
  if (!isWelcome) throw new AppError('ERR_SESSION_EXPIRED')
}

/** Signatures already checked: the same token comes with every request of its 15 minutes. */
const checked = new Map<string, { claims: Claims; expiresAtS: number }>()
const maxChecked = 20_000

/** Whom a token names, by its signature and life alone. Throws ERR_SESSION_EXPIRED. */
export const readClaims = async (token: string): Promise<Claims> => {
  const nowS = Date.now() / 1_000
  const known = checked.get(token)
  if (known && known.expiresAtS > nowS) return known.claims
  try {
    const { payload } = await jwtVerify(canonical(token), key, { algorithms: ['HS256'], audience, clockTolerance: 5 })
    const { sub, t, v, f, i, exp } = payload
    if (typeof sub !== 'string' || typeof t !== 'number' || typeof v !== 'number' || typeof f !== 'string')
      throw new Error()
    const impersonatorId = typeof i === 'string' ? i : null
    const claims = { userId: sub, tenantId: t, tokenVersion: v, sessionId: f, impersonatorId }
    if (checked.size >= maxChecked) checked.clear()
    checked.set(token, { claims, expiresAtS: exp ?? nowS })
    return claims
  } catch {
    checked.delete(token)
    throw new AppError('ERR_SESSION_EXPIRED')
  }
}
