import type { CalendarConfig } from '@balcao/contract/sales/calendar.ts'
import { type Prepared, withTenant } from '../../../db/database.ts'
import { loadIntegration } from '../../../integrations/index.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError } from '../../../kit/errors.ts'
import {
  contextOf,
  dropIntegration,
  integrationsOfFamily,
  requireIntegration,
} from '../../core/integrations/integrations.service.ts'

/** The calendar of an account, ready to be asked; undefined where there is no such account. */
export const openCalendar = async (tenantId: number, integrationId: string) => {
  const row = await requireIntegration(tenantId, integrationId).catch((error) => {
    if (error instanceof AppError) return undefined
    throw error
  })
  if (row?.kind !== 'googleCalendar') return undefined
  const { calendar } = await loadIntegration('googleCalendar')
  return calendar && { calendar, context: contextOf({ ...row, kind: 'googleCalendar' as const }) }
}
export type OpenCalendar = NonNullable<Awaited<ReturnType<typeof openCalendar>>>

/** The company's calendars, with how they are kept in step. */
export const listCalendars = (tenantId: number): Promise<CalendarConfig[]> =>
  withTenant(tenantId, async (tx) => {
    const rows = await integrationsOfFamily(tx, 'calendar')
    const syncs = await tx.rows<SyncState>(states, [tenantId])
    return rows.map((row) => {
      const sync = syncs.find(({ integrationId }) => integrationId === row.id)
      return {
        ...row,
        syncedAt: sync?.syncedAt?.toISOString() ?? null,
        problem: sync?.problem ?? null,
        isLeaving: sync?.isLeaving ?? false,
      }
    })
  })
export const getCalendar = async (tenantId: number, id: string): Promise<CalendarConfig> => {
  const found = (await listCalendars(tenantId)).find((one) => one.id === id)
  if (!found) throw new AppError('ERR_NOT_FOUND')
  return found
}

/** Compares both sides now; the loop does it. */
export const syncNow = async ({ tenantId }: Actor, id: string): Promise<CalendarConfig> => {
  await getCalendar(tenantId, id)
  await withTenant(tenantId, (tx) => tx.rows(dueNow, [tenantId, id]))
  return getCalendar(tenantId, id)
}

/** What is ours is taken out of it first, by the loop; one that never was in step goes at once. */
export const disconnectCalendar = async (actor: Actor, id: string): Promise<void> => {
  const { tenantId } = actor
  await getCalendar(tenantId, id)
  await withTenant(tenantId, async (tx) => {
    await writeAudit(tx, actor, { action: 'integration.disconnected', entity: 'integration', entityId: id })
    if ((await tx.rows(leave, [tenantId, id])).length) return
    await dropIntegration(tx, id)
  })
}
export const removeAccount = (tenantId: number, id: string) =>
  withTenant(tenantId, async (tx) => {
    await tx.rows(forget, [tenantId, id])
    await dropIntegration(tx, id)
  })

type SyncState = { integrationId: string; syncedAt: Date | null; problem: string | null; isLeaving: boolean }
const states: Prepared = {
  name: 'calendar_states',
  text: `select integration_id as "integrationId", synced_at as "syncedAt", problem, is_leaving as "isLeaving" from calendar_syncs
    where tenant_id = $1`,
}
const dueNow: Prepared = {
  name: 'calendar_due_now',
  text: `update calendar_syncs set due_at = date_trunc('milliseconds', now()) where tenant_id = $1 and integration_id = $2`,
}
const leave: Prepared = {
  name: 'calendar_leave',
  text: `update calendar_syncs set is_leaving = true, due_at = date_trunc('milliseconds', now())
    where tenant_id = $1 and integration_id = $2 returning id`,
}
const forget: Prepared = {
  name: 'calendar_forget',
  text: 'delete from calendar_syncs where tenant_id = $1 and integration_id = $2',
}
