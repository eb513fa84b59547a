import type { setupBody } from '@balcao/contract/auth.ts'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { z } from 'zod'
import { type Prepared, platformRows, type Tx, withPlatform } from '../../db/database.ts'
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

const anyAccount: Prepared = {
  name: 'any_account',
  text: 'select exists (select from users where deleted_at is null) as "isInstalled"',
}
let installed = false
/** Whether anybody could log in: until then every address leads to the set-up. Once true it stays so. */
export const isInstalled = async (): Promise<boolean> => {
  if (!installed) installed = (await platformRows<{ isInstalled: boolean }>(anyAccount, []))[0]?.isInstalled ?? false
  return installed
}

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

/** Whether this link would still install the product. */
export const isSetupLink = (token: string): Promise<boolean> =>
  withPlatform('setup', async (tx) => {
    const found = await tx.db.select({ hash: oneTimeTokens.hash }).from(oneTimeTokens).where(isLiving(token))
    return found.length > 0 && !(await hasSuperadmin(tx))
  })

const isLiving = (token: string) =>
  and(
    eq(oneTimeTokens.hash, hashToken(token)),
    eq(oneTimeTokens.purpose, 'setup'),
    isNull(oneTimeTokens.usedAt),
    gt(oneTimeTokens.expiresAt, new Date()),
  )

/** First run: the platform and its superadmin, the first company and its administrator (ruling 13). */
export const installPlatform = async (input: z.output<typeof setupBody>) => {
  if (!(await isSetupLink(input.tokenSetup))) throw new AppError('ERR_SETUP_TOKEN')
  if (input.email === input.adminEmail) {
    throw fieldErrors({ path: 'adminEmail', message: 'Use um e-mail diferente do e-mail do superadministrador.' })
  }
  const passwordHash = await hashPassword(await openPassword(input.password))
  const adminHash = await hashPassword(await openPassword(input.adminPassword), 'adminPassword')

  await withPlatform('setup', async (tx) => {
    const used = await tx.db
      .update(oneTimeTokens)
      .set({ usedAt: new Date() })
      .where(isLiving(input.tokenSetup))
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
