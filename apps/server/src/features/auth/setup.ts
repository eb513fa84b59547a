import type { setupBody } from '@balcao/contract/auth.ts'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { z } from 'zod'
import { type Tx, withPlatform } from '../../db/database.ts'
import { users } from '../../db/schema/people.ts'
import { oneTimeTokens, tenants } from '../../db/schema/platform.ts'
import { env } from '../../env.ts'
import { hashToken, randomToken } from '../../kit/crypto.ts'
import { AppError, fieldErrors } from '../../kit/errors.ts'
import { forgetDirectory } from '../directory/directory.ts'
import { foundCompany } from '../tenants/founding.ts'
import { writePlatformAudit } from '../tenants/platform-audit.ts'
import { insertUser } from '../users/insert-user.ts'
import { openPassword } from './login.service.ts'
import { hashPassword } from './passwords.ts'

const lifeMs = 24 * 60 * 60_000

/** The link that installs the product; null once a superadmin exists. It works once, for 24 hours. */
export const issueSetupLink = (): Promise<string | null> =>
  withPlatform('setup link', async (tx) => {
    if (await hasSuperadmin(tx)) return null
    const token = randomToken()
    await tx.db
      .insert(oneTimeTokens)
      .values({ hash: hashToken(token), purpose: 'setup', expiresAt: new Date(Date.now() + lifeMs) })
    return `${env.PUBLIC_URL}/masterkey?tokenSetup=${token}`
  })

/** First run: the platform and its superadmin, the first company and its administrator (ruling 13). */
export const installPlatform = async (input: z.output<typeof setupBody>) => {
  const isLiving = and(
    eq(oneTimeTokens.hash, hashToken(input.tokenSetup)),
    eq(oneTimeTokens.purpose, 'setup'),
    isNull(oneTimeTokens.usedAt),
    gt(oneTimeTokens.expiresAt, new Date()),
  )
  const [living] = await withPlatform('setup', (tx) =>
    tx.db.select({ hash: oneTimeTokens.hash }).from(oneTimeTokens).where(isLiving),
  )
  if (!living) throw new AppError('ERR_SETUP_TOKEN')
  if (input.email === input.adminEmail) {
    throw fieldErrors({ path: 'adminEmail', message: 'Use um e-mail diferente do e-mail do superadministrador.' })
  }
  const passwordHash = await hashPassword(await openPassword(input.password))
  const adminHash = await hashPassword(await openPassword(input.adminPassword), 'adminPassword')

  await withPlatform('setup', async (tx) => {
    const used = await tx.db
      .update(oneTimeTokens)
      .set({ usedAt: new Date() })
      .where(isLiving)
      .returning({ hash: oneTimeTokens.hash })
    if (!used.length) throw new AppError('ERR_SETUP_TOKEN')
    await tx.db.insert(tenants).values({ id: 0, name: 'Plataforma' }).onConflictDoNothing()
    await tx.db.select({ id: tenants.id }).from(tenants).where(eq(tenants.id, 0)).for('update') // two links, one installation
    if (await hasSuperadmin(tx)) throw new AppError('ERR_SETUP_TOKEN')
    const userId = v7()
    await insertUser(tx, {
      tenantId: 0,
      id: userId,
      name: input.name,
      email: input.email,
      passwordHash,
      profile: 'superadmin',
    })
    const { tenantId } = await foundCompany(
      tx,
      { name: input.company },
      { name: input.adminName, email: input.adminEmail, passwordHash: adminHash },
    )
    await writePlatformAudit(tx, { userId, tenantId, action: 'platform.installed' })
    tx.afterCommit(() => forgetDirectory(0))
    tx.afterCommit(() => forgetDirectory(tenantId))
  })
}

const hasSuperadmin = async (tx: Tx) => {
  const [one] = await tx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.tenantId, 0), eq(users.profile, 'superadmin'), isNull(users.deletedAt)))
    .limit(1)
  return one !== undefined
}
