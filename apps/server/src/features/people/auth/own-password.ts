import { and, eq, isNull } from 'drizzle-orm'
import { withTenant } from '../../../db/database.ts'
import { users } from '../../../db/schema/people/users.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { reserveAttempt } from './attempts.ts'
import { openPassword } from './login.service.ts'
import { isPassword } from './passwords.ts'

/** Whoever is logged in proves that it is them. Throws ERR_PASSWORD_WRONG, told at the field `path`. */
export const checkOwnPassword = async ({ tenantId, userId }: Actor, sealed: string, path: string) => {
  const exceeded = await reserveAttempt([
    { scope: 'password:change', key: `${tenantId}:${userId}`, max: 10, windowS: 15 * 60 },
  ])
  if (exceeded) throw new AppError('ERR_TOO_MANY', { retryAfterS: exceeded.retryAfterS })
  const [row] = await withTenant(tenantId, (tx) =>
    tx.db
      .select({ passwordHash: users.passwordHash })
      .from(users)
      .where(and(eq(users.tenantId, tenantId), eq(users.id, userId), isNull(users.deletedAt))),
  )
  if (!(await isPassword(row?.passwordHash, await openPassword(sealed)))) {
    throw new AppError('ERR_PASSWORD_WRONG', { details: [{ path, message: 'A senha atual não confere.' }] })
  }
}
