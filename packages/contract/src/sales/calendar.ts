import { z } from 'zod'
import { email, id, moment } from '../common.ts'
import { integration } from '../core/integrations/index.ts'

/** An account of the calendar, and how its synchronisation fares. */
export const calendarConfig = integration.extend({
  /** When both sides were last compared; null: not yet. */
  syncedAt: moment.nullable(),
  /** What kept the last one from it. */
  problem: z.string().nullable(),
  /** It is being disconnected: what is ours is taken out of it first. */
  isLeaving: z.boolean(),
})
export type CalendarConfig = z.output<typeof calendarConfig>
/** POST and PUT /google-calendar-configs. */
export const calendarConfigWrite = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.'),
  config: z.record(z.string(), z.unknown()),
})

const day = z.iso.date()
/** An event of the calendar. With days it takes whole ones, and `endDay` is not its own any more. */
export const calendarEvent = z.object({
  id,
  summary: z.string(),
  description: z.string(),
  location: z.string(),
  startDateTime: moment.nullable(),
  endDateTime: moment.nullable(),
  startDay: day.nullable(),
  endDay: day.nullable(),
  attendees: z.array(z.string()),
  /** Where it stands at Google. */
  url: z.string().nullable(),
  /** The opportunity whose forecast it is. */
  opportunityId: id.nullable(),
})
export type CalendarEvent = z.output<typeof calendarEvent>

const fields = z.object({
  summary: z.string().trim().min(1, 'Informe o título.').max(300, 'Use no máximo 300 caracteres.'),
  startDateTime: z.iso.datetime({ offset: true, error: 'Informe o início com data, hora e fuso.' }),
  endDateTime: z.iso
    .datetime({ offset: true, error: 'Informe o fim com data, hora e fuso.' })
    .meta({ examples: ['2026-03-10T15:30:00.000Z'] }),
  description: z.string().max(8_000, 'Use no máximo 8.000 caracteres.').default(''),
  location: z.string().max(500, 'Use no máximo 500 caracteres.').default(''),
  attendees: z.array(email).max(50, 'No máximo 50 convidados.').default([]),
})
/** POST /google-calendar-create/events and PUT /google-calendar-update/events/{id}. */
export const calendarEventWrite = fields.refine(
  ({ startDateTime, endDateTime }) => Date.parse(endDateTime) > Date.parse(startDateTime),
  { path: ['endDateTime'], error: 'O fim vem depois do início.' },
)
export type CalendarEventWrite = z.output<typeof calendarEventWrite>
/** GET /google-calendar/events and POST /google-calendar-list/events: days of the company's calendar, both included. */
export const calendarEventsQuery = z.object({ startDate: day, endDate: day })
export type CalendarEventsQuery = z.output<typeof calendarEventsQuery>
