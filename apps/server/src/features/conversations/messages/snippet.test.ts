import { expect, test } from 'vitest'
import { snippetOf } from './snippet.ts'

test('finds a word whatever its accents and case, and keeps them', () => {
  expect(snippetOf('Pode ser amanhã de MANHÃ?', 'manha')).toEqual({
    before: 'Pode ser a',
    hit: 'manhã',
    after: ' de MANHÃ?',
  })
})

test('cuts long texts on both sides of the hit, never through a sign', () => {
  const { before, hit, after } = snippetOf(`${'😀'.repeat(60)} pedido ${'x'.repeat(300)}`, 'pedido')
  expect(before).toBe(`…${'😀'.repeat(39)} `)
  expect(hit).toBe('pedido')
  expect(after).toHaveLength(111)
})

test('shows the beginning when the words are not there, as in a name only the database knows', () => {
  expect(snippetOf('Olá\n mundo', 'zzz')).toEqual({ before: '', hit: '', after: 'Olá mundo' })
})
