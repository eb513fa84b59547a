import { unreachableBecause as whyNot } from '@balcao/contract/channels/index.ts'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { expect, test } from 'vitest'
import { unreachableBecause } from './reach.ts'

const contactWith = (number: string | null, ...identities: Contact['identities']): Contact => ({
  id: '019a0000-0000-7000-8000-000000000001',
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  name: 'Ana',
  number,
  email: null,
  firstName: '',
  lastName: '',
  businessName: '',
  document: null,
  address: null,
  kanban: null,
  profilePicUrl: null,
  notes: '',
  isGroup: false,
  isBotBlocked: false,
  tags: [],
  wallets: [],
  identities,
  extraInfo: [],
  birthdayDate: null,
  lastMessageAt: null,
})

test('a phone is enough for WhatsApp and for nothing else', () => {
  const contact = contactWith('5511987654321')
  expect(unreachableBecause(contact, 'waba')).toBeNull()
  expect(unreachableBecause(contact, 'telegram')).toContain('Telegram')
  expect(unreachableBecause(contact, 'webchat')).toContain('site')
})

test('without a phone, WhatsApp’s own id also reaches', () => {
  expect(unreachableBecause(contactWith(null), 'waba')).toContain('telefone')
  expect(unreachableBecause(contactWith(null, { kind: 'bsuid', value: 'x' }), 'waba')).toBeNull()
})

test('an e-mail that was only written down reaches by e-mail', () => {
  expect(unreachableBecause(contactWith(null), 'email')).toContain('e-mail')
  expect(unreachableBecause({ ...contactWith(null), email: 'ana@example.com' }, 'email')).toBeNull()
})

test('somebody who blocked every way we know is reached by none; a second way is enough', () => {
  const known = { number: null, identities: ['phone', 'bsuid'] as const }
  expect(whyNot({ ...known, deaf: ['phone'] }, 'waba')).toBeNull()
  expect(whyNot({ ...known, deaf: ['phone', 'bsuid'] }, 'waba')).toContain('não recebe')
})

test('a visitor is reached on the site, signed or not', () => {
  expect(unreachableBecause(contactWith(null, { kind: 'webchatUser', value: 'x' }), 'webchat')).toBeNull()
  expect(unreachableBecause(contactWith(null, { kind: 'telegram', value: '1' }), 'telegram')).toBeNull()
})
