import { type Prepared, withTenant } from '../../../db/database.ts'
import { type AnEvent, type EventDraft, IntegrationError } from '../../../integrations/adapter.ts'
import { openCalendar } from './accounts.ts'
import { keepEvents } from './events.queries.ts'

type Booking = { key: string; from: Date; to: Date; title: string; description: string }
const gone = 'Esta agenda não existe mais.'

/** What is taken in a calendar between two moments, as it stands there now. */
export const readBusy = async (tenantId: number, integrationId: string, from: Date, to: Date) => {
  const open = await openCalendar(tenantId, integrationId)
  if (!open) throw new IntegrationError(gone)
  return (await open.calendar.busy(from, to, open.context)).map(({ from, to }) => ({ from, to }))
}

/**
 * Books a time under an id that follows from the key: asked again, it is the same event. Of two who want one time the first to
 * hold it here has it; what somebody wrote in the calendar itself is asked there. False: it is taken.
 */
export const bookTime = async (tenantId: number, integrationId: string, booking: Booking): Promise<boolean> => {
  const open = await openCalendar(tenantId, integrationId)
  if (!open) throw new IntegrationError(gone)
  const eventId = `f${booking.key.replaceAll('-', '')}`
  const held = heldAs(eventId, booking)
  if (!(await hold(tenantId, integrationId, held))) return false
  const release = () => withTenant(tenantId, (tx) => keepEvents(tx, integrationId, [{ ...held, isGone: true }]))
  try {
    const others = await open.calendar.busy(booking.from, booking.to, open.context)
    if (others.some(({ id, from, to }) => id !== eventId && from < booking.to && to > booking.from)) {
      await release()
      return false
    }
    const draft: EventDraft = {
      ...{ summary: booking.title, description: booking.description, location: '', attendees: null, mark: null },
      ...{ start: { at: booking.from }, end: { at: booking.to } },
    }
    const event = await open.calendar.put(eventId, draft, open.context)
    await withTenant(tenantId, (tx) => keepEvents(tx, integrationId, [event]))
    return true
  } catch (error) {
    // It may be there all the same: then the next comparison shows it again.
    await release()
    throw error
  }
}

const heldAs = (id: string, { from, to, title, description }: Booking): AnEvent => ({
  ...{ id, isGone: false, url: null, summary: title, description, location: '', attendees: [], mark: null },
  ...{ start: { at: from }, end: { at: to }, updatedAt: new Date() },
})

const hold = (tenantId: number, integrationId: string, event: AnEvent) =>
  withTenant(tenantId, async (tx) => {
    await tx.rows(inTurn, [integrationId])
    const moments = [event.start, event.end].map((time) => (time && 'at' in time ? time.at.toISOString() : null))
    const [taken] = await tx.rows(overlapping, [tenantId, integrationId, event.id, ...moments])
    if (taken) return false
    await keepEvents(tx, integrationId, [event])
    return true
  })
const inTurn: Prepared = {
  name: 'calendar_booking_in_turn',
  text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
}
const overlapping: Prepared = {
  name: 'calendar_booking_overlapping',
  text: `select e.id from calendar_events e where e.tenant_id = $1 and e.integration_id = $2 and e.event_id <> $3 and not e.is_gone
      and e.start_at < $5::timestamptz and e.end_at > $4::timestamptz limit 1`,
}
