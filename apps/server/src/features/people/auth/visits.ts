import type { SupportVisit } from '@balcao/contract/platform/audit.ts'
import { and, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Tx, withTenant } from '../../../db/database.ts'
import { refreshTokens } from '../../../db/schema/people/sessions.ts'
import { users } from '../../../db/schema/people/users.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { emit } from '../../../kit/outbox.ts'
import { findDirectory, getDirectory } from '../../core/directory/directory.ts'

/** Who of the platform is inside the company now; nobody where the company does not allow it. */
export const listVisits = async (tenantId: number): Promise<SupportVisit[]> => {
  const [{ settings }, platform] = await Promise.all([getDirectory(tenantId), findDirectory(0)])
  if (!settings.allowImpersonation) return []
  const rows = await withTenant(tenantId, (tx) =>
    tx.db
      .select({
        id: refreshTokens.familyId,
        superadminId: refreshTokens.impersonatorId,
        endsAt: refreshTokens.expiresAt,
        startedAt: sql`(select min(f.created_at) from refresh_tokens f
          where f.tenant_id = ${refreshTokens.tenantId} and f.family_id = ${refreshTokens.familyId})`.mapWith(
          refreshTokens.createdAt,
        ),
      })
      .from(refreshTokens)
      .innerJoin(users, and(eq(users.tenantId, refreshTokens.tenantId), eq(users.id, refreshTokens.userId)))
      .where(
        and(
          eq(refreshTokens.tenantId, tenantId),
          isNotNull(refreshTokens.impersonatorId),
          isNull(refreshTokens.revokedAt),
          isNull(refreshTokens.rotatedAt),
          gt(refreshTokens.expiresAt, new Date()),
          eq(users.tokenVersion, refreshTokens.tokenVersion),
        ),
      ),
  )
  return rows.map(({ id, superadminId, startedAt, endsAt }) => ({
    id,
    name: platform?.people.get(superadminId ?? '')?.name ?? 'Suporte',
    startedAt: startedAt.toISOString(),
    endsAt: endsAt.toISOString(),
  }))
}

/** The company's administrators see a visit begin and end. */
export const tellVisits = (tx: Tx) => emit(tx, 'support.changed', {}, { kind: 'permission', can: 'audit.read' })

/** Support left before its hour was over: the company's record says when. */
export const endVisit = async (tx: Tx, userId: string, impersonatorId: string) => {
  const entry = { action: 'impersonation.ended', entity: 'tenant', entityId: String(tx.tenantId) }
  await writeAudit(tx, { userId, impersonatorId }, entry)
  await tellVisits(tx)
}
