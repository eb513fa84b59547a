import type { Page } from '@balcao/contract/common.ts'
import type { Ticket, TicketSort } from '@balcao/contract/conversations/tickets.ts'
import type { InfiniteData } from '@tanstack/react-query'
import type { Fit, Viewer } from './fit.ts'
import { type Counters, countedUpTo, type View, viewOf, views } from './views.ts'

export type TicketPages = InfiniteData<Page<Ticket>, string | null>

/** Late arrivals lose. */
export const isNewer = (next: Pick<Ticket, 'version'>, now: Pick<Ticket, 'version'> | undefined) =>
  !now || next.version >= now.version

export const ticketsOf = (pages: Pick<TicketPages, 'pages'> | undefined): Ticket[] => {
  const seen = new Set<string>()
  return (pages?.pages ?? []).flatMap((page) =>
    page.items.filter((ticket) => !seen.has(ticket.id) && Boolean(seen.add(ticket.id))),
  )
}

export const findTicket = ({ pages }: TicketPages, id: string): Ticket | undefined => {
  for (const page of pages) {
    const found = page.items.find((one) => one.id === id)
    if (found) return found
  }
  return undefined
}

/** Puts a ticket where it belongs in a loaded list: moves it, lets it in, or takes it out. */
export const placeTicket = (pages: TicketPages, ticket: Ticket, fit: Fit, sort: TicketSort = 'recent'): TicketPages => {
  const listed = findTicket(pages, ticket.id)
  if (listed && !isNewer(ticket, listed)) return pages
  if (!listed && fit !== 'yes') return pages
  // A ticket with an empty name is not added.
  if (fit === 'no' || !ticket.name.trim()) return listed ? dropTicket(pages, ticket.id) : pages
  if (listed && isSamePlace(listed, ticket, sort)) return replaced(pages, ticket)
  return insert(listed ? dropTicket(pages, ticket.id) : pages, ticket, sort)
}

/** Only the page that held it becomes a new one. */
export const dropTicket = (pages: TicketPages, id: string): TicketPages => {
  if (!findTicket(pages, id)) return pages
  const without = (page: Page<Ticket>) =>
    page.items.some((one) => one.id === id) ? { ...page, items: page.items.filter((one) => one.id !== id) } : page
  return { ...pages, pages: pages.pages.map(without) }
}

const replaced = (pages: TicketPages, ticket: Ticket): TicketPages => ({
  ...pages,
  pages: pages.pages.map((page) => {
    const at = page.items.findIndex((one) => one.id === ticket.id)
    return at === -1 ? page : { ...page, items: page.items.with(at, ticket) }
  }),
})

export const patchTickets = (pages: TicketPages, patchOf: (ticket: Ticket) => Ticket): TicketPages => ({
  ...pages,
  pages: pages.pages.map((page) => ({ ...page, items: page.items.map(patchOf) })),
})

const insert = (pages: TicketPages, ticket: Ticket, sort: TicketSort): TicketPages => {
  const last = pages.pages.length - 1
  const found = pages.pages.findIndex((page) => page.items.some((one) => isBefore(ticket, one, sort)))
  const at = found === -1 ? last : found
  const target = pages.pages[at]
  // Behind everything loaded while there is more: its page will bring it.
  if (!target || (found === -1 && target.hasMore)) return pages
  const index = target.items.findIndex((one) => isBefore(ticket, one, sort))
  const items = target.items.toSpliced(index === -1 ? target.items.length : index, 0, ticket)
  return { ...pages, pages: pages.pages.with(at, { ...target, items }) }
}

const never = '9999'
const keyOf: Record<TicketSort, (ticket: Ticket) => string> = {
  recent: (ticket) => ticket.lastMessageAt ?? ticket.createdAt,
  waiting: (ticket) => ticket.waitingSince ?? never,
  sla: (ticket) => ticket.slaDueAt ?? never,
}
const isSamePlace = (one: Ticket, other: Ticket, sort: TicketSort) => keyOf[sort](one) === keyOf[sort](other)

/** The server's order: newest message first, or what is due first; what has no moment last; ties by id. */
const isBefore = (one: Ticket, other: Ticket, sort: TicketSort) => {
  const [a, b] = [keyOf[sort](one) + one.id, keyOf[sort](other) + other.id]
  return sort === 'recent' ? a > b : a < b
}

/** The counters after a ticket changed; undefined stands for "not there" (not yet, or no longer). */
export const countersAfter = (
  now: Counters,
  before: Ticket | undefined,
  after: Ticket | undefined,
  viewer: Viewer,
): Counters => {
  const steps: Partial<Record<View | 'unread', number>> = {}
  const count = (ticket: Ticket | undefined, step: number) => {
    if (!ticket) return
    const add = (name: View | 'unread') => {
      steps[name] = (steps[name] ?? 0) + step
    }
    for (const view of views)
      if (viewOf[view].status.includes(ticket.status) && viewOf[view].holds(ticket, viewer.userId, viewer.marks))
        add(view)
    if (ticket.status !== 'closed' && ticket.unreadMessages > 0) add('unread')
  }
  count(before, -1)
  count(after, 1)
  const next = { ...now }
  for (const name of [...views, 'unread'] as const) {
    const [counted, step] = [now[name], steps[name]]
    // A number at its end says nothing of one more or less.
    if (step && counted !== null && counted < countedUpTo) next[name] = Math.max(0, counted + step)
  }
  return next
}
