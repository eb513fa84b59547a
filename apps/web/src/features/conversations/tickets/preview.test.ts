import { expect, test } from 'vitest'
import { authorMark } from './preview.ts'

test('the last words are mine, a colleague’s by the first name, or the customer’s without a word', () => {
  const by = (id: string, name: string) => ({ lastAuthor: { id, name } })
  expect(authorMark(by('ana', 'Ana Souza'), 'ana')).toBe('Você: ')
  expect(authorMark(by('rui', 'Rui Paz'), 'ana')).toBe('Rui: ')
  expect(authorMark({ lastAuthor: null }, 'ana')).toBe('')
})
