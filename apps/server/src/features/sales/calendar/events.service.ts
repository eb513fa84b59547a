import type { CalendarEvent, CalendarEventsQuery, CalendarEventWrite } from '@balcao/contract/sales/calendar.ts'
import { withTenant } from '../../../db/database.ts'
import type { EventDraft } from '../../../integrations/adapter.ts'
import { IntegrationError } from '../../../integrations/adapter.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { listCalendars, openCalendar } from './accounts.ts'
import { findEvent, keepEvents, presentEvent, readEvents } from './events.queries.ts'
import { newEventId } from './sync.ts'

/** Of the company's calendars, as they were last compared. */
export const listEvents = async ({ tenantId }: Actor, query: CalendarEventsQuery): Promise<CalendarEvent[]> => {
  const { timezone } = await getDirectory(tenantId)
  return withTenant(tenantId, (tx) => readEvents(tx, query, timezone))
}

export const createEvent = async ({ tenantId }: Actor, input: CalendarEventWrite): Promise<CalendarEvent> => {
  const [account] = (await listCalendars(tenantId)).filter(({ isAuthorized, isLeaving }) => isAuthorized && !isLeaving)
  if (!account) throw new AppError('ERR_NOT_AUTHORIZED_YET')
  return put(tenantId, account.id, newEventId(), input)
}

export const updateEvent = async (actor: Actor, id: string, input: CalendarEventWrite): Promise<CalendarEvent> => {
  const { integrationId, eventId } = await getOwn(actor, id)
  return put(actor.tenantId, integrationId, eventId, input)
}

export const deleteEvent = async (actor: Actor, id: string): Promise<void> => {
  const { integrationId, eventId } = await getOwn(actor, id)
  const open = await openCalendar(actor.tenantId, integrationId)
  if (!open) throw new AppError('ERR_NOT_FOUND')
  await asAnswer(open.calendar.remove(eventId, open.context))
  await withTenant(actor.tenantId, (tx) =>
    tx.rows(
      {
        name: 'calendar_event_gone',
        text: `update calendar_events set is_gone = true where tenant_id = $1 and id = $2`,
      },
      [...[actor.tenantId, id]],
    ),
  )
}

/** A forecast is moved where the opportunity is, not here. */
const getOwn = async ({ tenantId }: Actor, id: string) => {
  const found = await withTenant(tenantId, (tx) => findEvent(tx, { id }))
  if (!found) throw new AppError('ERR_NOT_FOUND')
  if (found.opportunityId)
    throw new AppError('ERR_INVALID_TRANSITION', {
      message: 'Este evento é a previsão de uma oportunidade: altere-a nela.',
    })
  return found
}

const put = async (tenantId: number, integrationId: string, eventId: string, input: CalendarEventWrite) => {
  const open = await openCalendar(tenantId, integrationId)
  if (!open) throw new AppError('ERR_NOT_FOUND')
  const draft: EventDraft = {
    ...{ summary: input.summary, description: input.description, location: input.location, attendees: input.attendees },
    ...{ start: { at: new Date(input.startDateTime) }, end: { at: new Date(input.endDateTime) }, mark: null },
  }
  const event = await asAnswer(open.calendar.put(eventId, draft, open.context))
  return withTenant(tenantId, async (tx) => {
    await keepEvents(tx, integrationId, [event])
    const saved = await findEvent(tx, { eventId })
    if (!saved) throw new Error('The event just written is not there')
    return presentEvent(saved)
  })
}

/** What the provider says no to is told to whoever asked. */
const asAnswer = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    if (error instanceof IntegrationError) throw new AppError('ERR_INVALID_TRANSITION', { message: error.message })
    throw error
  })
