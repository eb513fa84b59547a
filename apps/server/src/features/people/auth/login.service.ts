import type { BusinessDay } from '@balcao/contract/core/business-hours.ts'
import type { TenantStatus } from '@balcao/contract/core/tenant-status.ts'
import { and, eq } from 'drizzle-orm'
import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import { users } from '../../../db/schema/people/users.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { invalidateDirectory } from '../../core/directory/directory.ts'
import { isWithinAllowedHours } from './allowed-hours.ts'
import { addressKey, clearAttempts, isFirstUse, type Limit, reserveAttempt, returnAttempt } from './attempts.ts'
import { isKnownDevice } from './known-device.ts'
import { decryptPassword } from './login-key.ts'
import { isPassword } from './passwords.ts'
import { findPlatformProfile, openProfile } from './profiles.ts'
import { isLockedOut, type OpenSession, openSession } from './sessions.ts'
import { type Turns, takeTurn } from './turns.ts'
import { warnOfGuesses } from './warning-mail.ts'

const minuteS = 60
const addressLimit = (ip: string): Limit => ({ scope: 'login:address', key: addressKey(ip), max: 30, windowS: minuteS })

/** A known device counts by itself; strangers count by where they are, then all together. */
export const turnsAt = (account: { email: string; ip: string; device?: string }): Turns[] =>
  account.device
    ? [{ scope: 'login:device', key: account.device, free: 5 }]
    : [
        { scope: 'login:account-address', key: `${account.email} ${addressKey(account.ip)}`, free: 5 },
        { scope: 'login:account', key: account.email, free: 20 },
      ]

type Attempt = { email: string; password: string; ip: string; device?: string }

/**
 * Proves who calls and begins a session. An unknown e-mail and a wrong password get the same answer after the same work;
 * what else stands in the way is told only to who knows the password.
 */
export const logIn = async (attempt: Attempt): Promise<{ session: OpenSession; user: Found }> => {
  const user = await findUserByEmail(attempt.email)
  const device = user && attempt.device && isKnownDevice(user, attempt.device) ? attempt.device : undefined
  const ofAddress = device ? [] : [addressLimit(attempt.ip)]
  const exceeded = ofAddress.length ? await reserveAttempt(ofAddress) : undefined
  if (exceeded) throw tooMany(exceeded.retryAfterS)
  const turns = turnsAt({ ...attempt, device })
  const isLastFree = await takeTurns(turns)

  const password = decryptPassword(attempt.password)
  const matches = await isPassword(user?.passwordHash, password)
  if (!user || !matches) {
    if (isLastFree && user) warnLater(user, attempt.email)
    throw new AppError('ERR_INVALID_CREDENTIALS')
  }
  if (!(await isFirstUse(sealedScope, attempt.password, sealedDays))) throw new AppError('ERR_INVALID_CREDENTIALS')

  const [own, ...shared] = turns
  if (own) await clearAttempts([own])
  await returnAttempt([...shared, ...ofAddress])
  if (user.isBlocked) throw new AppError('ERR_USER_BLOCKED')
  const closed = await whyClosed(user)
  // Whoever takes care of the platform gets there although their company is closed: to open it again, for one.
  const onPlatform = closed && (await findPlatformProfile(user))
  if (closed && !onPlatform) throw new AppError(closed)
  if (onPlatform) return { session: await openProfile(0, user.id), user }

  const session = await withTenant(user.tenantId, async (tx) => {
    await tx.db
      .update(users)
      .set({ lastLoginAt: new Date() })
      .where(and(eq(users.tenantId, user.tenantId), eq(users.id, user.id)))
    tx.afterCommit(() => invalidateDirectory(user.tenantId))
    return openSession(tx, user)
  })
  return { session, user }
}

const whyClosed = async (user: Found) => {
  if (await isLockedOut(user.tenantId, user.tenantStatus, user.id)) return 'ERR_TENANT_INACTIVE'
  return isWithinAllowedHours(user, user.timezone) ? undefined : 'OUT_RANGE'
}

/** One after the other: who must wait alone does not use up what all share. True when the last free attempt was taken. */
const takeTurns = async (turns: Turns[]) => {
  let isLastFree = false
  for (const [at, one] of turns.entries()) {
    const { count, waitS } = await takeTurn(one)
    if (waitS) {
      await returnAttempt(turns.slice(0, at))
      throw tooMany(waitS)
    }
    isLastFree ||= count === one.free
  }
  return isLastFree
}

/** After the answer, whose time must not tell whether the e-mail is known. */
const warnLater = (user: Found, email: string) => {
  setImmediate(() => {
    warnOfGuesses(user, email).catch((error) => log.error({ err: error }, 'warning of guesses not sent'))
  })
}

/** A sealed password is good for one log-in: what was overheard once does not open the door again. */
const sealedScope = 'login:sealed'
const sealedDays = 365

/** Opens a password that comes for something else than a log-in: its sealed form cannot be replayed as one later. */
export const openPassword = async (sealed: string) => {
  const password = decryptPassword(sealed)
  await isFirstUse(sealedScope, sealed, sealedDays)
  return password
}

const tooMany = (retryAfterS: number) => {
  const minutes = Math.ceil(retryAfterS / minuteS)
  const message =
    minutes > 1 ? `Muitas tentativas. Tente de novo em ${minutes} minutos ou redefina a senha.` : undefined
  return new AppError('ERR_LIMIT_MAX', { retryAfterS, message })
}

type Found = {
  tenantId: number
  id: string
  passwordHash: string
  isBlocked: boolean
  tokenVersion: number
  allowedHours: BusinessDay[]
  tenantStatus: TenantStatus
  timezone: string
}
const byEmail: Prepared = {
  name: 'user_by_email',
  text: `select u.tenant_id as "tenantId", u.id, u.password_hash as "passwordHash", u.is_blocked as "isBlocked",
      u.token_version as "tokenVersion", u.allowed_hours as "allowedHours", t.status as "tenantStatus", t.timezone
    from users u join tenants t on t.id = u.tenant_id
    where u.email = $1 and u.deleted_at is null and u.home_tenant_id is null`,
}
/** The one person with this e-mail, in whichever company. */
export const findUserByEmail = async (email: string): Promise<Found | undefined> =>
  (await platformRows<Found>(byEmail, [email]))[0]
