import { expect, test } from 'vitest'
import { transferTargets } from './transfer-targets.ts'

const person = (name: string, more: object = {}) => ({
  id: name,
  name,
  isOnline: true,
  isAway: false,
  queueIds: ['vendas'],
  ...more,
})
const given = {
  people: [
    person('Ana'),
    person('Bruno'),
    person('Célia', { isOnline: false }),
    person('Davi', { isAway: true, queueIds: ['trocas'] }),
  ],
  queues: [
    { id: 'vendas', name: 'Vendas', isActive: true },
    { id: 'trocas', name: 'Trocas', isActive: true },
    { id: 'velha', name: 'Velha', isActive: false },
  ],
  holderId: null,
  loads: new Map([['Ana', 4]]),
  queueId: null,
  words: '',
  last: null,
}
const names = (more: Partial<Parameters<typeof transferTargets>[0]>) =>
  transferTargets({ ...given, ...more }).map((one) => one.name)

test('who is there and has least comes first, who is away and who is gone after; queues at the end', () => {
  expect(names({})).toEqual(['Bruno', 'Ana', 'Davi', 'Célia', 'Vendas', 'Trocas'])
  expect(transferTargets(given).map((one) => one.note)).toEqual([
    'livre',
    '4 em atendimento',
    'Em pausa · livre',
    'Offline · livre',
    'Fila',
    'Fila',
  ])
})

test('the last choice stands first, accents need not be typed, and a chosen queue leaves its people', () => {
  expect(names({ last: 'user:Davi' })[0]).toBe('Davi')
  expect(names({ words: 'celi' })).toEqual(['Célia'])
  expect(names({ queueId: 'trocas' })).toEqual(['Davi', 'Trocas'])
})

test('whoever has the conversation is not among those it may go to', () => {
  expect(names({ holderId: 'Bruno' })).not.toContain('Bruno')
})
