import { profilesWith } from '@balcao/contract/permissions.ts'
import { and, asc, eq, gt, inArray, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { withPlatform } from '../../../db/database.ts'
import { oneTimeTokens } from '../../../db/schema/people/sessions.ts'
import { users } from '../../../db/schema/people/users.ts'
import { tenants } from '../../../db/schema/platform/companies.ts'
import { env } from '../../../env.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { hashToken, randomToken } from '../../../kit/crypto.ts'
import { AppError } from '../../../kit/errors.ts'
import { invalidateDirectory } from '../../core/directory/directory.ts'
import { inTenant, writePlatformAudit } from '../../core/platform-audit/platform-audit.ts'
import { openSession } from './sessions.ts'
import { tellVisits } from './visits.ts'

const lifeMs = 10 * 60_000
const visit = z.object({
  tenantId: z.int().positive(),
  superadminId: z.uuid(),
  superadminName: z.string(),
  reason: z.string(),
})

/** A code with which a superadmin enters a company as its administrator: works once, for ten minutes. */
export const issueImpersonationCode = (actor: Actor, tenantId: number, reason: string) =>
  withPlatform('impersonation', async (tx) => {
    const [tenant] = await tx.db
      .select({ settings: tenants.settings })
      .from(tenants)
      .where(and(eq(tenants.id, tenantId), gt(tenants.id, 0)))
    if (!tenant) throw new AppError('ERR_NOT_FOUND')
    if (tenant.settings.allowImpersonation === false) throw new AppError('ERR_IMPERSONATION_FORBIDDEN')
    const code = randomToken(18)
    const expiresAt = new Date(Date.now() + lifeMs)
    const details: z.output<typeof visit> = { tenantId, superadminId: actor.userId, superadminName: actor.name, reason }
    await tx.db.insert(oneTimeTokens).values({ hash: hashToken(code), purpose: 'impersonation', details, expiresAt })
    await writePlatformAudit(tx, {
      userId: actor.userId,
      tenantId,
      action: 'impersonation.issued',
      details: { reason },
    })
    return { code, url: `${env.PUBLIC_URL}/masterkey?code=${code}`, expiresAt: expiresAt.toISOString() }
  })

/** Opens the visit a code stands for; both the company and the platform keep a record. */
export const redeemImpersonationCode = (code: string) =>
  withPlatform('impersonation', async (tx) => {
    const [used] = await tx.db
      .update(oneTimeTokens)
      .set({ usedAt: new Date() })
      .where(
        and(
          eq(oneTimeTokens.hash, hashToken(code)),
          eq(oneTimeTokens.purpose, 'impersonation'),
          isNull(oneTimeTokens.usedAt),
          gt(oneTimeTokens.expiresAt, new Date()),
        ),
      )
      .returning({ details: oneTimeTokens.details })
    if (!used) throw new AppError('ERR_IMPERSONATION_CODE')
    const { tenantId, superadminId, superadminName, reason } = visit.parse(used.details)

    const [superadmin] = await tx.db
      .select({ id: users.id })
      .from(users)
      .where(
        and(eq(users.tenantId, 0), eq(users.id, superadminId), eq(users.isBlocked, false), isNull(users.deletedAt)),
      )
    if (!superadmin) throw new AppError('ERR_IMPERSONATION_CODE')
    const [tenant] = await tx.db
      .select({ settings: tenants.settings, status: tenants.status })
      .from(tenants)
      .where(eq(tenants.id, tenantId))
    if (tenant?.status === 'closed') throw new AppError('ERR_TENANT_INACTIVE')
    if (!tenant || tenant.settings.allowImpersonation === false) throw new AppError('ERR_IMPERSONATION_FORBIDDEN')
    const [admin] = await tx.db
      .select({ id: users.id, tokenVersion: users.tokenVersion })
      .from(users)
      .where(
        and(
          eq(users.tenantId, tenantId),
          inArray(users.profile, profilesWith('users.write')),
          eq(users.isBlocked, false),
          isNull(users.deletedAt),
        ),
      )
      .orderBy(asc(users.createdAt), asc(users.id))
      .limit(1)
    if (!admin) throw new AppError('ERR_NO_USER_FOUND')

    const there = inTenant(tx, tenantId)
    const session = await openSession(there, admin, superadminId)
    const record = { action: 'impersonation.started', details: { reason, asUserId: admin.id } }
    await writePlatformAudit(tx, { userId: superadminId, tenantId, ...record })
    await writeAudit(
      there,
      { userId: admin.id, impersonatorId: superadminId },
      {
        action: record.action,
        entity: 'tenant',
        entityId: String(tenantId),
        after: { reason, superadmin: superadminName },
      },
    )
    await tellVisits(there)
    tx.afterCommit(() => invalidateDirectory(tenantId))
    return session
  })
