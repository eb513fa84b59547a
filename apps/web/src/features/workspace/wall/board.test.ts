import type { WallCard } from '@balcao/contract/conversations/wall.ts'
import { expect, test } from 'vitest'
import type { WallAsked, WallCards } from './api.ts'
import { appendCards, dropCard, findCard, placeCard } from './board.ts'

const asked: WallAsked = { group: 'user', queuesIds: [], whatsappIds: [] }
const card = (id: string, more: Partial<WallCard> = {}): WallCard => ({
  id,
  protocol: id,
  status: 'open',
  channel: 'webchat',
  isGroup: false,
  userId: 'ana',
  queueId: null,
  whatsappId: 'site',
  whatsapp: { id: 'site', name: 'Site' },
  contactId: 'c',
  name: id,
  profilePicUrl: null,
  username: 'Ana',
  queue: null,
  chatFlowId: null,
  bot: null,
  priority: 'normal',
  pausedAt: null,
  pauseReason: null,
  slaDueAt: null,
  unreadMessages: 0,
  answered: true,
  lastMessage: '',
  lastMessageType: 'text',
  lastAuthor: null,
  notSent: null,
  notSentMessage: null,
  notSentMessageType: null,
  waitingSince: null,
  startedAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  version: 1,
  ...more,
})
const page = (items: WallCard[], hasMore = false) => ({ items, hasMore, nextCursor: hasMore ? 'x' : null })
const idsOf = (cards: WallCards) =>
  Object.fromEntries(Object.entries(cards).map(([key, { items }]) => [key, items.map((one) => one.id)]))

test('a card stands by who waits longest, moves with its agent and leaves when it is closed', () => {
  let cards: WallCards = { 'user:ana': page([card('b', { waitingSince: '2026-01-01T10:00:00.000Z' })]) }
  cards = placeCard(cards, card('c'), asked)
  cards = placeCard(cards, card('a', { waitingSince: '2026-01-01T09:00:00.000Z' }), asked)
  expect(idsOf(cards)).toEqual({ 'user:ana': ['a', 'b', 'c'] })
  cards = placeCard(cards, card('a', { userId: 'rui', version: 2 }), asked)
  expect(idsOf(cards)).toEqual({ 'user:ana': ['b', 'c'], 'user:rui': ['a'] })
  expect(placeCard(cards, card('a', { version: 1 }), asked)).toBe(cards)
  cards = placeCard(cards, card('b', { status: 'closed', version: 2 }), asked)
  expect(idsOf(cards)).toEqual({ 'user:ana': ['c'], 'user:rui': ['a'] })
  expect(idsOf(dropCard(cards, 'c'))).toEqual({ 'user:ana': [], 'user:rui': ['a'] })
})

test('beyond what is loaded a card is not shown, and outside the filter neither', () => {
  const cards: WallCards = { 'user:ana': page([card('b', { waitingSince: '2026-01-01T10:00:00.000Z' })], true) }
  expect(findCard(placeCard(cards, card('c'), asked), 'c')).toBeUndefined()
  const first = card('a', { waitingSince: '2026-01-01T09:00:00.000Z' })
  expect(idsOf(placeCard(cards, first, asked))).toEqual({ 'user:ana': ['a', 'b'] })
  expect(findCard(placeCard(cards, first, { ...asked, queuesIds: ['vendas'] }), 'a')).toBeUndefined()
  const more = appendCards(placeCard(cards, first, asked), 'user:ana', page([first, card('c')]))
  expect(idsOf(more)).toEqual({ 'user:ana': ['a', 'b', 'c'] })
})
