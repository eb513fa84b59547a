import { id } from '@balcao/contract/common.ts'
import type { AuditEntry, AuditQuery, PlatformAuditEntry, PlatformAuditQuery } from '@balcao/contract/platform/audit.ts'
import { and, count, desc, eq, gte, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { withPlatform, withTenant } from '../../../db/database.ts'
import { audit } from '../../../db/schema/core/audit.ts'
import { users } from '../../../db/schema/people/users.ts'
import { platformAudit, tenants } from '../../../db/schema/platform/companies.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { type Directory, findDirectory, getDirectory } from '../../core/directory/directory.ts'
import { namesIn } from './names.ts'

const pageSize = 40

/** What was done in a company, latest first. */
export const listAudit = async (tenantId: number, query: AuditQuery) => {
  const [{ timezone }, platform] = await Promise.all([getDirectory(tenantId), findDirectory(0)])
  const limit = query.limit ?? pageSize
  const rows = await withTenant(tenantId, (tx) =>
    tx.db
      .select({ entry: audit, name: users.name })
      .from(audit)
      .leftJoin(users, and(eq(users.tenantId, audit.tenantId), eq(users.id, audit.userId)))
      .where(and(asked(tenantId, query, timezone), query.cursor ? before(audit, query.cursor) : undefined))
      .orderBy(desc(audit.at), desc(audit.id))
      .limit(limit + 1)
      .offset(query.cursor ? 0 : (query.pageNumber - 1) * limit),
  )
  const page = toPage(rows, limit, ({ entry }) => [entry.at.getTime(), entry.id])
  const names = await namesIn(tenantId, page.items)
  const items = page.items.map(
    ({ entry: { at, userId, impersonatorId, tenantId: _, ...entry }, name }): AuditEntry => ({
      ...entry,
      names: names(entry),
      at: at.toISOString(),
      user: userId && name ? { id: userId, name } : null,
      isImpersonated: impersonatorId !== null,
      support: impersonatorId && (platform?.people.get(impersonatorId)?.name ?? 'Suporte'),
    }),
  )
  return { ...page, items }
}

export const countAudit = async (tenantId: number, query: AuditQuery): Promise<number> => {
  const { timezone } = await getDirectory(tenantId)
  const [row] = await withTenant(tenantId, (tx) =>
    tx.db
      .select({ count: count() })
      .from(audit)
      .where(asked(tenantId, query, timezone)),
  )
  return row?.count ?? 0
}

const asked = (tenantId: number, query: AuditQuery, timezone: string) =>
  and(
    eq(audit.tenantId, tenantId),
    query.entity.length ? inArray(audit.entity, query.entity) : undefined,
    query.entityId ? eq(audit.entityId, query.entityId) : undefined,
    query.userId.length ? inArray(audit.userId, query.userId) : undefined,
    query.isImpersonated === undefined
      ? undefined
      : query.isImpersonated
        ? isNotNull(audit.impersonatorId)
        : isNull(audit.impersonatorId),
    ...within(audit.at, query, timezone),
  )

/** What the platform's people did, latest first. */
export const listPlatformAudit = async (query: PlatformAuditQuery) => {
  const platform = await findDirectory(0)
  const limit = query.limit ?? pageSize
  const rows = await withPlatform('audit', (tx) =>
    tx.db
      .select({ entry: platformAudit, tenantName: tenants.name })
      .from(platformAudit)
      .leftJoin(tenants, eq(tenants.id, platformAudit.subjectTenantId))
      .where(and(askedOfAll(query, platform), query.cursor ? before(platformAudit, query.cursor) : undefined))
      .orderBy(desc(platformAudit.at), desc(platformAudit.id))
      .limit(limit + 1)
      .offset(query.cursor ? 0 : (query.pageNumber - 1) * limit),
  )
  const page = toPage(rows, limit, ({ entry }) => [entry.at.getTime(), entry.id])
  const items = page.items.map(({ entry, tenantName }): PlatformAuditEntry => {
    const { before, after, userId, ...rest } = entry.details
    const isChange = 'before' in entry.details || 'after' in entry.details
    return {
      id: entry.id,
      at: entry.at.toISOString(),
      action: entry.action,
      entity: entry.action.split('.')[0] ?? '',
      entityId: typeof userId === 'string' ? userId : String(entry.subjectTenantId ?? ''),
      user: entry.userId ? { id: entry.userId, name: platform?.people.get(entry.userId)?.name ?? 'Suporte' } : null,
      isImpersonated: false,
      support: null,
      tenant: entry.subjectTenantId === null ? null : { id: entry.subjectTenantId, name: tenantName ?? '' },
      before: before ?? null,
      after: isChange ? (after ?? null) : rest,
      names: {},
    }
  })
  return { ...page, items }
}

export const countPlatformAudit = async (query: PlatformAuditQuery): Promise<number> => {
  const platform = await findDirectory(0)
  return withPlatform('audit', (tx) => tx.db.$count(platformAudit, askedOfAll(query, platform)))
}

const askedOfAll = (query: PlatformAuditQuery, platform: Directory | undefined) =>
  and(
    query.tenantId === undefined ? undefined : eq(platformAudit.subjectTenantId, query.tenantId),
    ...within(platformAudit.at, query, platform?.timezone ?? 'America/Sao_Paulo'),
  )

/** Between two days of a calendar, both included. */
const within = (
  at: PgColumn,
  { dateFrom, dateTo }: { dateFrom?: string; dateTo?: string },
  timezone: string,
): SQL[] => [
  ...(dateFrom ? [gte(at, sql`${dateFrom}::date::timestamp at time zone ${timezone}`)] : []),
  ...(dateTo ? [lt(at, sql`(${dateTo}::date + 1)::timestamp at time zone ${timezone}`)] : []),
]

const before = (table: { at: PgColumn; id: PgColumn }, cursor: string) => {
  const [ms, lastId] = readCursor(cursor, z.tuple([z.int().min(0).max(8_000_000_000_000), id]))
  return sql`(${table.at}, ${table.id}) < (${new Date(ms).toISOString()}::timestamptz, ${lastId}::uuid)`
}
