import type { MenuVisibility } from '@balcao/contract/permissions.ts'
import { sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { Tx } from '../../../db/database.ts'
import { tenants } from '../../../db/schema/platform/companies.ts'
import { queueMembers, queues } from '../../../db/schema/service/queues.ts'
import { insertUser } from '../../people/users/insert-user.ts'

type Company = {
  name: string
  identity?: string
  timezone?: string
  maxUsers?: number
  maxConnections?: number
  maxContacts?: number | null
  maxStorageMb?: number | null
  menuVisibility?: MenuVisibility
}

/** Makes a company ready for work: its row, its administrator and a first queue. Needs a platform transaction. */
export const foundCompany = async (
  tx: Tx,
  company: Company,
  admin: { name: string; email: string; passwordHash: string },
) => {
  await tx.db.execute(sql`lock table ${tenants} in share row exclusive mode`) // one id after the other
  const [last] = await tx.db.select({ id: sql<number>`coalesce(max(${tenants.id}), 0)` }).from(tenants)
  const tenantId = Number(last?.id ?? 0) + 1
  const [adminId, queueId] = [v7(), v7()]
  await tx.db.insert(tenants).values({ id: tenantId, ...company })
  await insertUser(tx, { tenantId, id: adminId, ...admin, profile: 'admin' })
  await tx.db.insert(queues).values({ tenantId, id: queueId, name: 'Atendimento', color: '#0b7a75' })
  await tx.db.insert(queueMembers).values({ tenantId, queueId, userId: adminId })
  return { tenantId, adminId }
}
