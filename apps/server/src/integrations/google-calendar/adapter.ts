import { momentAt } from '@balcao/contract/core/wall-time.ts'
import { z } from 'zod'
import { EgressError, type HttpAnswer } from '../../kit/egress.ts'
import {
  type AnEvent,
  type EventDraft,
  type EventTime,
  type IntegrationAdapter,
  type IntegrationContext,
  IntegrationError,
} from '../adapter.ts'

const timeoutMs = 20_000
const pageSize = 2_500
/** Of a calendar with more than this, what is furthest is left out. */
const mostPages = 20
type Context = IntegrationContext<'googleCalendar'>

/** Google Calendar API v3 (developers.google.com/calendar/api/v3/reference). */
export const googleCalendar: IntegrationAdapter<'googleCalendar'> = {
  test: async (context) => {
    const reply = await call(context, { query: { maxResults: '1' } })
    const { summary = '' } = listed.parse(reply.json())
    return { text: `O Google abriu a agenda ${summary || context.config.calendarId}.` }
  },
  calendar: {
    changes: async (since, context) => {
      const events: AnEvent[] = []
      let pageToken = ''
      for (let page = 0; page < mostPages; page += 1) {
        const reply = await call(context, {
          query: {
            maxResults: String(pageSize),
            singleEvents: 'true',
            showDeleted: 'true',
            ...(since && { syncToken: since }),
            ...(pageToken && { pageToken }),
          },
          allows: [410],
        })
        // What we knew is too old: everything is read anew (reason fullSyncRequired).
        if (reply.status === 410) return 'stale'
        const { items, nextPageToken, nextSyncToken } = listed.parse(reply.json())
        events.push(...items.map(eventOf))
        if (!nextPageToken) return { events, next: nextSyncToken ?? null }
        pageToken = nextPageToken
      }
      return { events, next: null }
    },
    busy: async (from, to, context) => {
      const reply = await call(context, {
        query: {
          ...{ timeMin: from.toISOString(), timeMax: to.toISOString() },
          ...{ maxResults: String(pageSize), singleEvents: 'true', orderBy: 'startTime' },
        },
      })
      const { items, timeZone = 'UTC' } = listed.parse(reply.json())
      return items.flatMap(({ id, status, transparency, start, end }) => {
        const [begins, ends] = [momentOf(start, timeZone), momentOf(end, timeZone)]
        const isTaking = status !== 'cancelled' && transparency !== 'transparent'
        return isTaking && begins && ends ? [{ id, from: begins, to: ends }] : []
      })
    },
    put: async (id, draft, context) => {
      const body = bodyOf(draft)
      const changed = await call(context, {
        method: 'PATCH',
        path: id,
        body: { ...body, status: 'confirmed' },
        allows: [404],
      })
      if (changed.status !== 404) return eventOf(event.parse(changed.json()))
      // An id of ours makes it the same event, however often it is tried; 409: it is there already.
      const made = await call(context, { method: 'POST', body: { ...body, id }, allows: [409] })
      if (made.status !== 409) return eventOf(event.parse(made.json()))
      const again = await call(context, { method: 'PATCH', path: id, body: { ...body, status: 'confirmed' } })
      return eventOf(event.parse(again.json()))
    },
    remove: async (id, context) => {
      await call(context, { method: 'DELETE', path: id, allows: [404, 410] })
    },
  },
}

type Call = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path?: string
  query?: Record<string, string>
  body?: object
  /** Answers that are no error here. */
  allows?: number[]
}
/** Asks with the owner's token; one that is refused is renewed, once. */
const call = async (context: Context, asked: Call): Promise<HttpAnswer> => {
  const token = await context.accessToken()
  const first = await send(context, asked, token)
  const reply = first.status === 401 ? await send(context, asked, await context.accessToken(token)) : first
  if (reply.status < 300 || asked.allows?.includes(reply.status)) return reply
  throw problemOf(reply)
}

