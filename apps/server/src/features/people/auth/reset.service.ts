import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { type Tx, withTenant } from '../../../db/database.ts'
import { resetTokens } from '../../../db/schema/people/sessions.ts'
import { users } from '../../../db/schema/people/users.ts'
import { tenants } from '../../../db/schema/platform/companies.ts'
import { env } from '../../../env.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { hashToken, randomToken } from '../../../kit/crypto.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { canSendMail } from '../mail/transport.ts'
import { addressKey, clearAttempts, type Limit, reserveAttempt } from './attempts.ts'
import { findUserByEmail, openPassword, turnsAt } from './login.service.ts'
import { hashPassword } from './passwords.ts'
import { linkLivesMs, queueLink } from './reset-mail.ts'
import { endSessions, tenantOf } from './sessions.ts'

const quarterHourS = 15 * 60
/** Long enough for the answer to be gone, by chance so that what comes next does not tell either. */
const shortestMs = 500

/**
 * Takes a request for a new password. Everything that depends on whether the e-mail is known happens after the
 * answer, so neither its words nor its time tell.
 */
export const requestReset = async (request: { email: string; ip: string }) => {
  const ofAddress: Limit = { scope: 'reset:address', key: addressKey(request.ip), max: 20, windowS: quarterHourS }
  const ofAccount: Limit = { scope: 'reset:account', key: request.email, max: 3, windowS: quarterHourS }
  const exceeded = await reserveAttempt([ofAddress, ofAccount])
  if (exceeded?.scope === ofAddress.scope) throw new AppError('ERR_TOO_MANY', { retryAfterS: exceeded.retryAfterS })
  if (exceeded) return
  setTimeout(
    () => {
      sendLink(request.email).catch((error) => log.error({ err: error }, 'reset link not sent'))
    },
    shortestMs + Math.random() * shortestMs,
  )
}

const sendLink = async (email: string) => {
  const user = await findUserByEmail(email)
  if (!user || user.isBlocked) return
  const isMailed = await canSendMail()
  const link = await withTenant(user.tenantId, async (tx) => {
    const issued = `${env.PUBLIC_URL}/reset/${await issueResetToken(tx, user.id)}`
    if (isMailed) await queueLink(tx, { to: email, userId: user.id, link: issued, kind: 'reset' })
    return issued
  })
  // The operator finds it there and hands it over.
  if (!isMailed)
    log.warn(
      { tenantId: user.tenantId, userId: user.id, link },
      'no mail server: give this password reset link to the user',
    )
}

/** The link with which somebody new chooses their own name and password: works once, for a week. */
export const issueInvite = async (tx: Tx, userId: string) =>
  `${env.PUBLIC_URL}/reset/${await issueResetToken(tx, userId, linkLivesMs.invite)}?convite`

/** A new token; the older ones of this person are worth nothing any more. */
export const issueResetToken = async (tx: Tx, userId: string, validForMs = linkLivesMs.reset) => {
  const mine = and(eq(users.tenantId, tx.tenantId), eq(users.id, userId))
  await tx.db.select({ id: users.id }).from(users).where(mine).for('update')
  await dropResetTokens(tx, userId)
  const token = `${tx.tenantId}.${randomToken()}`
  await tx.db.insert(resetTokens).values({
    tenantId: tx.tenantId,
    id: v7(),
    userId,
    hash: hashToken(token),
    expiresAt: new Date(Date.now() + validForMs),
  })
  return token
}

/** Links on their way to this person stop working: the password changed, or a newer link was sent. */
export const dropResetTokens = (tx: Tx, userId: string) =>
  tx.db
    .update(resetTokens)
    .set({ usedAt: new Date() })
    .where(and(eq(resetTokens.tenantId, tx.tenantId), eq(resetTokens.userId, userId), isNull(resetTokens.usedAt)))

type Opened = { token: string; ip: string }

/** Whose link it is; null where it no longer works: who opens a used one is told before they fill anything in. */
export const findLinkAccount = async (request: Opened) => {
  try {
    return (await findLiving(request)).account
  } catch (error) {
    if (error instanceof AppError && error.code === 'ERR_RESET_TOKEN') return null
    throw error
  }
}

/** Sets the password a link's holder chose. The link works once, whoever else presses at the same moment. */
export const resetPassword = async (request: Opened & { password: string; name?: string }) => {
  const { tenantId, isLiving } = await findLiving(request)
  const passwordHash = await hashPassword(await openPassword(request.password))

  const user = await withTenant(tenantId, async (tx) => {
    const [used] = await tx.db
      .update(resetTokens)
      .set({ usedAt: new Date() })
      .where(isLiving)
      .returning({ userId: resetTokens.userId })
    if (!used) throw new AppError('ERR_RESET_TOKEN')
    const [user] = await tx.db
      .update(users)
      .set({
        passwordHash,
        // Only who was never here names themselves: a link to a new password changes nothing else.
        ...(request.name && { name: sql`case when ${users.lastLoginAt} is null then ${request.name} else name end` }),
        updatedAt: new Date(),
      })
      .where(
        and(
          eq(users.tenantId, tenantId),
          eq(users.id, used.userId),
          isNull(users.deletedAt),
          eq(users.isBlocked, false),
        ),
      )
      .returning({ id: users.id, email: users.email, passwordHash: users.passwordHash })
    if (!user) throw new AppError('ERR_RESET_TOKEN')
    await endSessions(tx, used.userId)
    await writeAudit(
      tx,
      { userId: used.userId, impersonatorId: null },
      { action: 'password.reset', entity: 'user', entityId: used.userId },
    )
    return user
  })
  await clearAttempts(turnsAt({ email: user.email, ip: request.ip }))
  return user
}

/** Guesses are counted by address. */
const findLiving = async ({ token, ip }: Opened) => {
  const ofAddress: Limit = { scope: 'reset:use', key: addressKey(ip), max: 30, windowS: quarterHourS }
  const exceeded = await reserveAttempt([ofAddress])
  if (exceeded) throw new AppError('ERR_TOO_MANY', { retryAfterS: exceeded.retryAfterS })
  const tenantId = tenantOfLink(token)
  const isLiving = and(
    eq(resetTokens.tenantId, tenantId),
    eq(resetTokens.hash, hashToken(token)),
    isNull(resetTokens.usedAt),
    gt(resetTokens.expiresAt, new Date()),
  )
  const [account] = await withTenant(tenantId, (tx) =>
    tx.db
      .select({ name: users.name, email: users.email, company: tenants.name })
      .from(resetTokens)
      .innerJoin(users, and(eq(users.tenantId, resetTokens.tenantId), eq(users.id, resetTokens.userId)))
      .innerJoin(tenants, eq(tenants.id, resetTokens.tenantId))
      .where(isLiving),
  )
  if (!account) throw new AppError('ERR_RESET_TOKEN')
  return { tenantId, isLiving, account }
}

const tenantOfLink = (token: string) => {
  try {
    return tenantOf(token)
  } catch {
    throw new AppError('ERR_RESET_TOKEN')
  }
}
