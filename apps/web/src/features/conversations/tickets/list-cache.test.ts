import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { expect, test } from 'vitest'
import type { Viewer } from './fit.ts'
import { countersAfter, dropTicket, placeTicket, type TicketPages, ticketsOf } from './list-cache.ts'
import { noMarks } from './marks.ts'
import { sampleTicket } from './test-ticket.ts'
import type { Counters } from './views.ts'

const at = (minute: number) => `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`
const ticket = (id: string, minute: number, more: Partial<Ticket> = {}) =>
  sampleTicket({ id, lastMessageAt: at(minute), ...more })
const pagesOf = (...pages: Ticket[][]): TicketPages => ({
  pages: pages.map((items, index) => ({ items, hasMore: index < pages.length - 1, nextCursor: null })),
  pageParams: pages.map(() => null),
})
const ids = (pages: TicketPages) => ticketsOf(pages).map((one) => one.id)

test('a ticket with news moves to the top, across pages', () => {
  const pages = pagesOf([ticket('a', 30), ticket('b', 20)], [ticket('c', 10)])
  expect(ids(placeTicket(pages, ticket('c', 40, { version: 2 }), 'yes'))).toEqual(['c', 'a', 'b'])
})

test('one that fits comes in at its place, one that does not goes out', () => {
  const pages = pagesOf([ticket('a', 30), ticket('b', 20)])
  expect(ids(placeTicket(pages, ticket('n', 25), 'yes'))).toEqual(['a', 'n', 'b'])
  expect(ids(placeTicket(pages, ticket('a', 40, { version: 2 }), 'no'))).toEqual(['b'])
})

test('the newer version stays', () => {
  const pages = pagesOf([ticket('a', 30, { version: 5, lastMessage: 'nova' })])
  const late = placeTicket(pages, ticket('a', 40, { version: 4, lastMessage: 'velha' }), 'yes')
  expect(ticketsOf(late)[0]?.lastMessage).toBe('nova')
  expect(late).toBe(pages)
})

test('older than all that is loaded waits for its page', () => {
  const more: TicketPages = {
    pages: [{ items: [ticket('a', 30)], hasMore: true, nextCursor: 'x' }],
    pageParams: [null],
  }
  expect(ids(placeTicket(more, ticket('old', 1), 'yes'))).toEqual(['a'])
  expect(ids(placeTicket(pagesOf([ticket('a', 30)]), ticket('old', 1), 'yes'))).toEqual(['a', 'old'])
})

test('what only the server can find stays when listed and does not enter when not', () => {
  const pages = pagesOf([ticket('a', 30)])
  expect(ids(placeTicket(pages, ticket('a', 40, { version: 2 }), 'maybe'))).toEqual(['a'])
  expect(ids(placeTicket(pages, ticket('z', 40), 'maybe'))).toEqual(['a'])
})

test('a ticket with an empty name is not added, and one listed twice is shown once', () => {
  expect(ids(placeTicket(pagesOf([]), ticket('a', 1, { name: ' ' }), 'yes'))).toEqual([])
  expect(ids(pagesOf([ticket('a', 30)], [ticket('a', 10)]))).toEqual(['a'])
  expect(ids(dropTicket(pagesOf([ticket('a', 30), ticket('b', 20)]), 'a'))).toEqual(['b'])
})

test.each([
  ['waiting', 'waitingSince'],
  ['sla', 'slaDueAt'],
] as const)('in a list by %s a ticket moves as its moment does; without one it goes to the end', (sort, field) => {
  const due = (id: string, minute: number | null, version = 1) =>
    ticket(id, 0, { [field]: minute === null ? null : at(minute), version })
  const pages = pagesOf([due('a', 10), due('b', 20)], [due('c', 30), due('d', null)])
  const placed = (one: Ticket) => ids(placeTicket(pages, one, 'yes', sort))
  expect(placed(due('n', 15))).toEqual(['a', 'n', 'b', 'c', 'd'])
  expect(placed(due('a', 25, 2))).toEqual(['b', 'a', 'c', 'd'])
  expect(placed(due('a', null, 2))).toEqual(['b', 'c', 'a', 'd']) // ties by id
  expect(placed(due('d', 5, 2))).toEqual(['d', 'a', 'b', 'c'])
  expect(placed(due('z', null))).toEqual(['a', 'b', 'c', 'd', 'z'])
})

test('a change that moves nothing renews its page alone', () => {
  const pages = pagesOf([ticket('a', 30), ticket('b', 20)], [ticket('c', 10)])
  const next = placeTicket(pages, ticket('c', 10, { version: 2, priority: 'high' }), 'yes')
  expect(ids(next)).toEqual(['a', 'b', 'c'])
  expect(next.pages[0]).toBe(pages.pages[0])
  expect(ticketsOf(next)[2]?.priority).toBe('high')
})

const noCounts: Counters = {
  open: 1,
  pending: 1,
  closed: null,
  unread: 1,
  groups: 0,
  bot: 0,
  paused: 0,
  scheduled: 0,
  shared: 0,
  notSent: 0,
  followed: 0,
  mentions: 0,
}
const viewer: Viewer = { userId: 'me', seesAll: false, settings: {}, marks: noMarks }
const after = (now: Counters, one: Ticket | undefined, other: Ticket | undefined) =>
  countersAfter(now, one, other, viewer)

test('counters follow a ticket from view to view, and never fall below zero', () => {
  const waiting = ticket('a', 1, { status: 'pending', unreadMessages: 2 })
  const accepted = { ...waiting, status: 'open' as const, unreadMessages: 0 }
  expect(after(noCounts, waiting, accepted)).toMatchObject({ open: 2, pending: 0, closed: null, unread: 0 })
  expect(after(noCounts, undefined, waiting)).toMatchObject({ open: 1, pending: 2, closed: null, unread: 2 })
  expect(after({ ...noCounts, open: 0 }, accepted, undefined).open).toBe(0)
  const paused = { ...accepted, pausedAt: at(1) }
  expect(after(noCounts, accepted, paused)).toMatchObject({ open: 0, paused: 1 })
  expect(after(noCounts, undefined, { ...waiting, isGroup: true, sharedWith: ['me'], bot: 'dify' })).toMatchObject({
    pending: 2,
    groups: 1,
    bot: 1,
    shared: 1,
  })
})

test('a counter at its end says nothing of one more or less', () => {
  expect(after({ ...noCounts, open: 1_000 }, ticket('a', 1), undefined).open).toBe(1_000)
})
