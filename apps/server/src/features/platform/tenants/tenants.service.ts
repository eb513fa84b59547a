import { plainIdentity } from '@balcao/contract/identity.ts'
import type { Tenant, TenantCreate, TenantUpdate, tenantsQuery } from '@balcao/contract/platform/tenants.ts'
import { and, asc, count, eq, gt, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Tx, withPlatform } from '../../../db/database.ts'
import { tenants } from '../../../db/schema/platform/companies.ts'
import type { Actor } from '../../../kit/actor.ts'
import { likePattern, readCursor, toPage } from '../../../kit/cursor.ts'
import { AppError } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { invalidateDirectory } from '../../core/directory/directory.ts'
import { inTenant, writePlatformAudit } from '../../core/platform-audit/platform-audit.ts'
import { openPassword } from '../../people/auth/login.service.ts'
import { hashPassword } from '../../people/auth/passwords.ts'
import { endTenantSessions } from '../../people/auth/sessions.ts'
import { foundCompany } from './founding.ts'

const columns = {
  id: tenants.id,
  name: tenants.name,
  status: tenants.status,
  identity: tenants.identity,
  timezone: tenants.timezone,
  maxUsers: tenants.maxUsers,
  maxConnections: tenants.maxConnections,
  allowedChannels: tenants.allowedChannels,
  maxContacts: tenants.maxContacts,
  maxStorageMb: tenants.maxStorageMb,
  menuVisibility: tenants.menuVisibility,
  version: tenants.version,
  createdAt: tenants.createdAt,
  updatedAt: tenants.updatedAt,
  // Written out: in a select of one table drizzle leaves the table's name away, here it is needed.
  usersCount: sql`(select count(*) from users u where u.tenant_id = tenants.id and u.deleted_at is null)`.mapWith(
    Number,
  ),
  connectionsCount:
    sql`(select count(*) from connections c where c.tenant_id = tenants.id and c.deleted_at is null)`.mapWith(Number),
}
type Row = Omit<Tenant, 'createdAt' | 'updatedAt'> & { createdAt: Date; updatedAt: Date }

const present = (row: Row): Tenant => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** The companies; the platform itself (id 0) is none of them. */
const isCompany = gt(tenants.id, 0)
const byName = sql<string>`norm(${tenants.name})`

export const listTenants = (query: z.output<typeof tenantsQuery>) =>
  withPlatform('tenants', async (tx) => {
    const limit = query.limit ?? 40
    const identity = plainIdentity(query.searchParam)
    const matches = and(
      isCompany,
      query.status ? eq(tenants.status, query.status) : undefined,
      query.searchParam
        ? or(
            sql`${byName} like norm(${likePattern(query.searchParam)})`,
            identity ? sql`${tenants.identity} like ${likePattern(identity)}` : undefined,
          )
        : undefined,
    )
    const rows = await tx.db
      .select({ ...columns, key: byName })
      .from(tenants)
      .where(and(matches, query.cursor ? after(query.cursor) : undefined))
      .orderBy(asc(byName), asc(tenants.id))
      .limit(limit + 1)
      .offset(query.cursor ? 0 : (query.pageNumber - 1) * limit)
    const page = toPage(rows, limit, (row) => [row.key, row.id])
    const [total] = query.count ? await tx.db.select({ count: count() }).from(tenants).where(matches) : []
    return {
      ...page,
      items: page.items.map(({ key: _, ...row }) => present(row)),
      ...(total && { count: total.count }),
    }
  })

const after = (cursor: string) => {
  const [name, id] = readCursor(cursor, z.tuple([z.string(), z.int32()]))
  return sql`(${byName}, ${tenants.id}) > (${name}, ${id})`
}

export const getTenant = (id: number) => withPlatform('tenants', (tx) => readTenant(tx, id))

export const createTenant = async (actor: Actor, input: TenantCreate) => {
  const { adminName, adminEmail, adminPassword, ...company } = input
  const passwordHash = await hashPassword(await openPassword(adminPassword), 'adminPassword')
  return withPlatform('tenants', async (tx) => {
    const { tenantId } = await foundCompany(tx, company, { name: adminName, email: adminEmail, passwordHash })
    await writePlatformAudit(tx, {
      userId: actor.userId,
      tenantId,
      action: 'tenant.created',
      details: { ...company, adminEmail },
    })
    tx.afterCommit(() => invalidateDirectory(tenantId))
    return readTenant(tx, tenantId)
  })
}

/** Suspending or closing ends every session of the company. */
export const updateTenant = (actor: Actor, id: number, input: TenantUpdate) =>
  withPlatform('tenants', async (tx) => {
    const { version, ...fields } = input
    await tx.db
      .select({ id: tenants.id })
      .from(tenants)
      .where(and(isCompany, eq(tenants.id, id)))
      .for('update')
    const before = await readTenant(tx, id)
    if (version !== undefined && version !== before.version)
      throw new AppError('ERR_CONFLICT', { details: { current: before } })
    await tx.db
      .update(tenants)
      .set({ ...fields, version: sql`${tenants.version} + 1`, updatedAt: new Date() })
      .where(eq(tenants.id, id))
    const after = await readTenant(tx, id)
    await writePlatformAudit(tx, {
      userId: actor.userId,
      tenantId: id,
      action: after.status === before.status ? 'tenant.updated' : `tenant.${becameOf[after.status]}`,
      details: { before, after },
    })
    const there = inTenant(tx, id)
    if (after.status !== before.status && after.status !== 'active') await endTenantSessions(there)
    else await emit(there, 'settings.updated', { keys: Object.keys(fields) }, { kind: 'permission', can: 'self.write' })
    tx.afterCommit(() => invalidateDirectory(id))
    return after
  })

const becameOf = { active: 'resumed', suspended: 'suspended', closed: 'closed' } as const

const readTenant = async (tx: Tx, id: number) => {
  const [row] = await tx.db
    .select(columns)
    .from(tenants)
    .where(and(isCompany, eq(tenants.id, id)))
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return present(row)
}