const send = async ({ config, egress }: Context, { method = 'GET', path, query, body }: Call, token: string) => {
  const url = new URL(`${config.apiUrl}/calendars/${encodeURIComponent(config.calendarId)}/events`)
  if (path) url.pathname += `/${encodeURIComponent(path)}`
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
  try {
    return await egress.http(url.href, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      timeoutMs,
      maxBytes: 20_000_000,
    })
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw new IntegrationError('O Google não respondeu. Tentaremos de novo.', { isPassing: true })
  }
}

const problemOf = (reply: HttpAnswer): IntegrationError => {
  const { status } = reply
  const reason = reasonOf(reply)
  const isRate = status === 429 || (status === 403 && /rateLimit|quota/i.test(reason))
  if (isRate || status >= 500) {
    const againInS = Number(reply.headers['retry-after']) || undefined
    return new IntegrationError('O Google pediu para esperar. Tentaremos de novo.', { isPassing: true, againInS })
  }
  if (status === 401) return new IntegrationError('O Google não aceita mais a autorização. Autorize a conta de novo.')
  if (status === 403)
    return new IntegrationError('Esta conta não pode alterar a agenda. Confira a permissão dela, ou autorize outra.')
  if (status === 404) return new IntegrationError('Esta agenda não existe nesta conta. Confira o ID da agenda.')
  return new IntegrationError(`O Google recusou (${status}${reason ? `, ${reason}` : ''}).`)
}
const refusal = z.object({ error: z.object({ errors: z.array(z.object({ reason: z.string() })).optional() }) })
const reasonOf = (reply: HttpAnswer): string => {
  try {
    return refusal.parse(reply.json()).error.errors?.[0]?.reason ?? ''
  } catch {
    return ''
  }
}

const time = z.object({ date: z.iso.date().optional(), dateTime: z.iso.datetime({ offset: true }).optional() })
const event = z.object({
  id: z.string(),
  status: z.string().optional(),
  transparency: z.string().optional(),
  htmlLink: z.string().optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
  location: z.string().optional(),
  start: time.optional(),
  end: time.optional(),
  attendees: z.array(z.object({ email: z.string().optional() })).optional(),
  updated: z.iso.datetime({ offset: true }).optional(),
  extendedProperties: z.object({ private: z.record(z.string(), z.string()).optional() }).optional(),
})
const listed = z.object({
  timeZone: z.string().optional(),
  summary: z.string().optional(),
  items: z.array(event).default([]),
  nextPageToken: z.string().optional(),
  nextSyncToken: z.string().optional(),
})

const eventOf = (one: z.output<typeof event>): AnEvent => ({
  id: one.id,
  isGone: one.status === 'cancelled',
  url: one.htmlLink ?? null,
  summary: one.summary ?? '',
  description: one.description ?? '',
  location: one.location ?? '',
  start: timeOf(one.start),
  end: timeOf(one.end),
  attendees: (one.attendees ?? []).flatMap(({ email }) => email ?? []),
  updatedAt: new Date(one.updated ?? 0),
  mark: one.extendedProperties?.private?.balcao ?? null,
})
/** A whole day begins at midnight where the calendar is. */
const momentOf = (one: z.output<typeof time> | undefined, timeZone: string): Date | undefined => {
  if (one?.dateTime) return new Date(one.dateTime)
  return one?.date ? new Date(momentAt(`${one.date}T00:00`, timeZone)) : undefined
}
const timeOf = (one: z.output<typeof time> | undefined): EventTime | null => {
  if (one?.date) return { day: one.date }
  return one?.dateTime ? { at: new Date(one.dateTime) } : null
}

const bodyOf = ({ summary, description, location, start, end, attendees, mark }: EventDraft) => ({
  ...{ summary, description, location },
  start: timeFrom(start),
  end: timeFrom(end),
  ...(attendees && { attendees: attendees.map((email) => ({ email })) }),
  ...(mark && { extendedProperties: { private: { balcao: mark } } }),
})
/** The other form is taken away: a patch would keep both. */
const timeFrom = (one: EventTime) =>
  'day' in one ? { date: one.day, dateTime: null } : { dateTime: one.at.toISOString(), date: null }
