import type { BusinessDay } from '@balcao/contract/business-hours.ts'
import type { Profile } from '@balcao/contract/permissions.ts'
import { and, eq } from 'drizzle-orm'
import { type Prepared, platformRows, withTenant } from '../../db/database.ts'
import { users } from '../../db/schema/people.ts'
import { AppError } from '../../kit/errors.ts'
import { forgetDirectory } from '../directory/directory.ts'
import { isWithinAllowedHours } from './allowed-hours.ts'
import { addressKey, clearAttempts, isFirstUse, type Limit, reserveAttempt, returnAttempt } from './attempts.ts'
import { decryptPassword } from './login-key.ts'
import { isPassword } from './passwords.ts'
import { type OpenSession, openSession } from './sessions.ts'

const minuteS = 60
const dayS = 24 * 60 * 60
/** Guesses at one account: five a minute, a hundred a day. */
export const accountLimits = (email: string): [Limit, Limit] => [
  { scope: 'login:account', key: email, max: 5, windowS: minuteS },
  { scope: 'login:account-day', key: email, max: 100, windowS: dayS },
]
const addressLimit = (ip: string): Limit => ({ scope: 'login:address', key: addressKey(ip), max: 30, windowS: minuteS })

/**
 * Proves who calls and begins a session. An unknown e-mail and a wrong password get the same answer after the same work;
 * what else stands in the way is told only to who knows the password.
 */
export const logIn = async (attempt: { email: string; password: string; ip: string }): Promise<OpenSession> => {
  const ofAccount = accountLimits(attempt.email)
  const ofAddress = addressLimit(attempt.ip)
  const [perMinute, perDay] = ofAccount
  const exceeded = await reserveAttempt([...ofAccount, ofAddress])
  if (exceeded) {
    await returnAttempt([perDay]) // what is refused is no guess, and must not use up the owner's day
    throw tooMany(exceeded)
  }

  const password = decryptPassword(attempt.password)
  const user = await findUserByEmail(attempt.email)
  const matches = await isPassword(user?.passwordHash, password)
  if (!user || !matches) throw new AppError('ERR_INVALID_CREDENTIALS')
  if (!(await isFirstUse(sealedScope, attempt.password, sealedDays))) throw new AppError('ERR_INVALID_CREDENTIALS')

  await clearAttempts([perMinute])
  await returnAttempt([perDay, ofAddress])
  if (user.isBlocked) throw new AppError('ERR_USER_BLOCKED')
  if (user.tenantStatus !== 'active') throw new AppError('ERR_TENANT_INACTIVE')
  if (!isWithinAllowedHours(user, user.timezone)) throw new AppError('OUT_RANGE')

  return withTenant(user.tenantId, async (tx) => {
    await tx.db
      .update(users)
      .set({ lastLoginAt: new Date() })
      .where(and(eq(users.tenantId, user.tenantId), eq(users.id, user.id)))
    tx.afterCommit(() => forgetDirectory(user.tenantId))
    return openSession(tx, user)
  })
}

/** A sealed password is good for one log-in: what was overheard once does not open the door again (hostile case T20). */
const sealedScope = 'login:sealed'
const sealedDays = 365

/** Opens a password that comes for something else than a log-in: its sealed form cannot be replayed as one later. */
export const openPassword = async (sealed: string) => {
  const password = decryptPassword(sealed)
  await isFirstUse(sealedScope, sealed, sealedDays)
  return password
}

const tooMany = ({ scope, retryAfterS }: { scope: string; retryAfterS: number }) => {
  const forToday = scope === 'login:account-day' && retryAfterS > minuteS
  const message = forToday ? 'Muitas tentativas nesta conta. Tente amanhã ou redefina a senha.' : undefined
  return new AppError('ERR_LIMIT_MAX', { retryAfterS, message })
}

type Found = {
  tenantId: number
  id: string
  passwordHash: string
  profile: Profile
  isBlocked: boolean
  tokenVersion: number
  allowedHours: BusinessDay[]
  tenantStatus: 'active' | 'inactive'
  timezone: string
}
const byEmail: Prepared = {
  name: 'user_by_email',
  text: `select u.tenant_id as "tenantId", u.id, u.password_hash as "passwordHash", u.profile, u.is_blocked as "isBlocked",
      u.token_version as "tokenVersion", u.allowed_hours as "allowedHours", t.status as "tenantStatus", t.timezone
    from users u join tenants t on t.id = u.tenant_id where u.email = $1 and u.deleted_at is null`,
}
/** The one person with this e-mail, in whichever company. */
export const findUserByEmail = async (email: string): Promise<Found | undefined> =>
  (await platformRows<Found>(byEmail, [email]))[0]
