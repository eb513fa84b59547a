import type { Ticket, TicketMark } from '@balcao/contract/conversations/tickets.ts'
import type { TicketDelta } from '@balcao/contract/events.ts'
import { visibilitySettings } from '@balcao/contract/people/visibility.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { Live } from '../../../kit/live.ts'
import { overtakeFirst } from '../../../kit/overtaken.ts'
import { session } from '../../../kit/session.ts'
import { mentionCounts } from '../mentions/api.ts'
import { countersKey, ticketListsKey, ticketQuery, waysKey } from './api.ts'
import type { ListFilter, Narrowing } from './filter.ts'
import { fitOf, isWithin, mayFit, type Viewer } from './fit.ts'
import {
  countersAfter,
  dropTicket,
  findTicket,
  isNewer,
  patchTickets,
  placeTicket,
  type TicketPages,
} from './list-cache.ts'
import { knownMarks, marksQuery, withMark } from './marks.ts'
import type { Counters, View } from './views.ts'

/** Events patch what is loaded; nothing is listed anew, except after a reconnect (kit/socket.ts) and where others are seen from now on. */
export const ticketLive: Live = {
  'ticket.created': (cache, ticket) => {
    hidden.delete(ticket.id)
    receiveTicket(cache, ticket, true)
  },
  'ticket.updated': (cache, ticket) => {
    hidden.delete(ticket.id)
    receiveTicket(cache, ticket)
  },
  'ticket.hidden': (cache, { id }) => hideTicket(cache, id),
  'message.created': (cache, { ticket }) => receiveDelta(cache, ticket),
  'ticket.marked': (cache, mark) => receiveMark(cache, mark),
  'ticket.notice': (cache, { kind, ticketId }) => {
    if (kind === 'mention') void receiveMention(cache, ticketId)
  },
  'mention.read': (cache) => recountSoon(cache, 0),
  'schedule.created': (cache) => renewView(cache, 'scheduled'),
  'schedule.updated': (cache) => renewView(cache, 'scheduled'),
  'contact.updated': (cache, contact) => {
    const { name, profilePicUrl } = contact
    void cache.invalidateQueries({ queryKey: waysKey }) // another address, or one that hears us no more
    patchEverywhere(cache, (ticket) =>
      ticket.contactId === contact.id
        ? { ...ticket, name, profilePicUrl, contact: { ...ticket.contact, name, profilePicUrl } }
        : ticket,
    )
  },
  'tag.updated': (cache, { id, name, color }) => {
    const renew = <Tag extends { id: string }>(tag: Tag) => (tag.id === id ? { ...tag, name, color } : tag)
    patchEverywhere(cache, (ticket) => ({
      ...ticket,
      tags: ticket.tags.map(renew),
      contact: { ...ticket.contact, tags: ticket.contact.tags.map(renew) },
    }))
  },
  'settings.updated': (cache, { keys }) => {
    if (!keys.some((key) => visibilitySettings.includes(key))) return
    void cache.invalidateQueries({ queryKey: ticketListsKey })
    recountSoon(cache, 0)
  },
  'queue.updated': (cache, { id, name, color }) =>
    patchEverywhere(cache, (ticket) => (ticket.queue?.id === id ? { ...ticket, queue: { id, name, color } } : ticket)),
}

/** Told hidden: the answer of the very call that hid a ticket (a transfer) may come after, and must not bring it back. */
const hidden = new Set<string>()

/** A ticket as the server has it now, from an event or the answer of a call: into every list it belongs to. */
export const receiveTicket = (cache: QueryClient, ticket: Ticket, isNew = false) => {
  const before = knownTicket(cache, ticket.id) ?? recent.get(ticket.id)
  if (hidden.has(ticket.id) || !isNewer(ticket, before)) return
  const viewer = currentViewer(cache)
  if (!viewer) return
  const one = ticketQuery(ticket.id).queryKey
  if (cache.getQueryData(one) || isNew) cache.setQueryData(one, ticket)
  overtakeFirst(cache, ticketListsKey)
  for (const { key, filter, pages } of loadedLists(cache)) {
    const next = placeTicket(pages, ticket, fitOf(ticket, filter, viewer), filter.sort)
    if (next !== pages) cache.setQueryData(key, next)
  }
  remember(ticket)
  if (before || isNew) count(cache, before, ticket, viewer)
  else recountSoon(cache)
  if (before?.status !== ticket.status)
    void cache.invalidateQueries({ queryKey: ['tickets', 'contact', ticket.contactId] })
}

/** Taken back by this very person: it belongs to their lists again. */
export const showAgain = (cache: QueryClient, ticket: Ticket) => {
  hidden.delete(ticket.id)
  receiveTicket(cache, ticket)
}

const hideTicket = (cache: QueryClient, id: string) => {
  const before = knownTicket(cache, id)
  hidden.add(id)
  recent.delete(id)
  for (const { key, pages } of loadedLists(cache)) cache.setQueryData(key, dropTicket(pages, id))
  void cache.invalidateQueries({ queryKey: ticketQuery(id).queryKey }) // on screen, it now says why it is gone
  const viewer = currentViewer(cache)
  if (before && viewer) count(cache, before, undefined, viewer)
  else recountSoon(cache)
}

