import { expect, test } from 'vitest'
import { fieldsOf } from '../../core/providers/fields.ts'
import { action, actionKinds, blankAction, definitionOf, describeAction, namedBy, withReplaced } from './index.ts'

test.each(actionKinds)('%s is called by its own kind, and its form has a label for each field', (kind) => {
  const { kind: own, label, params, blank } = definitionOf(kind)
  expect(own).toBe(kind)
  expect(label).toMatch(/^[A-ZÀ-Ú]/)
  for (const field of fieldsOf(params)) expect(field.label).not.toBe(field.name)
  expect(Object.keys(blank).toSorted()).toEqual(Object.keys(params.shape).toSorted())
  expect(blankAction(kind)).toEqual({ ...blank, kind })
})

test('what was kept before there was a catalogue is still understood', () => {
  const kept = [
    { kind: 'send', body: 'Oi' },
    { kind: 'transfer', queueId: crypto.randomUUID(), userId: null },
    { kind: 'pause', minutes: null },
    { kind: 'close', reasonId: null },
  ]
  for (const one of kept) expect(action.parse(one)).toEqual(one)
  expect(action.safeParse({ kind: 'dance' }).success).toBe(false)
  expect(action.safeParse({ kind: 'transfer', queueId: null, userId: null }).error?.issues[0]).toMatchObject({
    path: ['queueId'],
    message: 'Escolha a fila ou a pessoa.',
  })
})

test('an action says in one line what was chosen', () => {
  const [vip, ana] = [crypto.randomUUID(), crypto.randomUUID()]
  const nameOf = (id: string) => ({ [vip]: 'VIP', [ana]: 'Ana' })[id]
  const said = (given: Parameters<typeof describeAction>[0]) => describeAction(given, nameOf)
  expect(said({ kind: 'addTags', tagIds: [vip, crypto.randomUUID()] })).toBe('Adicionar etiquetas: VIP')
  expect(said({ kind: 'priority', priority: 'urgent' })).toBe('Definir prioridade: Urgente')
  expect(said({ kind: 'pause', minutes: 1_440 })).toBe('Pausar: por 1 dia')
  expect(said({ kind: 'email', userId: ana, subject: 'Pedido', body: 'x' })).toBe('Enviar e-mail: Ana, Pedido')
  expect(said({ kind: 'markRead' })).toBe('Marcar como lido')
})

test('a row that goes gives way in every action that names it; what has nothing left to do goes with it', () => {
  const [id, other, ana] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  expect(withReplaced({ kind: 'addTags', tagIds: [id, other] }, { id, replacementId: other })).toEqual({
    kind: 'addTags',
    tagIds: [other],
  })
  expect(withReplaced({ kind: 'addTags', tagIds: [id] }, { id, replacementId: null })).toBeUndefined()
  expect(withReplaced({ kind: 'queue', queueId: id }, { id, replacementId: null })).toBeUndefined()
  expect(withReplaced({ kind: 'transfer', queueId: id, userId: ana }, { id, replacementId: null })).toEqual({
    kind: 'transfer',
    queueId: null,
    userId: ana,
  })
  expect(withReplaced({ kind: 'close', reasonId: id }, { id, replacementId: null })).toMatchObject({ reasonId: null })
  expect(namedBy({ kind: 'wallet', userId: ana })).toEqual([{ path: 'userId', names: 'people', ids: [ana] }])
})
