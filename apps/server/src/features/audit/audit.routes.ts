import { type AuditEntry, type AuditQuery, auditEntry, auditQuery } from '@balcao/contract/audit.ts'
import { id, pageOf } from '@balcao/contract/common.ts'
import { and, desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { withTenant } from '../../db/database.ts'
import { audit, users } from '../../db/schema/people.ts'
import { decodeCursor, toPage } from '../../kit/cursor.ts'
import { fieldErrors } from '../../kit/errors.ts'
import type { Routes } from '../../kit/http.ts'

/** Who changed what in this company, latest first. */
export const auditRoutes: Routes = (app) => {
  app.get(
    '/audit',
    { config: { can: 'audit.read' }, schema: { querystring: auditQuery, response: { 200: pageOf(auditEntry) } } },
    (request) => listAudit(request.actor.tenantId, request.query),
  )
}

const listAudit = (tenantId: number, query: AuditQuery) =>
  withTenant(tenantId, async (tx) => {
    const limit = query.limit ?? 40
    const rows = await tx.db
      .select({ entry: audit, name: users.name })
      .from(audit)
      .leftJoin(users, and(eq(users.tenantId, audit.tenantId), eq(users.id, audit.userId)))
      .where(
        and(
          eq(audit.tenantId, tenantId),
          query.entity ? eq(audit.entity, query.entity) : undefined,
          query.entityId ? eq(audit.entityId, query.entityId) : undefined,
          query.userId ? eq(audit.userId, query.userId) : undefined,
          query.cursor ? before(query.cursor) : undefined,
        ),
      )
      .orderBy(desc(audit.at), desc(audit.id))
      .limit(limit + 1)
      .offset(query.cursor ? 0 : (query.pageNumber - 1) * limit)
    const page = toPage(rows, limit, ({ entry }) => [entry.at.getTime(), entry.id])
    const items = page.items.map(
      ({ entry, name }): AuditEntry => ({
        id: entry.id,
        at: entry.at.toISOString(),
        action: entry.action,
        entity: entry.entity,
        entityId: entry.entityId,
        user: entry.userId && name ? { id: entry.userId, name } : null,
        isImpersonated: entry.impersonatorId !== null,
        before: entry.before,
        after: entry.after,
      }),
    )
    return { ...page, items }
  })

const before = (cursor: string) => {
  const key = lastKey.safeParse(decodeCursor(cursor))
  if (!key.success) throw fieldErrors({ path: 'cursor', message: 'Página inválida. Recarregue a lista.' })
  const [ms, lastId] = key.data
  return sql`(${audit.at}, ${audit.id}) < (${new Date(ms).toISOString()}::timestamptz, ${lastId}::uuid)`
}
const lastKey = z.tuple([z.int().min(0).max(8_000_000_000_000), id])
