import { expect, test } from 'vitest'
import { isFound } from './plain-text.ts'

test('words are found without accents and capitals, in any order', () => {
  expect(isFound('horario', 'Horário de atendimento')).toBe(true)
  expect(isFound('  COR sistema', 'Cores do sistema')).toBe(true)
  expect(isFound('sistema cor', 'Cores do sistema')).toBe(true)
  expect(isFound('cor fila', 'Cores do sistema', undefined)).toBe(false)
  expect(isFound('', 'Qualquer')).toBe(true)
  expect(isFound('ana', 'Ana Souza')).toBe(true)
  expect(isFound('ana', 'Canais', 'semana')).toBe(false) // whoever types a name means a person
  expect(isFound('sla prazos', 'Prazos (SLA)')).toBe(true)
})
