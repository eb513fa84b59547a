import { v7 } from 'uuid'
import { type Prepared, withTenant } from '../../../db/database.ts'
import { env } from '../../../env.ts'
import { type AnEvent, type EventDraft, IntegrationError } from '../../../integrations/adapter.ts'
import { AppError } from '../../../kit/errors.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { changeOpportunityByRule } from '../funnel/opportunities.service.ts'
import { type OpenCalendar, openCalendar, removeAccount } from './accounts.ts'
import { keepEvents } from './events.queries.ts'

export type Sync = {
  tenantId: number
  id: string
  integrationId: string
  syncToken: string | null
  isLeaving: boolean
  attempts: number
}
/** What moved a forecast, as its story tells it. */
const rule = 'Google Agenda'
const pushedAtOnce = 200

/** Reads what changed there, moves what was moved, and writes what changed here. True: there is more to write. */
export const syncCalendar = async (sync: Sync): Promise<boolean> => {
  const open = await openCalendar(sync.tenantId, sync.integrationId)
  if (sync.isLeaving) return leave(sync, open)
  if (!open) return false
  await pull(sync, open)
  return push(sync, open)
}

const pull = async ({ tenantId, id, integrationId, syncToken }: Sync, { calendar, context }: OpenCalendar) => {
  const asked = await calendar.changes(syncToken, context)
  const changed = asked === 'stale' ? await calendar.changes(null, context) : asked
  if (changed === 'stale') throw new AppError('ERR_TOO_SLOW')
  const isWhole = syncToken === null || asked === 'stale'
  const directory = await getDirectory(tenantId)
  await withTenant(tenantId, async (tx) => {
    const ours = changed.events.flatMap(({ mark }) => (mark ? [mark] : []))
    const known = await tx.rows<Known>(knownOf, [tenantId, integrationId, ours])
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: directory.timezone }).format(new Date())
    for (const { event, opportunity, day } of movedAmong(changed.events, known, directory.timezone)) {
      // The newer of both wins: what was written down here since stays, and is written there again.
      if (opportunity.forecastAt && event.updatedAt <= opportunity.forecastAt) continue
      if (day < today && opportunity.closingForecast && opportunity.closingForecast < day) continue
      const patch = { closingForecast: day }
      await changeOpportunityByRule(tx, directory, {
        id: opportunity.id,
        rule,
        patch,
        isStill: (now) => now.status === 'open',
      })
    }
    if (isWhole) await tx.rows(forgetForeign, [tenantId, integrationId])
    await keepEvents(tx, integrationId, changed.events)
    const listed = changed.events.map((event) => event.id)
    if (isWhole) await tx.rows(writeAgain, [tenantId, integrationId, listed])
    await tx.rows(keepToken, [tenantId, id, changed.next])
  })
}

type Known = {
  id: string
  closingForecast: string | null
  /** When its forecast was last written down. */
  forecastAt: Date | null
  /** Where its event last stood. */
  eventDay: string | null
}
/** Events of ours that stand on another day than the one both sides knew. */
const movedAmong = (events: readonly AnEvent[], known: readonly Known[], timeZone: string) =>
  events.flatMap((event) => {
    const opportunity = known.find(({ id }) => id === event.mark)
    if (!opportunity || event.isGone || !event.start) return []
    const day =
      'day' in event.start ? event.start.day : new Intl.DateTimeFormat('en-CA', { timeZone }).format(event.start.at)
    return day === opportunity.eventDay || day === opportunity.closingForecast ? [] : [{ event, opportunity, day }]
  })

const push = async ({ tenantId, integrationId }: Sync, { calendar, context }: OpenCalendar): Promise<boolean> => {
  const gone = await withTenant(tenantId, (tx) =>
    tx.rows<{ eventId: string }>(toRemove, [tenantId, integrationId, pushedAtOnce]),
  )
  for (const { eventId } of gone) {
    await calendar.remove(eventId, context)
    await withTenant(tenantId, (tx) => tx.rows(markGone, [tenantId, integrationId, eventId]))
  }
  const wanted = await withTenant(tenantId, (tx) => tx.rows<Wanted>(toWrite, [tenantId, integrationId, pushedAtOnce]))
  for (const one of wanted) {
    const event = await calendar.put(one.eventId ?? eventIdOf(one.id), draftOf(one), context)
    await withTenant(tenantId, (tx) => keepEvents(tx, integrationId, [event], one.fingerprint))
  }
  return gone.length + wanted.length >= pushedAtOnce
}

