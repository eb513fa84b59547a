import type { Prepared, Tx } from '../../../db/database.ts'
import { closedSince, openedSince } from '../reports/today-sql.ts'

/** Midnight where the company is; $2 is its time zone. */
const today = `date_trunc('day', now() at time zone $2) at time zone $2`

const active: Prepared = {
  name: 'dashboard_active',
  text: `select t.queue_id as "queueId", t.user_id as "userId", t.status, count(*) as tickets,
      extract(epoch from now() - min(t.waiting_since))::float8 as "longestWaitS"
    from tickets t where t.tenant_id = $1 and t.status in ('open', 'pending') group by 1, 2, 3`,
}
export type ActiveLoad = {
  queueId: string | null
  userId: string | null
  status: 'open' | 'pending'
  tickets: number
  longestWaitS: number | null
}
export const activeLoads = (tx: Tx) => tx.rows<ActiveLoad>(active, [tx.tenantId])

const closed: Prepared = {
  name: 'dashboard_closed',
  text: `select c.queue_id as "queueId", c.user_id as "userId", count(*) as tickets from ${closedSince(today)} c group by 1, 2`,
}
export type ClosedLoad = { queueId: string | null; userId: string | null; tickets: number }
export const closedLoads = (tx: Tx, timezone: string) => tx.rows<ClosedLoad>(closed, [tx.tenantId, timezone])

const created: Prepared = {
  name: 'dashboard_created',
  text: `select count(*) as tickets,
      ${today} as midnight, now() as "asOf", (select count(*) from contacts c where c.tenant_id = $1 and c.created_at >= ${today} and c.merged_into_id is null) as contacts
    from ${openedSince(today)} o`,
}
export type CreatedToday = { tickets: number; contacts: number; midnight: Date; asOf: Date }
export const createdToday = (tx: Tx, timezone: string) => tx.rows<CreatedToday>(created, [tx.tenantId, timezone])

const hours: Prepared = {
  name: 'dashboard_hours',
  text: `select extract(hour from m.created_at at time zone $2)::int as hour, m.created_at < $4 as "isSettled",
      count(*) filter (where not m.from_me) as received, count(*) filter (where m.from_me) as sent
    from messages m where m.tenant_id = $1 and m.created_at >= $3 and m.type not in ('note', 'system') group by 1, 2`,
}
export type HourLoad = { hour: number; received: number; sent: number }
/** Messages since a moment, those before `settled` apart. */
export const messagesByHour = (tx: Tx, timezone: string, since: Date, settled: Date) =>
  tx.rows<HourLoad & { isSettled: boolean }>(hours, [tx.tenantId, timezone, since, settled])
