import type { Opportunity, OpportunityBoard } from '@balcao/contract/sales/opportunities.ts'
import { expect, test } from 'vitest'
import { followerOf, placed, withMoves } from './board-moves.ts'

const card = (id: string, stageId: string, more: Partial<Opportunity> = {}): Opportunity => ({
  ...{ id, stageId, name: id, version: 1, value: 100, pipelineId: 'p', contactId: 'c', responsibleId: null },
  ...{ closingForecast: null, description: '', source: '', items: [], status: 'open', reasonId: null, ticketId: null },
  ...{ contact: { id: 'c', name: 'C', number: null, profilePicUrl: null }, responsible: null, reason: null },
  ...{ createdBy: null, stageSince: '', closedAt: null, createdAt: '', updatedAt: '' },
  ...more,
})
const column = (stageId: string, cards: Opportunity[], nextCursor: string | null = null) => ({
  ...{ stageId, cards, nextCursor, weighted: 0 },
  total: cards.length + (nextCursor ? 10 : 0),
  value: cards.reduce((sum, { value }) => sum + value, 0),
})
const told = (columns: OpportunityBoard['columns']) =>
  Object.fromEntries(
    columns.map(({ stageId, total, value, cards }) => [stageId, [total, value, ...cards.map(({ id }) => id)]]),
  )
const move = (one: Opportunity, stageId: string, beforeId?: string | null) => ({
  card: one,
  stageId,
  movedAt: '',
  beforeId,
})

const [ana, bia, caio] = [card('ana', 'a'), card('bia', 'a', { value: 50 }), card('caio', 'b')]
const board = [column('a', [ana, bia]), column('b', [caio]), column('c', [])]

test('a card moved twice in a row stays in sight, whatever the server tells of the first move meanwhile', () => {
  const moves = [move(ana, 'b'), move(ana, 'c')]
  const expected = { a: [1, 50, 'bia'], b: [1, 100, 'caio'], c: [1, 100, 'ana'] }
  expect(told(withMoves(board, moves))).toEqual(expected)
  const heard = placed(board, { ...ana, stageId: 'b', version: 2 })
  expect(told(withMoves(heard, moves.slice(1)))).toEqual(expected)
})

test('what a colleague moved is counted where it stands by now; an old word about it changes nothing', () => {
  const now = placed(board, { ...bia, stageId: 'c', value: 80, version: 3 })
  expect(told(now)).toEqual({ a: [1, 100, 'ana'], b: [1, 100, 'caio'], c: [1, 80, 'bia'] })
  expect(placed(now, { ...bia, version: 2 })).toBe(now)
})

test('a card that only changed keeps its place, and its new value counts', () => {
  expect(told(placed(board, { ...ana, value: 300, version: 2 })).a).toEqual([2, 350, 'ana', 'bia'])
})

test('taken back, a card goes in front of the one that followed it, or to the end', () => {
  expect(followerOf(board, ana)).toBe('bia')
  expect(followerOf(board, bia)).toBeNull()
  expect(followerOf([column('a', [ana], 'more')], ana)).toBeUndefined()
  const away = withMoves(board, [move(ana, 'b')])
  const moved = { ...ana, stageId: 'b' }
  expect(told(withMoves(away, [move(moved, 'a', 'bia')])).a).toEqual([2, 150, 'ana', 'bia'])
  expect(told(withMoves(away, [move(moved, 'a', null)])).a).toEqual([2, 150, 'bia', 'ana'])
  const heard = placed(board, { ...moved, stageId: 'b', version: 2 })
  const back = { ...ana, version: 3 }
  expect(told(placed(placed(heard, back), back, 'bia')).a).toEqual([2, 150, 'ana', 'bia'])
  expect(told(placed(placed(heard, back), back, null)).a).toEqual([2, 150, 'bia', 'ana'])
})
