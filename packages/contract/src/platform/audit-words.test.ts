import { expect, test } from 'vitest'
import { contactFieldResource } from '../contacts/contact-fields.ts'
import { tagResource } from '../contacts/tags.ts'
import { placeResource } from '../conversations/places.ts'
import { reasonResource } from '../conversations/reasons.ts'
import { savedFilterResource } from '../conversations/saved-filters.ts'
import { farewellResource } from '../service/farewells.ts'
import { macroResource } from '../service/macros.ts'
import { queueResource } from '../service/queues.ts'
import { quickMessageResource } from '../service/quick-messages.ts'
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
})

test('an entry says what it is about, whatever the row calls its name', () => {
  const about = (entry: Partial<Parameters<typeof auditSubject>[0]>) =>
    auditSubject({ entity: 'user', entityId: '1', before: null, after: null, ...entry })
  expect(about({ before })).toBe('Ana')
  expect(about({ entity: 'quickMessage', after: { key: 'bomdia', message: 'Bom dia!' } })).toBe('bomdia')
  expect(about({ entity: 'schedule', after: { body: 'Oi', contact: { name: 'Rita' } } })).toBe('Rita')
  expect(about({ entity: 'rating', before: { ticketId: 't', grade: 5 }, names: { t: '20261122000001' } })).toBe(
    '20261122000001',
  )
  expect(about({ names: { 1: 'Bruno' } })).toBe('Bruno')
  expect(about({ action: 'contact.exported', entity: 'contact', entityId: 'all' })).toBe('Todos os contatos')
  expect(about({ action: 'contact.exported', entityId: 'all', after: { isFiltered: true } })).toBe(
    'Só os do filtro escolhido',
  )
  expect(about({ action: 'audit.exported', entityId: '', after: {} })).toBe('Todo o período')
  expect(
    about({ action: 'audit.exported', entityId: '', after: { dateFrom: '2026-03-01', dateTo: '2026-03-31' } }),
  ).toBe('De 01/03/2026 até 31/03/2026')
  expect(about({ action: 'impersonation.started', entity: 'tenant', after: { reason: 'Chamado 12' } })).toBe(
    'Chamado 12',
  )
  expect(about({ action: 'impersonation.ended', entity: 'tenant' })).toBe('Fim da visita')
  expect(about({ action: 'bulk.closeTickets', entity: 'bulkJob', after: { total: 12 } })).toBe('12 atendimentos')
  expect(about({ entity: 'settings', entityId: 'holidays,timezone' })).toBe('Feriados, Fuso horário')
})

test('an id is told by its name, and no field of what is administered by its technical name', () => {
  expect(auditChanges({ before: { queueId: 'q' }, after: { queueId: null }, names: { q: 'Vendas' } })).toEqual([
    { label: 'Fila', before: 'Vendas', after: '' },
  ])
  const all = [
    ...[tagResource, queueResource, reasonResource, placeResource, farewellResource, macroResource],
    ...[quickMessageResource, savedFilterResource, contactFieldResource],
  ]
  const names = [...new Set(all.flatMap(({ write }) => Object.keys(write.shape)))].filter((name) => name !== 'mediaId')
  const bare = names.filter((name) => auditChanges({ before: null, after: { [name]: 'x' } })[0]?.label === name)
  expect(bare).toEqual([])
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
