import { expect, test } from 'vitest'
import { auditAction, auditChanges, auditSubject } from './audit-words.ts'

const before = {
  id: '1',
  version: 1,
  name: 'Ana',
  isBlocked: false,
  queues: [{ id: 'q', name: 'Vendas' }],
  email: 'a@b',
}

test('what changed is told field by field, as people read it', () => {
  const after = { ...before, version: 2, isBlocked: true, queues: [] }
  expect(auditChanges({ before, after })).toEqual([
    { label: 'Bloqueado', before: 'Não', after: 'Sim' },
    { label: 'Filas', before: 'Vendas', after: '' },
  ])
  expect(auditChanges({ before: null, after: { name: 'Ana', color: '#112233' } })).toEqual([
    { label: 'Nome', before: null, after: 'Ana' },
    { label: 'Cor', before: null, after: '#112233' },
  ])
  expect(auditSubject({ before, after: null, entityId: '1' })).toBe('Ana')
})

test('an action has a word, whichever way it was written down', () => {
  expect(['create', 'tag.created', 'user.update', 'impersonation.started', 'strange'].map(auditAction)).toEqual([
    'Criou',
    'Criou',
    'Alterou',
    'Entrou como suporte',
    'strange',
  ])
})
