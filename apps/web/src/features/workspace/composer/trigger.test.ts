import { expect, test } from 'vitest'
import { triggerAt } from './trigger.ts'

const asked = (text: string, isNote = false, caret = text.length) => triggerAt(text, caret, isNote ? 'note' : 'reply')

test('a slash asks for quick messages at the start or after a space, not inside a word', () => {
  expect(asked('/oi')).toEqual({ kind: 'quick', word: 'oi', start: 0 })
  expect(asked('bom dia /')).toEqual({ kind: 'quick', word: '', start: 8 })
  expect(asked('https://')).toBeNull()
  expect(asked('/oi tudo')).toBeNull()
  expect(asked('/oi', false, 1)).toEqual({ kind: 'quick', word: '', start: 0 })
})

test('a backslash asks for macros, by names of more than one word', () => {
  expect(asked('\\')).toEqual({ kind: 'macro', word: '', start: 0 })
  expect(asked('ok \\enc pe')).toEqual({ kind: 'macro', word: 'enc pe', start: 3 })
  expect(asked('C:\\pasta')).toBeNull()
})

test('two braces ask for variables, in what the customer reads', () => {
  expect(asked('Olá {{fir')).toEqual({ kind: 'variable', word: 'fir', start: 4 })
  expect(asked('Olá {{ extra.ci')).toEqual({ kind: 'variable', word: 'extra.ci', start: 4 })
  expect(asked('Olá {{name}}')).toBeNull()
  expect(asked('Olá {{fir', true)).toBeNull()
})

test('an at sign calls colleagues in notes only, by their whole name, and is no address', () => {
  expect(asked('veja @Ana Pa', true)).toEqual({ kind: 'mention', word: 'Ana Pa', start: 5 })
  expect(asked('veja @Ana Pa')).toBeNull()
  expect(asked('ana@loja', true)).toBeNull()
})

test('in a group the same sign calls its members', () => {
  expect(triggerAt('oi @rui b', 9, 'group')).toEqual({ kind: 'member', word: 'rui b', start: 3 })
  expect(triggerAt('ana@loja', 8, 'group')).toBeNull()
})
