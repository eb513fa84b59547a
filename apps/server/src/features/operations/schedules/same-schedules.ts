import type { Schedule } from '@balcao/contract/operations/schedules.ts'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { schedules } from '../../../db/schema/operations/schedules.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudits } from '../../../kit/audit.ts'
import { emitScheduled } from './schedules.events.ts'
import { readSchedules } from './schedules.queries.ts'

/**
 * What was scheduled together with this one to other groups, waits as it does, and is still for the same time: one
 * transaction made them all, at one moment.
 */
export const lockSame = async (tx: Tx, visible: SQL | undefined, one: Schedule): Promise<Schedule[]> => {
  const { rows } = await tx.db.execute<{ id: string }>(sql`select s.id ${same(tx, visible, one)} for update of s`)
  return readSchedules(
    tx,
    rows.map(({ id }) => id),
  )
}
export const countSame = async (tx: Tx, visible: SQL | undefined, one: Schedule): Promise<number> => {
  const { rows } = await tx.db.execute<{ count: number }>(sql`select count(*)::int as count ${same(tx, visible, one)}`)
  return rows[0]?.count ?? 0
}
const same = ({ tenantId }: Tx, visible: SQL | undefined, { id, scheduleDate, contact, state }: Schedule) =>
  sql`from schedules o join schedules s on s.tenant_id = o.tenant_id and s.due_at = o.due_at and s.created_at = o.created_at
      and s.created_by = o.created_by and s.id <> o.id and s.state = 'pending'
    join contacts c on c.tenant_id = s.tenant_id and c.id = s.contact_id and c.is_group
    left join messages m on m.tenant_id = s.tenant_id and m.id = s.message_id
    where o.tenant_id = ${tenantId} and o.id = ${id} and o.due_at = ${scheduleDate}::timestamptz
      and ${contact.isGroup && state === 'pending'} and ${visible ?? sql`true`}`

type Change = Partial<typeof schedules.$inferInsert>
/** Changes them as the first was, and says so. */
export const changeSame = async (tx: Tx, actor: Actor, action: string, same: Schedule[], change: Change) => {
  if (!same.length) return
  const ids = same.map(({ id }) => id)
  await tx.db
    .update(schedules)
    .set({ ...change, version: sql`${schedules.version} + 1`, updatedAt: sql`now()` })
    .where(and(eq(schedules.tenantId, tx.tenantId), inArray(schedules.id, ids)))
  const after = await readSchedules(tx, ids)
  const before = new Map(same.map((one) => [one.id, one]))
  await writeAudits(
    tx,
    actor,
    after.map((one) => ({ action, entity: 'schedule', entityId: one.id, before: before.get(one.id), after: one })),
  )
  await emitScheduled(tx, after, 'schedule.updated')
}