/** The face of a ticket changed with a message. One that is not loaded is read only when it belongs to a list on screen. */
const receiveDelta = (cache: QueryClient, delta: TicketDelta) => {
  const known = knownTicket(cache, delta.id)
  if (known) {
    if (known.queueId !== delta.queueId || known.userId !== delta.userId) return void readAnew(cache, delta.id)
    return receiveTicket(cache, { ...known, ...delta })
  }
  overtakeFirst(cache, ticketListsKey)
  const viewer = currentViewer(cache)
  if (!viewer) return
  const isWanted = loadedLists(cache).some(({ filter, isOnScreen }) => isOnScreen && mayFit(delta, filter, viewer))
  if (isWanted) void readAnew(cache, delta.id)
}

/** Pinned or followed, or no longer: the ticket comes to stand where it now belongs. */
export const receiveMark = (cache: QueryClient, mark: TicketMark) => {
  const before = currentViewer(cache)
  cache.setQueryData(marksQuery.queryKey, (now) => now && withMark(now, mark))
  const ticket = knownTicket(cache, mark.ticketId)
  if (!ticket || !before) return void readAnew(cache, mark.ticketId)
  receiveTicket(cache, ticket)
  const step = Number(mark.isFollowed) - Number(before.marks.followed.has(mark.ticketId))
  if (step !== 0)
    cache.setQueriesData<Counters>({ queryKey: countersKey }, (now) => now && { ...now, followed: now.followed + step })
}

/** A note calls me: the ticket comes into the list of mentions, when that is on screen. */
const receiveMention = async (cache: QueryClient, ticketId: string) => {
  recountSoon(cache)
  const isWanted = loadedLists(cache).some(({ filter, isOnScreen }) => isOnScreen && filter.view === 'mentions')
  if (!isWanted) return
  await cache.fetchQuery({ ...mentionCounts, staleTime: 0 }).catch(() => undefined) // offline: read again with the connection
  await readAnew(cache, ticketId)
}

/** What only the server can tell of a view: its list, when somebody looks at it, and its number. */
const renewView = (cache: QueryClient, view: View) => {
  recountSoon(cache)
  for (const { key, filter } of loadedLists(cache))
    if (filter.view === view) void cache.invalidateQueries({ queryKey: key, exact: true })
}

const readAnew = async (cache: QueryClient, id: string) => {
  try {
    const ticket = await cache.fetchQuery({ ...ticketQuery(id), staleTime: 0 })
    hidden.delete(id)
    receiveTicket(cache, ticket)
  } catch {
    // Gone meanwhile, or offline: the list is read again with the connection.
  }
}

/** The ticket as any part of the cache knows it. */
export const knownTicket = (cache: QueryClient, id: string): Ticket | undefined => {
  const found = loadedLists(cache).flatMap(({ pages }) => findTicket(pages, id) ?? [])
  const alone = cache.getQueryData(ticketQuery(id).queryKey)
  return [...(alone ? [alone] : []), ...found].toSorted((a, b) => b.version - a.version)[0]
}

/** What left every list a moment ago may come back, and is counted by what it was: paused and taken up again. */
const recent = new Map<string, Ticket>()
const recentAtMost = 300
const remember = (ticket: Ticket) => {
  recent.delete(ticket.id)
  recent.set(ticket.id, ticket)
  const [oldest] = recent.keys()
  if (recent.size > recentAtMost && oldest) recent.delete(oldest)
}

const loadedLists = (cache: QueryClient) =>
  cache
    .getQueryCache()
    .findAll({ queryKey: ticketListsKey })
    .flatMap((query) => {
      const pages = query.state.data as TicketPages | undefined // only ticketList writes under this key
      const filter = query.queryKey[2] as ListFilter // as above
      return pages ? [{ key: query.queryKey, filter, pages, isOnScreen: query.getObserversCount() > 0 }] : []
    })

const patchEverywhere = (cache: QueryClient, patchOf: (ticket: Ticket) => Ticket) => {
  for (const { key, pages } of loadedLists(cache)) cache.setQueryData(key, patchTickets(pages, patchOf))
  for (const query of cache.getQueryCache().findAll({ queryKey: ['tickets', 'one'] })) {
    cache.setQueryData<Ticket>(query.queryKey, (now) => now && patchOf(now))
  }
}

const count = (cache: QueryClient, before: Ticket | undefined, after: Ticket | undefined, viewer: Viewer) => {
  for (const query of cache.getQueryCache().findAll({ queryKey: countersKey })) {
    const filter = query.queryKey[2] as Narrowing // only countersQuery writes under this key
    const counted = (ticket: Ticket | undefined) => (ticket && isWithin(ticket, filter, viewer) ? ticket : undefined)
    cache.setQueryData<Counters>(
      query.queryKey,
      (now) => now && countersAfter(now, counted(before), counted(after), viewer),
    )
  }
}

const recountEveryMs = 2_000
let recountedAt = 0
let recount: ReturnType<typeof setTimeout> | undefined
/** What cannot be known here is counted by the server, calmly: once in two seconds at most. */
const recountSoon = (cache: QueryClient, afterMs = 500) => {
  if (recount) return
  const count = () => {
    recount = undefined
    recountedAt = Date.now()
    void cache.invalidateQueries({ queryKey: countersKey })
  }
  recount = setTimeout(count, Math.max(afterMs, recountedAt + recountEveryMs - Date.now()))
}

const currentViewer = (cache: QueryClient): Viewer | null => {
  const current = session.get()
  return (
    current && {
      userId: current.userId,
      seesAll: current.user.permissions.includes('tickets.showAll'),
      settings: current.configuracoes,
      marks: knownMarks(cache),
    }
  )
}
