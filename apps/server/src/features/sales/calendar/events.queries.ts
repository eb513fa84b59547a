import type { CalendarEvent, CalendarEventsQuery } from '@balcao/contract/sales/calendar.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { AnEvent, EventTime } from '../../../integrations/adapter.ts'

const dayOf = (time: EventTime | null) => (time && 'day' in time ? time.day : null)
const momentOf = (time: EventTime | null) => (time && 'at' in time ? time.at.toISOString() : null)

/** Events as their provider shows them; `pushed`: the fingerprint of what we have just written on them. */
export const keepEvents = async (tx: Tx, integrationId: string, events: readonly AnEvent[], pushed?: string) => {
  if (!events.length) return
  const rows = events.map((one) => ({
    ...{ event_id: one.id, opportunity_id: one.mark, summary: one.summary, description: one.description },
    ...{ location: one.location, start_day: dayOf(one.start), end_day: dayOf(one.end), start_at: momentOf(one.start) },
    ...{ end_at: momentOf(one.end), attendees: one.attendees, url: one.url, is_gone: one.isGone },
    changed_at: one.updatedAt.toISOString(),
  }))
  await tx.rows(keep, [tx.tenantId, integrationId, JSON.stringify(rows), pushed ?? null])
}

/** Of everybody's days between two of the company's calendar; what is ours too. */
export const readEvents = async (tx: Tx, { startDate, endDate }: CalendarEventsQuery, timeZone: string) => {
  const rows = await tx.rows<EventRow>(between, [tx.tenantId, startDate, endDate, timeZone])
  return rows.map(presentEvent)
}
export const findEvent = async (tx: Tx, by: { id: string } | { eventId: string }) => {
  const [row] = await tx.rows<EventRow>('id' in by ? byId : byEventId, [tx.tenantId, 'id' in by ? by.id : by.eventId])
  return row
}

export type EventRow = Omit<CalendarEvent, 'startDateTime' | 'endDateTime'> & {
  eventId: string
  integrationId: string
  startAt: Date | null
  endAt: Date | null
}
export const presentEvent = ({ startAt, endAt, eventId: _, integrationId: __, ...row }: EventRow): CalendarEvent => ({
  ...row,
  startDateTime: startAt?.toISOString() ?? null,
  endDateTime: endAt?.toISOString() ?? null,
})

const columns = `e.id, e.event_id as "eventId", e.integration_id as "integrationId", e.summary, e.description, e.location,
  e.start_day::text as "startDay", e.end_day::text as "endDay", e.start_at as "startAt", e.end_at as "endAt", e.attendees, e.url,
  e.opportunity_id as "opportunityId"`
const keep: Prepared = {
  name: 'calendar_keep_events',
  text: `insert into calendar_events as e (tenant_id, id, integration_id, event_id, opportunity_id, summary, description, location, start_day,
      end_day, start_at, end_at, attendees, url, is_gone, changed_at, pushed)
    select $1, gen_random_uuid(), $2, r.event_id, case when r.opportunity_id ~ '^[0-9a-f-]{36}$' then r.opportunity_id::uuid end, r.summary,
      r.description, r.location, r.start_day, r.end_day, r.start_at, r.end_at, r.attendees, r.url, r.is_gone, r.changed_at, $4
    from (select distinct on (event_id) * from jsonb_to_recordset($3::jsonb) as j(event_id text, opportunity_id text, summary text, description text,
        location text, start_day date, end_day date, start_at timestamptz, end_at timestamptz, attendees text[], url text, is_gone boolean,
        changed_at timestamptz) order by event_id, changed_at desc) r
    on conflict (tenant_id, integration_id, event_id) do update set
      opportunity_id = coalesce(e.opportunity_id, excluded.opportunity_id), is_gone = excluded.is_gone, changed_at = excluded.changed_at,
      summary = case when excluded.is_gone then e.summary else excluded.summary end,
      description = case when excluded.is_gone then e.description else excluded.description end,
      location = case when excluded.is_gone then e.location else excluded.location end,
      start_day = case when excluded.is_gone then e.start_day else excluded.start_day end,
      end_day = case when excluded.is_gone then e.end_day else excluded.end_day end,
      start_at = case when excluded.is_gone then e.start_at else excluded.start_at end,
      end_at = case when excluded.is_gone then e.end_at else excluded.end_at end,
      attendees = excluded.attendees, url = coalesce(excluded.url, e.url),
      -- Moved there and older than what stands here: to be written again.
      pushed = case when $4::text is not null then $4
        when not excluded.is_gone and excluded.start_day is distinct from e.start_day then null else e.pushed end`,
}
const day = (column: string, at: string) => `coalesce(${column}, (${at} at time zone $4)::date)`
const between: Prepared = {
  name: 'calendar_events_between',
  text: `select ${columns} from calendar_events e where e.tenant_id = $1 and not e.is_gone
      and ${day('e.start_day', 'e.start_at')} <= $3::date
      and coalesce(e.end_day - 1, (e.end_at at time zone $4)::date, ${day('e.start_day', 'e.start_at')}) >= $2::date
    order by ${day('e.start_day', 'e.start_at')}, e.start_at nulls first, e.id limit 2000`,
}
const byId: Prepared = {
  name: 'calendar_event_by_id',
  text: `select ${columns} from calendar_events e where e.tenant_id = $1 and e.id = $2 and not e.is_gone`,
}
const byEventId: Prepared = {
  name: 'calendar_event_by_event_id',
  text: `select ${columns} from calendar_events e where e.tenant_id = $1 and e.event_id = $2`,
}
