import { expect, test } from 'vitest'
import { nextColumn, placeOf } from './board-columns.ts'

const columns = [
  { key: 'fila', cards: [{ id: '1' }] },
  { key: 'ana', cards: [{ id: '2' }, { id: '3' }] },
  { key: 'saiu', cards: [] },
  { key: 'bia', cards: [] },
]
const takes = (key: string) => key !== 'saiu'

test('a card is found where it stands', () => {
  expect(placeOf(columns, '3')).toEqual({ card: { id: '3' }, from: 'ana' })
  expect(placeOf(columns, '9')).toBeNull()
})

test('an arrow leads to the nearest column that takes the card, and no farther than the board', () => {
  expect(nextColumn(columns, 'ana', 1, takes)).toBe('bia')
  expect(nextColumn(columns, 'ana', -1, takes)).toBe('fila')
  expect(nextColumn(columns, 'fila', -1, takes)).toBeUndefined()
  expect(nextColumn(columns, 'bia', 1, takes)).toBeUndefined()
})
