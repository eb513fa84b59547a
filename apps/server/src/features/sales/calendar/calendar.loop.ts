import { type Prepared, platformRows } from '../../../db/database.ts'
import { IntegrationError } from '../../../integrations/adapter.ts'
import { AppError } from '../../../kit/errors.ts'
import { createLimit } from '../../../kit/limit.ts'
import { log } from '../../../kit/log.ts'
import type { Round } from '../../../kit/workers.ts'
import { recordState } from '../../core/integrations/integrations.service.ts'
import { type Sync, syncCalendar } from './sync.ts'

const atOnce = 10
const inTurn = createLimit(3)

/** An account whose owner has consented and that is not kept in step yet, or one whose moment has come. */
export const isCalendarDue = `select from integrations i join oauth_grants g on g.tenant_id = i.tenant_id and g.integration_id = i.id
    and g.revoked_at is null where i.family = 'calendar'
    and not exists (select from calendar_syncs s where s.tenant_id = i.tenant_id and s.integration_id = i.id)
  union all select from calendar_syncs where due_at <= now()`

/**
 * Compares calendars with forecasts, each once a minute. A claim moves the row on by some minutes: a process that dies
 * leaves it to the next then, and whatever was done twice is the same event.
 */
export const syncDueCalendars = async (): Promise<Round> => {
  await platformRows(begin, [])
  const due = await platformRows<Sync>(claim, [atOnce])
  await Promise.all(due.map((one) => inTurn(() => attempt(one))))
  return { did: due.length, isMore: due.length === atOnce }
}

const attempt = async (sync: Sync) => {
  const { tenantId, id, integrationId } = sync
  try {
    const isMore = await syncCalendar(sync)
    await platformRows(settle, [tenantId, id, isMore])
  } catch (error) {
    const told = error instanceof IntegrationError || error instanceof AppError
    if (!told) log.error({ err: error, tenantId, integrationId }, 'calendar not synchronised')
    const text = told ? error.message : 'Não conseguimos comparar a agenda agora. Tentaremos de novo.'
    const isPassing = !told || (error instanceof IntegrationError && error.isPassing)
    const waitS = (error instanceof IntegrationError && error.againInS) || waitAfter(sync.attempts, isPassing)
    await platformRows(postpone, [tenantId, id, text, waitS])
    if (!isPassing) await recordState(tenantId, integrationId, { ok: false, text })
  }
}
/** 30, 60, 120… seconds up to half an hour, and not everybody at once; what a person has to mend is looked at now and then. */
const waitAfter = (attempts: number, isPassing: boolean) =>
  isPassing ? Math.min(1_800, 30 * 2 ** Math.min(attempts, 6)) * (0.75 + Math.random() / 2) : 900

const begin: Prepared = {
  name: 'calendars_begin',
  text: `insert into calendar_syncs (tenant_id, id, integration_id, due_at)
    select i.tenant_id, gen_random_uuid(), i.id, date_trunc('milliseconds', now()) from integrations i
      join oauth_grants g on g.tenant_id = i.tenant_id and g.integration_id = i.id and g.revoked_at is null
    where i.family = 'calendar' and not exists (select from calendar_syncs s where s.tenant_id = i.tenant_id and s.integration_id = i.id)
    on conflict do nothing`,
}
const claim: Prepared = {
  name: 'calendars_claim',
  text: `with due as (
      select s.tenant_id, s.id from calendar_syncs s join tenants t on t.id = s.tenant_id and t.status = 'active'
      where s.due_at <= now() order by s.due_at limit $1 for update of s skip locked
    )
    update calendar_syncs s set due_at = now() + interval '5 minutes' from due where s.tenant_id = due.tenant_id and s.id = due.id
    returning s.tenant_id as "tenantId", s.id, s.integration_id as "integrationId", s.sync_token as "syncToken",
      s.is_leaving as "isLeaving", s.attempts`,
}
const settle: Prepared = {
  name: 'calendars_settle',
  text: `update calendar_syncs set due_at = case when $3::boolean then now() else now() + interval '1 minute' end,
      attempts = 0, problem = null, synced_at = now() where tenant_id = $1 and id = $2`,
}
const postpone: Prepared = {
  name: 'calendars_postpone',
  text: `update calendar_syncs set due_at = now() + make_interval(secs => $4), attempts = attempts + 1, problem = $3
    where tenant_id = $1 and id = $2`,
}