/** Nothing of ours stays behind; then the account goes, with what was known of it. Without its consent it goes as it is. */
const leave = async ({ tenantId, integrationId }: Sync, open: OpenCalendar | undefined): Promise<boolean> => {
  try {
    if (await takeOut(tenantId, integrationId, open)) return true
  } catch (error) {
    // Whoever does not let us in any more keeps what is there.
    const isLost = error instanceof AppError || (error instanceof IntegrationError && !error.isPassing)
    if (!isLost) throw error
  }
  await removeAccount(tenantId, integrationId)
  return false
}
const takeOut = async (tenantId: number, integrationId: string, open: OpenCalendar | undefined): Promise<boolean> => {
  if (!open) return false
  const ours = await withTenant(tenantId, (tx) =>
    tx.rows<{ eventId: string }>(allOurs, [tenantId, integrationId, pushedAtOnce]),
  )
  for (const { eventId } of ours) {
    await open.calendar.remove(eventId, open.context)
    await withTenant(tenantId, (tx) => tx.rows(markGone, [tenantId, integrationId, eventId]))
  }
  return ours.length >= pushedAtOnce
}

type Wanted = {
  id: string
  eventId: string | null
  name: string
  contact: string
  value: number
  description: string
  closingForecast: string
  fingerprint: string
}
/** Of an opportunity always the same: written twice it is one event. Letters a to v and digits are allowed. */
const eventIdOf = (opportunityId: string) => `b${opportunityId.replaceAll('-', '')}`
const draftOf = ({ id, name, contact, value, description, closingForecast }: Wanted): EventDraft => {
  const money = (value / 100).toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' })
  const next = new Date(Date.parse(`${closingForecast}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
  return {
    summary: `${name} · ${contact}`,
    description: [money, description, `${env.PUBLIC_URL}/funil/kanban?registro=${id}`].filter(Boolean).join('\n\n'),
    location: '',
    start: { day: closingForecast },
    end: { day: next },
    attendees: null,
    mark: id,
  }
}
export const newEventId = () => `b${v7().replaceAll('-', '')}`

const knownOf: Prepared = {
  name: 'calendar_known',
  text: `select o.id, o.closing_forecast::text as "closingForecast", e.start_day::text as "eventDay",
      (select max(m.created_at) from opportunity_moves m where m.tenant_id = o.tenant_id and m.opportunity_id = o.id
        and m.kind in ('forecast', 'created')) as "forecastAt"
    from opportunities o left join calendar_events e on e.tenant_id = o.tenant_id and e.integration_id = $2 and e.opportunity_id = o.id
    where o.tenant_id = $1 and o.id::text = any($3::text[]) and o.status = 'open'`,
}
const forgetForeign: Prepared = {
  name: 'calendar_forget_foreign',
  text: 'delete from calendar_events where tenant_id = $1 and integration_id = $2 and opportunity_id is null',
}
/** Ours that a whole list lacks: the account is another one, or has lost them. */
const writeAgain: Prepared = {
  name: 'calendar_write_again',
  text: `update calendar_events set pushed = null where tenant_id = $1 and integration_id = $2
    and opportunity_id is not null and not is_gone and event_id <> all($3::text[])`,
}
const keepToken: Prepared = {
  name: 'calendar_keep_token',
  text: 'update calendar_syncs set sync_token = $3 where tenant_id = $1 and id = $2',
}
const fingerprint = `md5(concat_ws('|', o.closing_forecast, o.name, c.name, o.value, o.description))`
/** Open, with a forecast of the last month or later, and not written there as they are now. */
const toWrite: Prepared = {
  name: 'calendar_to_write',
  text: `select o.id, e.event_id as "eventId", o.name, c.name as contact, o.value, o.description,
      o.closing_forecast::text as "closingForecast", ${fingerprint} as fingerprint
    from opportunities o join contacts c on c.tenant_id = o.tenant_id and c.id = o.contact_id
      left join calendar_events e on e.tenant_id = o.tenant_id and e.integration_id = $2 and e.opportunity_id = o.id
    where o.tenant_id = $1 and o.status = 'open' and o.closing_forecast > current_date - 31
      and e.pushed is distinct from ${fingerprint}
    order by o.closing_forecast, o.id limit $3`,
}
/** Their forecast was taken away, they were lost or deleted; what was won stays in the calendar. */
const toRemove: Prepared = {
  name: 'calendar_to_remove',
  text: `select e.event_id as "eventId" from calendar_events e
      left join opportunities o on o.tenant_id = e.tenant_id and o.id = e.opportunity_id
    where e.tenant_id = $1 and e.integration_id = $2 and e.opportunity_id is not null and not e.is_gone
      and (o.id is null or o.status = 'lose' or o.closing_forecast is null) limit $3`,
}
const allOurs: Prepared = {
  name: 'calendar_all_ours',
  text: `select event_id as "eventId" from calendar_events
    where tenant_id = $1 and integration_id = $2 and opportunity_id is not null and not is_gone limit $3`,
}
const markGone: Prepared = {
  name: 'calendar_mark_gone',
  text: `update calendar_events set is_gone = true, pushed = null where tenant_id = $1 and integration_id = $2 and event_id = $3`,
}
