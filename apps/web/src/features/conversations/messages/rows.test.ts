import type { Message } from '@balcao/contract/conversations/messages.ts'
import { expect, test } from 'vitest'
import { dayLabel, firstUnreadOf, holds, rowsOf } from './rows.ts'
import { sampleMessage } from './test-message.ts'

const at = (id: string, timestamp: string, more: Partial<Message> = {}) => sampleMessage({ id, timestamp, ...more })

test('consecutive messages of one side share a group, until five minutes or the other side pass', () => {
  const rows = rowsOf([
    at('a', '2026-11-20T15:00:00Z'),
    at('b', '2026-11-20T15:01:00Z'),
    at('c', '2026-11-20T15:08:00Z'),
    at('d', '2026-11-20T15:09:00Z', { fromMe: true, user: { id: 'u', name: 'Ana' } }),
    at('e', '2026-11-20T15:09:10Z', { fromMe: true, type: 'note', user: { id: 'u', name: 'Ana' } }),
    at('f', '2026-11-20T15:09:20Z', { fromMe: true, user: { id: 'v', name: 'Bruno' } }),
  ])
  expect(rows.map((row) => [row.message.id, row.isFirst, row.isLast])).toEqual([
    ['a', true, false],
    ['b', false, true],
    ['c', true, true],
    ['d', true, true],
    ['e', true, true],
    ['f', true, true],
  ])
})

test('a day begins by the clock of the company, not of the world', () => {
  // 02:30 UTC on the 21st is still the 20th in São Paulo.
  const rows = rowsOf([
    at('a', '2026-11-20T15:00:00Z'),
    at('b', '2026-11-21T02:30:00Z'),
    at('c', '2026-11-21T03:30:00Z'),
  ])
  expect(rows.map((row) => row.startsDay)).toEqual([true, false, true])
})

test('reactions are not rows, and the marker stands above the first new message', () => {
  const messages = [
    at('a', '2026-11-20T15:00:00Z'),
    at('r', '2026-11-20T15:00:10Z', { type: 'reaction' }),
    at('b', '2026-11-20T15:00:20Z'),
  ]
  const rows = rowsOf(messages, firstUnreadOf(messages, 1))
  expect(rows.map((row) => [row.message.id, row.startsNew])).toEqual([
    ['a', false],
    ['b', true],
  ])
  expect(firstUnreadOf(messages, 9)).toBe('a')
  expect(firstUnreadOf(messages, 0)).toBeNull()
})

test('days are told as people tell them', () => {
  const now = new Date('2026-11-20T18:00:00Z')
  expect(dayLabel('2026-11-20T12:00:00Z', now)).toBe('Hoje')
  expect(dayLabel('2026-11-19T12:00:00Z', now)).toBe('Ontem')
  expect(dayLabel('2026-11-02T12:00:00Z', now)).toBe('segunda-feira, 2 de novembro')
  expect(dayLabel('2025-12-31T12:00:00Z', now)).toBe('quarta-feira, 31 de dezembro de 2025')
})

test('pictures of one album are one row, at most ten of them; while choosing, each stands alone', () => {
  const picture = (id: string, album: string, more: Partial<Message> = {}) =>
    at(id, '2026-11-20T15:00:00Z', { type: 'image', payload: { album: { id: album } }, ...more })
  const messages = [
    picture('a', 'x'),
    picture('b', 'x'),
    picture('c', 'y'),
    at('d', '2026-11-20T15:00:00Z'),
    picture('e', 'y'),
    ...Array.from({ length: 11 }, (_, n) => picture(`z${n}`, 'z')),
  ]
  const rows = rowsOf(messages, 'b')
  expect(rows.map(({ message, album }) => [message.id, album?.length ?? 1])).toEqual([
    ['a', 2],
    ['c', 1],
    ['d', 1],
    ['e', 1],
    ['z0', 10],
    ['z10', 1],
  ])
  expect(rows[0]?.startsNew).toBe(true)
  expect(rows.findIndex((row) => holds(row, 'b'))).toBe(0)
  expect(rowsOf(messages, null, { isApart: true })).toHaveLength(messages.length)
})

test('what left in one mail is told its subject once, and stands below it piece by piece', () => {
  const mail = { subject: 'Orçamento', cc: ['a@b.com'], bcc: [], references: [], isFormatted: false }
  const piece = (id: string, type: Message['type'], album = 'mail-1') =>
    at(id, '2026-11-20T15:00:00Z', { type, fromMe: true, payload: { album: { id: album }, mail } })
  const rows = rowsOf([piece('a', 'text'), piece('b', 'image'), piece('c', 'image'), piece('d', 'text', 'mail-2')])
  expect(rows.map(({ message, album, isOfMailAbove = false }) => [message.id, album, isOfMailAbove])).toEqual([
    ['a', undefined, false],
    ['b', undefined, true],
    ['c', undefined, true],
    ['d', undefined, false],
  ])
})
