import type { setupBody } from '@balcao/contract/people/auth.ts'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { z } from 'zod'
import { type Prepared, platformRows, type Tx, withPlatform } from '../../../db/database.ts'
import { oneTimeTokens } from '../../../db/schema/people/sessions.ts'
import { users } from '../../../db/schema/people/users.ts'
import { tenants } from '../../../db/schema/platform/companies.ts'
import { env } from '../../../env.ts'
import { hashToken, randomToken } from '../../../kit/crypto.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { invalidateDirectory } from '../../core/directory/directory.ts'
import { writePlatformAudit } from '../../core/platform-audit/platform-audit.ts'
import { openPassword } from '../../people/auth/login.service.ts'
import { hashPassword } from '../../people/auth/passwords.ts'
import { insertUser } from '../../people/users/insert-user.ts'
import { foundCompany } from '../tenants/founding.ts'

const lifeMs = 24 * 60 * 60_000

const anyAccount: Prepared = {
  name: 'any_account',
  text: 'select exists (select from users where deleted_at is null) as "isInstalled"',
}
/** Whether anybody could log in: until then every address leads to the set-up. Once true it stays so. */
export const isInstalled = async (): Promise<boolean> =>
  (await platformRows<{ isInstalled: boolean }>(anyAccount, []))[0]?.isInstalled ?? false

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

/** First run: the platform, the first company and who takes care of both; somebody else may administer the company. */
export const installPlatform = async (input: z.output<typeof setupBody>) => {
  if (!(await isSetupLink(input.tokenSetup))) throw new AppError('ERR_SETUP_TOKEN')
  const { admin, name, email, company } = input
  if (admin?.email === email) {
    throw fieldErrors({
      path: 'admin.email',
      message: 'Use um e-mail diferente do e-mail de quem cuida da plataforma.',
    })
  }
  const passwordHash = await hashPassword(await openPassword(input.password))
  const adminHash = admin && (await hashPassword(await openPassword(admin.password), 'admin.password'))

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
    const { tenantId, adminId } = await foundCompany(
      tx,
      { name: company },
      { name: admin?.name ?? name, email: admin?.email ?? email, passwordHash: adminHash ?? passwordHash },
    )
    const separate = { id: v7(), passwordHash }
    const same = { id: adminId, passwordHash: '', homeTenantId: tenantId } // nobody's hash: the password is that of the company
    const superadmin = { ...(admin ? separate : same), tenantId: 0, name, email, profile: 'superadmin' } as const
    await insertUser(tx, superadmin)
    const userId = superadmin.id
    await writePlatformAudit(tx, { userId, tenantId, action: 'platform.installed' })
    tx.afterCommit(() => invalidateDirectory(0))
    tx.afterCommit(() => invalidateDirectory(tenantId))
  })
}

const hasSuperadmin = async (tx: Tx) => {
  const [one] = await tx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.tenantId, 0), isNull(users.deletedAt)))
    .limit(1)
  return one !== undefined
}
