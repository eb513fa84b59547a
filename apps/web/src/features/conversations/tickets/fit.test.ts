import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { TicketDelta } from '@balcao/contract/events.ts'
import { expect, test } from 'vitest'
import { emptyFilter, type ListFilter } from './filter.ts'
import { fitOf, isListed, mayFit, type Viewer } from './fit.ts'
import { noMarks } from './marks.ts'
import { sampleTicket } from './test-ticket.ts'

const me = 'u-me'
const viewer = (more: Partial<Viewer> = {}): Viewer => ({
  userId: me,
  seesAll: false,
  settings: {},
  marks: noMarks,
  ...more,
})
const filter = (more: Partial<ListFilter> = {}): ListFilter => ({ ...emptyFilter, ...more })

test.each<[string, Partial<Ticket>, Partial<ListFilter>, string]>([
  ['of the tab', {}, {}, 'yes'],
  ['of another tab', { status: 'pending' }, {}, 'no'],
  ['without a queue, which are included', { queueId: null }, { queuesIds: ['q1'] }, 'yes'],
  ['without a queue, which are not', { queueId: null }, { includeNotQueueDefined: false }, 'no'],
  ['of another queue', { queueId: 'q2' }, { queuesIds: ['q1'] }, 'no'],
  ['of a chosen agent', { userId: 'u1' }, { selectedUser: ['u1'] }, 'yes'],
  ['of somebody, when only free ones are wanted', { userId: 'u1' }, { isNotAssignedUser: true }, 'no'],
  ['already read, when only unread are wanted', { unreadMessages: 0 }, { withUnreadMessages: true }, 'no'],
  ['paused, which waits elsewhere', { pausedAt: '2026-11-20T10:00:00.000Z' }, {}, 'no'],
  ['paused', { pausedAt: '2026-11-20T10:00:00.000Z' }, { view: 'paused' }, 'yes'],
  ['of a group', { isGroup: true, status: 'pending' }, { view: 'groups' }, 'yes'],
  ['with a robot', { bot: 'dify', status: 'pending' }, { view: 'bot' }, 'yes'],
  ['with a person after a robot', { bot: 'dify', userId: 'u1' }, { view: 'bot' }, 'no'],
  ['shared with me', { sharedWith: [me] }, { view: 'shared' }, 'yes'],
  ['followed and closed', { id: 'followed', status: 'closed' }, { view: 'followed' }, 'yes'],
  ['not followed', {}, { view: 'followed' }, 'no'],
  ['with an unread mention', { id: 'mentioned' }, { view: 'mentions' }, 'yes'],
  ['with mentions only the server knows', {}, { view: 'mentions' }, 'maybe'],
  ['whose schedules only the server knows', {}, { view: 'scheduled' }, 'maybe'],
  ['closed, whatever was scheduled', { status: 'closed' }, { view: 'scheduled' }, 'no'],
  ['pinned', { id: 'pinned' }, { isPinned: true }, 'yes'],
  ['not pinned', {}, { isPinned: true }, 'no'],
  ['of another priority', {}, { priority: ['urgent'] }, 'no'],
  [
    'of the day, by the clock of the company',
    { createdAt: '2026-11-21T02:30:00.000Z' },
    { dateTo: '2026-11-20' },
    'yes',
  ],
  ['of the day before', { createdAt: '2026-11-21T02:30:00.000Z' }, { dateFrom: '2026-11-21' }, 'no'],
  ['found by name without accents', { name: 'Conceição' }, { searchParam: 'conceicao' }, 'yes'],
  ['that only the server can find', {}, { searchParam: 'palavra rara' }, 'maybe'],
])('a ticket %s', (_, ticket, chosen, fit) => {
  const marks = { pinned: new Set(['pinned']), followed: new Set(['followed']), mentioned: new Set(['mentioned']) }
  expect(fitOf(sampleTicket(ticket), filter(chosen), viewer({ marks }))).toBe(fit)
})

test('without "Ver todos" the rules of the company hold for administrators too', () => {
  const admin = viewer({ seesAll: true, settings: { NotViewAssignedTickets: true } })
  const others = sampleTicket({ userId: 'someone' })
  expect(isListed(others, false, admin)).toBe(false)
  expect(isListed(others, true, admin)).toBe(true)
  expect(isListed(sampleTicket({ userId: me }), false, admin)).toBe(true)
  expect(isListed(others, false, viewer({ settings: { NotViewAssignedTickets: true } }))).toBe(true) // the server never sent it
})

test('groups that everybody sees are held back by chosen queues, not by chosen people', () => {
  const open = viewer({ settings: { mostrarGruposParaTodos: true } })
  const group = sampleTicket({ isGroup: true, queueId: 'q1' })
  expect(fitOf(group, filter({ selectedUser: ['somebody'] }), open)).toBe('yes')
  expect(fitOf(group, filter({ selectedUser: ['somebody'] }), viewer())).toBe('no')
  expect(fitOf(group, filter({ queuesIds: ['q9'], includeNotQueueDefined: false }), open)).toBe('no')
})

test('a delta of what is not loaded is asked for only when it can belong', () => {
  const delta = (more: Partial<TicketDelta> = {}): TicketDelta => sampleTicket(more)
  expect(mayFit(delta(), filter(), viewer())).toBe(true)
  expect(mayFit(delta({ status: 'pending' }), filter(), viewer())).toBe(false)
  expect(mayFit(delta(), filter({ view: 'groups' }), viewer())).toBe(false)
  expect(mayFit(delta({ isGroup: true }), filter({ view: 'groups' }), viewer())).toBe(true)
  expect(mayFit(delta(), filter({ view: 'scheduled' }), viewer())).toBe(false)
  expect(mayFit(delta(), filter({ isPinned: true }), viewer())).toBe(false)
  expect(mayFit(delta(), filter({ searchParam: 'x' }), viewer())).toBe(false)
})
