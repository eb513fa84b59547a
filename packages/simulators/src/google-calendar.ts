import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type OAuthSimulator, startOAuthSimulator } from './oauth.ts'
import type { SimulatorOptions } from './simulator.ts'

type Time = { date?: string | null; dateTime?: string | null }
export type GoogleEvent = {
  id: string
  status: 'confirmed' | 'cancelled'
  summary?: string
  description?: string
  location?: string
  start?: Time
  end?: Time
  attendees?: { email: string }[]
  extendedProperties?: { private?: Record<string, string> }
  htmlLink: string
  updated: string
  /** In which change it last changed. */
  change: number
}
export type GoogleCalendarSimulator = OAuthSimulator & {
  readonly apiUrl: string
  readonly events: ReadonlyMap<string, GoogleEvent>
  /** Somebody writes in the calendar itself: a new event, or a change of one. */
  write(event: Partial<GoogleEvent> & { at?: Date }): GoogleEvent
  /** Somebody takes an event out. */
  cancel(id: string): void
  /** What was handed out to be told of changes is too old from now on: 410. */
  forgetSyncTokens(): void
}

/**
 * A calendar of Google's behind its OAuth (Calendar API v3): events with ids of the caller's, changes since a sync token,
 * 401 without a living token, 409 for an id that is taken, 410 for what is gone or too old. Rates come by `faults`.
 */
export const startGoogleCalendarSimulator = async (
  options: SimulatorOptions = {},
): Promise<GoogleCalendarSimulator> => {
  const events = new Map<string, GoogleEvent>()
  let change = 0
  let oldestSync = 0
  const refuse = (reply: FastifyReply, code: number, reason: string) =>
    reply
      .code(code)
      .send({ error: { code, message: reason, errors: [{ domain: 'calendar', reason, message: reason }] } })
  const keep = (id: string, fields: Partial<GoogleEvent>, at = new Date()): GoogleEvent => {
    change += 1
    const before = events.get(id)
    const next: GoogleEvent = {
      status: 'confirmed',
      htmlLink: `https://calendar.google.com/event?eid=${id}`,
      ...before,
      ...fields,
      start: withoutNothing({ ...before?.start, ...fields.start }),
      end: withoutNothing({ ...before?.end, ...fields.end }),
      ...{ id, updated: at.toISOString(), change },
    }
    events.set(id, next)
    return next
  }
  const shown = ({ change: _, ...event }: GoogleEvent) =>
    event.status === 'cancelled'
      ? { id: event.id, status: event.status, updated: event.updated, extendedProperties: event.extendedProperties }
      : event

  const core = await startOAuthSimulator({
    ...options,
    routes: (app, isAlive) => {
      const path = '/calendar/v3/calendars/:calendarId/events'
      type Asked = FastifyRequest<{
        Params: { calendarId: string; eventId: string }
        Querystring: Record<string, string>
        Body: Partial<GoogleEvent>
      }>
      app.addHook('preHandler', async (request, reply) => {
        if (!request.url.startsWith('/calendar/')) return
        if (!isAlive(request.headers.authorization)) return refuse(reply, 401, 'authError')
        const { calendarId } = request.params as { calendarId: string }
        if (calendarId !== 'primary') return refuse(reply, 404, 'notFound')
      })
      app.get(path, (request: Asked, reply) => {
        const { syncToken, pageToken, maxResults = '250', showDeleted, timeMin, timeMax } = request.query
        if (timeMin && timeMax) {
          const items = [...events.values()].filter(
            ({ status, start, end }) =>
              status === 'confirmed' && momentOf(end) > Date.parse(timeMin) && momentOf(start) < Date.parse(timeMax),
          )
          return { kind: 'calendar#events', timeZone: 'America/Sao_Paulo', items: items.map(shown) }
        }
        const since = syncToken ? Number(syncToken.split('-')[1]) : 0
        if (syncToken && since < oldestSync) return refuse(reply, 410, 'fullSyncRequired')
        const all = [...events.values()]
          .filter((one) => one.change > since && (one.status === 'confirmed' || (showDeleted === 'true' && since > 0)))
          .sort((a, b) => a.change - b.change)
        const from = Number(pageToken ?? 0)
        const to = from + Number(maxResults)
        const rest = to < all.length ? { nextPageToken: String(to) } : { nextSyncToken: `sync-${change}` }
        return { kind: 'calendar#events', summary: 'Loja Aurora', items: all.slice(from, to).map(shown), ...rest }
      })
      app.post(path, (request: Asked, reply) => {
        const id = request.body.id ?? randomUUID().replaceAll('-', '')
        if (!/^[a-v0-9]{5,1024}$/.test(id)) return refuse(reply, 400, 'invalid')
        // An id stays taken after its event is gone.
        if (events.has(id)) return refuse(reply, 409, 'duplicate')
        return shown(keep(id, request.body))
      })
      app.patch(`${path}/:eventId`, (request: Asked, reply) => {
        if (!events.has(request.params.eventId)) return refuse(reply, 404, 'notFound')
        return shown(keep(request.params.eventId, request.body))
      })
      app.delete(`${path}/:eventId`, (request: Asked, reply) => {
        const known = events.get(request.params.eventId)
        if (!known) return refuse(reply, 404, 'notFound')
        if (known.status === 'cancelled') return refuse(reply, 410, 'deleted')
        keep(known.id, { status: 'cancelled' })
        return reply.code(204).send()
      })
    },
  })
  return Object.assign(core, {
    apiUrl: `${core.url}/calendar/v3`,
    events,
    write: ({ at, id = randomUUID().replaceAll('-', ''), ...fields }: Partial<GoogleEvent> & { at?: Date }) =>
      keep(id, fields, at),
    cancel: (id: string) => void keep(id, { status: 'cancelled' }),
    forgetSyncTokens: () => {
      oldestSync = change + 1
      change += 1
    },
  })
}

const momentOf = (time: Time | undefined) => Date.parse(time?.dateTime ?? `${time?.date}T03:00:00Z`)
/** `null` in a patch takes a field away. */
const withoutNothing = (time: Time): Time =>
  Object.fromEntries(Object.entries(time).filter(([, value]) => value !== null && value !== undefined))
