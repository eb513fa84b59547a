import { askedByWord, defaultConsentSettings } from '@balcao/contract/contacts/consent.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, createContact, schema, withTenant } = await startTestApp()

test('only the word alone is a wish', () => {
  const asked = (text: string) => askedByWord(text, defaultConsentSettings)
  for (const word of ['SAIR', 'sair.', ' Parar!', 'Não quero mais receber', 'STOP', 'Parar promoções'])
    expect(asked(word)).toBe('stop')
  for (const word of ['Quero receber', 'voltar a receber']) expect(asked(word)).toBe('start')
  for (const word of ['quero sair às 18h', 'pode parar a obra', '', 'cancelar', '👍'])
    expect(asked(word)).toBeUndefined()
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

test('a note is audited, told to whoever sees the contact, and refused where no channel knows them', async () => {
  const tenant = await seedTenant()
  const id = await createContact(tenant, { number: '5511987650000' })
  const me = as(tenant.admin)
  const note = { channel: 'waba', purpose: 'research', isGiven: false, proof: 'Pediu no balcão' }
  await me.post(`/contacts/${id}/consents`, note)
  const [audited, told] = await withTenant(tenant.tenantId, async (tx) => [
    await tx.db.select().from(schema.audit).where(eq(schema.audit.action, 'contact.consented')),
    await tx.db.select().from(schema.outbox).where(eq(schema.outbox.name, 'contact.consented')),
  ])
  expect(audited).toMatchObject([{ entityId: id, userId: tenant.admin.id, after: { isGiven: false } }])
  expect(told[0]).toMatchObject({ payload: { id } })

  const unknown = await me.post('/contacts', { name: 'Só um nome' })
  expect(await me.post(`/contacts/${unknown.body.id}/consents`, note)).toMatchObject({
    status: 422,
    body: { details: [{ path: 'channel' }] },
  })
})
