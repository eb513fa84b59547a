import { expect, test } from 'vitest'
import { begunVariable } from './begun-variable.ts'

test('a placeholder is begun from its braces on until it is closed or something else is written', () => {
  expect(begunVariable('Olá {{')).toBe('')
  expect(begunVariable('Olá {{ var.no')).toBe('var.no')
  expect(begunVariable('Olá {{name}}')).toBeNull()
  expect(begunVariable('Olá {{name}} e {{pro')).toBe('pro')
  expect(begunVariable('Olá {{uma frase')).toBeNull()
  expect(begunVariable('Olá')).toBeNull()
})
