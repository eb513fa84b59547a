import { askedByWord } from '@balcao/contract/contacts/consent.ts'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, createContact } = await startTestApp()

test('only the word alone is a wish', () => {
  for (const word of ['SAIR', 'sair.', ' Parar!', 'Não quero mais receber', 'STOP'])
    expect(askedByWord(word)).toBe('stop')
  for (const word of ['Quero receber', 'voltar a receber']) expect(askedByWord(word)).toBe('start')
  for (const word of ['quero sair às 18h', 'pode parar a obra', '', 'cancelar', '👍'])
    expect(askedByWord(word)).toBeUndefined()
})

test('what a contact told somebody is noted down with who and how, and read newest first', async () => {
  const tenant = await seedTenant()
  const other = await seedTenant()
  const id = await createContact(tenant, { number: '5511987654321' })
  const me = as(tenant.admin)
  const note = { channel: 'waba', purpose: 'marketing', isGiven: false, proof: 'Pediu por telefone' }
  expect((await me.post(`/contacts/${id}/consents`, { ...note, proof: ' ' })).status).toBe(422)
  expect((await me.post(`/contacts/${id}/consents`, { ...note, purpose: 'service' })).status).toBe(422)
  expect((await as(other.admin).post(`/contacts/${id}/consents`, note)).status).toBe(404)
  expect((await me.post(`/contacts/${id}/consents`, note)).status).toBe(201)
  await me.post(`/contacts/${id}/consents`, { ...note, isGiven: true, proof: 'Formulário da loja' })
  expect((await me.get(`/contacts/${id}/consents`)).body.items).toMatchObject([
    { isGiven: true, proof: 'Formulário da loja' },
    {
      isGiven: false,
      source: 'person',
      identity: { kind: 'phone', value: '5511987654321' },
      author: { kind: 'user', id: tenant.admin.id },
    },
  ])
  expect((await as(other.admin).get(`/contacts/${id}/consents`)).status).toBe(404)
})
