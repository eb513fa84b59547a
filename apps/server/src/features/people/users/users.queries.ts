import type { User, usersQuery } from '@balcao/contract/people/users.ts'
import { userConfigs } from '@balcao/contract/people/users.ts'
import { and, asc, count, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../../db/database.ts'
import { users } from '../../../db/schema/people/users.ts'
import { queueMembers, queues } from '../../../db/schema/service/queues.ts'
import { likePattern, readCursor, toPage } from '../../../kit/cursor.ts'

const columns = {
  id: users.id,
  name: users.name,
  email: users.email,
  profile: users.profile,
  // Written out: in a select of one table drizzle leaves the table's name away, here it is needed.
  role: sql<
    User['role']
  >`(select jsonb_build_object('id', r.id, 'name', r.name) from roles r where r.tenant_id = users.tenant_id and r.id = users.role_id)`,
  isSupport: users.isSupport,
  isBlocked: users.isBlocked,
  isOnline: users.isOnline,
  awaySince: users.awaySince,
  awayReason: users.awayReason,
  capacity: users.capacity,
  configs: users.configs,
  menuPermissions: users.menuPermissions,
  allowedHours: users.allowedHours,
  lastLoginAt: users.lastLoginAt,
  version: users.version,
  createdAt: users.createdAt,
  updatedAt: users.updatedAt,
  queues: sql<
    User['queues']
  >`coalesce((select jsonb_agg(jsonb_build_object('id', q.id, 'name', q.name, 'color', q.color) order by q.name)
    from queue_members m join queues q on q.tenant_id = m.tenant_id and q.id = m.queue_id
    where m.tenant_id = users.tenant_id and m.user_id = users.id), '[]')`,
}
type Row = Omit<User, 'configs' | 'awaySince' | 'lastLoginAt' | 'createdAt' | 'updatedAt'> &
  Pick<typeof users.$inferSelect, 'configs' | 'awaySince' | 'lastLoginAt' | 'createdAt' | 'updatedAt'>

export const presentUser = (row: Row): User => ({
  ...row,
  configs: userConfigs.parse(row.configs),
  awaySince: row.awaySince?.toISOString() ?? null,
  lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const living = (tx: Tx) => and(eq(users.tenantId, tx.tenantId), isNull(users.deletedAt))

export const findUser = async (tx: Tx, id: string): Promise<User | undefined> => {
  const [row] = await tx.db
    .select(columns)
    .from(users)
    .where(and(living(tx), eq(users.id, id)))
  return row && presentUser(row)
}

/** Holds the row until the transaction ends, so that two editors follow one another. */
export const lockUser = async (tx: Tx, id: string) => {
  await tx.db
    .select({ id: users.id })
    .from(users)
    .where(and(living(tx), eq(users.id, id)))
    .for('update')
  return findUser(tx, id)
}

const msOf = (column: typeof users.createdAt | typeof users.lastLoginAt) =>
  sql<number>`coalesce((extract(epoch from ${column}) * 1000)::bigint, 0)`
const sortKeys = {
  name: sql<string>`norm(${users.name})`,
  email: sql<string>`${users.email}`,
  createdAt: msOf(users.createdAt),
  lastLoginAt: msOf(users.lastLoginAt),
}

export const listUsers = async (tx: Tx, query: z.output<typeof usersQuery>) => {
  const limit = query.limit ?? 40
  const key = sortKeys[query.sort]
  const matches = and(
    living(tx),
    query.profile.length ? inArray(users.profile, query.profile) : undefined,
    query.searchParam
      ? or(
          sql`norm(${users.name}) like norm(${likePattern(query.searchParam)})`,
          sql`${users.email} like ${likePattern(query.searchParam.toLowerCase())}`,
        )
      : undefined,
  )
  const order = query.direction === 'asc' ? asc : desc
  const rows = await tx.db
    .select({ ...columns, key })
    .from(users)
    .where(and(matches, query.cursor ? after(query, key) : undefined))
    .orderBy(order(key), order(sql`${users.id}::text`))
    .limit(limit + 1)
    .offset(query.cursor ? 0 : (query.pageNumber - 1) * limit)
  const page = toPage(rows, limit, (row) => [row.key, row.id])
  const [total] = query.count ? await tx.db.select({ count: count() }).from(users).where(matches) : []
  return {
    ...page,
    items: page.items.map(({ key: _, ...row }) => presentUser(row)),
    ...(total && { count: total.count }),
  }
}

const after = ({ sort, direction, cursor = '' }: z.output<typeof usersQuery>, key: SQL) => {
  const [last, id] = readCursor(cursor, sort === 'name' || sort === 'email' ? textKey : momentKey)
  const side = direction === 'asc' ? sql`>` : sql`<`
  return sql`(${key}, ${users.id}::text) ${side} (${last}, ${id})`
}
const textKey: z.ZodType<Key> = z.tuple([z.string(), z.uuid()])
const momentKey: z.ZodType<Key> = z.tuple([z.int(), z.uuid()])
type Key = [string | number, string]

export const countQueues = async (tx: Tx, ids: string[]) => {
  const [row] = await tx.db
    .select({ count: count() })
    .from(queues)
    .where(and(eq(queues.tenantId, tx.tenantId), inArray(queues.id, ids)))
  return row?.count ?? 0
}

export const setQueues = async (tx: Tx, userId: string, queueIds: string[]) => {
  await tx.db.delete(queueMembers).where(and(eq(queueMembers.tenantId, tx.tenantId), eq(queueMembers.userId, userId)))
  if (queueIds.length)
    await tx.db.insert(queueMembers).values(queueIds.map((queueId) => ({ tenantId: tx.tenantId, queueId, userId })))
}
