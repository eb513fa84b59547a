import type { BoardCard, BoardColumn } from '@balcao/contract/contacts/board.ts'
import { expect, test } from 'vitest'
import { isUnseen, moved, placed, tagsAfter, wayBack, withMore, without } from './columns.ts'

const card = (id: string, more: Partial<BoardCard> = {}): BoardCard => ({
  id,
  version: 1,
  name: id,
  number: null,
  profilePicUrl: null,
  isGroup: false,
  businessName: '',
  kanban: null,
  tags: [],
  wallets: [],
  lastMessageAt: null,
  ...more,
})
const column = (id: string, cards: BoardCard[], total = cards.length): BoardColumn => ({
  id,
  name: id.toUpperCase(),
  color: null,
  limit: null,
  total,
  cards,
  nextCursor: null,
})
const told = (columns: readonly BoardColumn[]) =>
  Object.fromEntries(columns.map(({ id, total, cards }) => [id, [total, ...cards.map((one) => one.id)]]))

test('a card that was moved stands first in its new column, and is counted there', () => {
  const ana = card('ana')
  const columns = [column('none', [ana, card('bia')], 40), column('a', [card('caio', { kanban: 'a' })])]
  expect(told(moved(columns, 'kanban', ana, 'none', 'a'))).toEqual({ none: [39, 'bia'], a: [2, 'ana', 'caio'] })
})

test('a card that only changed keeps its place; one of elsewhere comes first; one gone is nowhere', () => {
  const columns = [column('none', [card('ana'), card('bia')]), column('a', [])]
  const changed = placed(columns, 'kanban', card('bia', { name: 'Beatriz' }))
  expect(changed[0]?.cards.map(({ name }) => name)).toEqual(['ana', 'Beatriz'])
  expect(told(placed(columns, 'kanban', card('new')))).toEqual({ none: [3, 'new', 'ana', 'bia'], a: [0] })
  expect(told(without(columns, 'kanban', 'ana'))).toEqual({ none: [1, 'bia'], a: [0] })
})

test('by tags one tag gives way to another, and the rest of them stay', () => {
  const tag = (id: string) => ({ id, name: id.toUpperCase(), color: '#112233' })
  const ana = card('ana', { tags: [tag('a'), tag('b')] })
  const columns = [column('none', []), column('a', [ana]), column('b', [ana]), column('c', [])]
  expect(told(moved(columns, 'tag', ana, 'a', 'c'))).toEqual({ none: [0], a: [0], b: [1, 'ana'], c: [1, 'ana'] })
  expect(told(moved(columns, 'tag', ana, 'a', 'none'))).toEqual({ none: [1, 'ana'], a: [0], b: [0], c: [0] })
})

test('more cards stand behind those that are there, each once', () => {
  const columns = [column('a', [card('ana')], 3)]
  expect(told(withMore(columns, column('a', [card('ana'), card('bia')], 4)))).toEqual({ a: [4, 'ana', 'bia'] })
})

test('whoever is brought to those without tags comes back with all they had', () => {
  const tag = (id: string) => ({ id, name: id.toUpperCase(), color: '#112233' })
  const ana = card('ana', { tags: [tag('a'), tag('b')] })
  const away = { card: ana, from: 'a', to: 'none' }
  expect(tagsAfter(away)).toEqual([])
  const back = wayBack(away, card('ana', { version: 2 }))
  expect(back).toMatchObject({ card: { version: 2 }, from: 'none', to: 'a' })
  expect(tagsAfter(back).toSorted()).toEqual(['a', 'b'])
  const other = { card: ana, from: 'a', to: 'c' }
  expect(tagsAfter(other)).toEqual(['b', 'c'])
  expect(tagsAfter(wayBack(other, card('ana', { tags: [tag('b'), tag('c')] }))).toSorted()).toEqual(['a', 'b'])
})

test('a column counts once who stands behind the cards it shows', () => {
  const tag = (id: string) => ({ id, name: id.toUpperCase(), color: '#112233' })
  const ana = card('ana', { tags: [tag('a'), tag('b')] })
  const columns = [column('none', []), column('a', [ana]), { ...column('b', [card('bia')], 40), nextCursor: 'next' }]
  const renamed = placed(columns, 'tag', { ...ana, name: 'Ana' })
  expect(told(renamed)).toEqual({ none: [0], a: [1, 'ana'], b: [40, 'bia'] })
  expect(told(placed(columns, 'tag', { ...ana, tags: [tag('a')] }))).toEqual({
    none: [0],
    a: [1, 'ana'],
    b: [39, 'bia'],
  })

  expect(told(without(columns, 'tag', 'ana'))).toEqual({ none: [0], a: [0], b: [39, 'bia'] })

  expect(isUnseen(columns, 'caio')).toBe(true)
  expect(isUnseen(columns, 'ana')).toBe(false)
  expect(isUnseen([column('a', [])], 'caio')).toBe(false)
})
