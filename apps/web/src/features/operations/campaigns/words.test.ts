import { expect, test } from 'vitest'
import { startedText } from './words.ts'

test('what waits for its hour or for a second person is not said to have begun', () => {
  expect(startedText({ state: 'approval' })).toBe('Enviada para aprovação.')
  expect(startedText({ state: 'scheduled' })).toBe('Campanha agendada.')
  expect(startedText({ state: 'preparing' })).toBe('Campanha iniciada.')
  expect(startedText({ state: 'preparing' }, true)).toBe('Envio iniciado.')
})
