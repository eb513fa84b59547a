import type { UserTenant, userTenantsQuery } from '@balcao/contract/people/user-tenants.ts'
import { and, asc, count, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../../db/database.ts'
import { users } from '../../../db/schema/people/users.ts'
import { tenants } from '../../../db/schema/platform/companies.ts'
import { likePattern, readCursor, toPage } from '../../../kit/cursor.ts'

const columns = {
  id: users.id,
  tenantId: users.tenantId,
  tenant: { id: tenants.id, name: tenants.name, status: tenants.status },
  name: users.name,
  email: users.email,
  profile: users.profile,
  role: sql<
    UserTenant['role']
  >`(select jsonb_build_object('id', r.id, 'name', r.name) from roles r where r.tenant_id = users.tenant_id and r.id = users.role_id)`,
  isSupport: users.isSupport,
  isBlocked: users.isBlocked,
  isOnline: users.isOnline,
  lastLoginAt: users.lastLoginAt,
  version: users.version,
  createdAt: users.createdAt,
  updatedAt: users.updatedAt,
}
type Row = Omit<UserTenant, 'lastLoginAt' | 'createdAt' | 'updatedAt'> &
  Pick<typeof users.$inferSelect, 'lastLoginAt' | 'createdAt' | 'updatedAt'>

const present = (row: Row): UserTenant => ({
  ...row,
  lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const byName = sql<string>`norm(${users.name})`
/** The living people of companies; the platform's own (company 0) are not among them. */
const living = and(gt(users.tenantId, 0), isNull(users.deletedAt))

/** The people of all companies, by name. Needs a platform transaction. */
export const listUserTenants = async (tx: Tx, query: z.output<typeof userTenantsQuery>) => {
  const limit = query.limit ?? 40
  const matches = and(
    living,
    query.tenantId ? eq(users.tenantId, query.tenantId) : undefined,
    query.id ? eq(users.id, query.id) : undefined,
    query.profile.length ? inArray(users.profile, query.profile) : undefined,
    query.isSupport === undefined ? undefined : eq(users.isSupport, query.isSupport),
    query.searchParam
      ? or(
          sql`${byName} like norm(${likePattern(query.searchParam)})`,
          sql`${users.email} like ${likePattern(query.searchParam.toLowerCase())}`,
          sql`norm(${tenants.name}) like norm(${likePattern(query.searchParam)})`,
        )
      : undefined,
  )
  const rows = await tx.db
    .select({ ...columns, key: byName })
    .from(users)
    .innerJoin(tenants, eq(tenants.id, users.tenantId))
    .where(and(matches, query.cursor ? after(query.cursor) : undefined))
    .orderBy(asc(byName), asc(sql`${users.id}::text`))
    .limit(limit + 1)
    .offset(query.cursor ? 0 : (query.pageNumber - 1) * limit)
  const page = toPage(rows, limit, (row) => [row.key, row.id])
  const [total] = query.count
    ? await tx.db
        .select({ count: count() })
        .from(users)
        .innerJoin(tenants, eq(tenants.id, users.tenantId))
        .where(matches)
    : []
  return {
    ...page,
    items: page.items.map(({ key: _, ...row }) => present(row)),
    ...(total && { count: total.count }),
  }
}

const after = (cursor: string) => {
  const [name, id] = readCursor(cursor, z.tuple([z.string(), z.uuid()]))
  return sql`(${byName}, ${users.id}::text) > (${name}, ${id})`
}

export const findUserTenant = async (tx: Tx, tenantId: number, id: string): Promise<UserTenant | undefined> => {
  const [row] = await tx.db
    .select(columns)
    .from(users)
    .innerJoin(tenants, eq(tenants.id, users.tenantId))
    .where(and(living, eq(users.tenantId, tenantId), eq(users.id, id)))
  return row && present(row)
}
