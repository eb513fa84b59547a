import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { createJobs } from '../../core/jobs/jobs.loop.ts'
import { hasConsent, recordConsent } from './consent.ts'
import { linesOf, readLine } from './suppression-lines.ts'

const { as, seedTenant, createContact, schema, withTenant } = await startTestApp()
const { run: runJobs } = createJobs()
const runAll = async () => {
  while ((await runJobs()).did);
}
type Tenant = Awaited<ReturnType<typeof seedTenant>>
const stop = {
  channel: 'waba',
  purposes: ['marketing', 'research'],
  isGiven: false,
  source: 'word',
  proof: 'SAIR',
} as const
const say = (
  tenant: Tenant,
  contactId: string,
  identities: { kind: 'phone' | 'lid'; value: string }[],
  said: object = {},
) =>
  withTenant(tenant.tenantId, (tx) =>
    recordConsent(tx, { ...stop, ...said, identities, author: { kind: 'contact', id: contactId, name: '' } }),
  )
const mayPromote = (tenant: Tenant, contactId: string, channel: 'waba' | 'telegram' = 'waba') =>
  withTenant(tenant.tenantId, (tx) => hasConsent(tx, { contactId, channel, purpose: 'marketing' }))
const import_ = { channels: ['waba'], purposes: ['marketing'], proof: 'Lista do Procon' }

test('a person stands once for each channel, whatever they are known by, with what they said last', async () => {
  const tenant = await seedTenant()
  const [maria, jose] = [
    await createContact(tenant, { name: 'Maria Lima', number: '5511987654321' }),
    await createContact(tenant, { name: 'José', number: '5511987650000' }),
  ]
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .insert(schema.contactIdentities)
      .values({ tenantId: tenant.tenantId, kind: 'lid', value: '77', contactId: maria }),
  )
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.contacts).set({ email: 'maria@exemplo.com' }).where(eq(schema.contacts.id, maria)),
  )
  // By one of her names: it holds for all of them.
  await say(tenant, maria, [{ kind: 'lid', value: '77' }])
  await say(tenant, jose, [{ kind: 'phone', value: '5511987650000' }], { channel: 'telegram' })
  const me = as(tenant.agent)
  const { items, count } = (await me.get('/optouts?count=true')).body
  expect(count).toBe(2)
  expect(items).toMatchObject([
    { contact: { id: jose }, channel: 'telegram' },
    {
      contact: { id: maria, name: 'Maria Lima' },
      channel: 'waba',
      purposes: ['marketing', 'research'],
      source: 'word',
      proof: 'SAIR',
    },
  ])
  for (const [query, found] of [
    ['searchParam=maria', 1],
    ['searchParam=98765-4321', 1],
    ['searchParam=ninguem', 0],
    ['channels=telegram', 1],
    ['sources=csv', 0],
    ['purposes=research&channels=waba', 1],
  ] as const)
    expect((await me.get(`/optouts?${query}`)).body.items).toHaveLength(found)
  const first = (await me.get('/optouts?limit=1')).body
  expect((await me.get(`/optouts?limit=1&cursor=${first.nextCursor}`)).body.items).toMatchObject([
    { contact: { id: maria } },
  ])
  expect(await mayPromote(tenant, maria)).toBe(false)
})

test('given back, they are no longer listed, and the ledger keeps both', async () => {
  const tenant = await seedTenant()
  const other = await seedTenant()
  const maria = await createContact(tenant, { name: 'Maria', number: '5511987654321' })
  await say(tenant, maria, [{ kind: 'phone', value: '5511987654321' }])
  const me = as(tenant.agent)
  const [{ id }] = (await me.get('/optouts')).body.items
  expect((await me.post('/optouts/giveBack', { ids: [id], proof: ' ' })).status).toBe(422)
  expect((await as(other.agent).post('/optouts/giveBack', { ids: [id], proof: 'Ligou' })).status).toBe(404)
  expect((await me.post('/optouts/giveBack', { ids: [id], proof: 'Ligou e pediu' })).status).toBe(204)
  expect((await me.get('/optouts')).body.items).toEqual([])
  expect(await mayPromote(tenant, maria)).toBe(true)
  expect((await me.get(`/contacts/${maria}/consents`)).body.items).toHaveLength(4)
})

test('several who are given back at once are each recorded by themself', async () => {
  const tenant = await seedTenant()
  const people = { Maria: '5511987654331', José: '5511987654332' }
  for (const [name, value] of Object.entries(people)) {
    const contactId = await createContact(tenant, { name, number: value })
    await say(tenant, contactId, [{ kind: 'phone', value }])
  }
  const me = as(tenant.admin)
  const ids = ((await me.get('/optouts')).body.items as { id: string }[]).map(({ id }) => id)
  expect((await me.post('/optouts/giveBack', { ids, proof: 'Pediram no balcão' })).status).toBe(204)
  const told = (await me.get('/audit')).body.items as { action: string; entityId: string; after: { name: string } }[]
  const given = told.filter(({ action }) => action === 'optOut.givenBack')
  expect(given.map(({ after }) => after.name).sort()).toEqual(['José', 'Maria'])
  expect(new Set(given.map(({ entityId }) => entityId)).size).toBe(2)
})

test('a list holds for who is here and for who comes later, says what became of each line, and can be undone', async () => {
  const tenant = await seedTenant()
  const ana = await createContact(tenant, { name: 'Ana', number: '5511987650001' })
  const bia = await createContact(tenant, { name: 'Bia', number: '5511987650002' })
  const caio = await createContact(tenant, { name: 'Caio', number: '5511987650003' })
  const dora = await createContact(tenant, { name: 'Dora' })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.contacts).set({ email: 'dora@exemplo.com' }).where(eq(schema.contacts.id, dora)),
  )
  await say(tenant, bia, [{ kind: 'phone', value: '5511987650002' }])
  const me = as(tenant.supervisor)
  const text =
    'nome;telefone\r\nAna;(11) 98765-0001\r\n11 98765-0002\r\n1234\r\n11987650009\r\nDORA@exemplo.com\r\n+55 11 98765-0003'
  expect((await as(tenant.agent).post('/optouts/lists', { ...import_, text })).status).toBe(403)
  const job = await me.post('/optouts/lists', { ...import_, text })
  expect(job).toMatchObject({ status: 202, body: { total: 6 } })
  await runAll()
  const [list] = (await me.get('/optouts/lists')).body.items
  expect(list).toMatchObject({ total: 6, accepted: 5, undoneAt: null, jobId: job.body.id })
  const report = await me.get(`/bulkJobs/${job.body.id}/result`)
  expect(report.body).toContain('4;1234;A linha não tem telefone nem e-mail.')
  expect(report.body).toContain(
    '2;Ana\\;(11) 98765-0001'.replace('\\', '').replace('Ana;(11) 98765-0001', '"Ana;(11) 98765-0001";Descadastrado'),
  )
  const late = await createContact(tenant, { name: 'Duda', number: '5511987650009' })
  for (const one of [ana, bia, caio, dora, late]) expect(await mayPromote(tenant, one)).toBe(false)
  await say(tenant, caio, [{ kind: 'phone', value: '5511987650003' }], { isGiven: true, proof: 'QUERO RECEBER' })

  expect((await me.post(`/optouts/lists/${list.id}/undo`)).status).toBe(202)
  await runAll()
  expect((await me.post(`/optouts/lists/${list.id}/undo`)).status).toBe(404)
  for (const one of [ana, caio, dora, late]) expect(await mayPromote(tenant, one)).toBe(true)
  // She had asked for it herself before.
  expect(await mayPromote(tenant, bia)).toBe(false)
  expect((await me.get('/optouts')).body.items).toMatchObject([{ contact: { id: bia }, source: 'word', proof: 'SAIR' }])
})

test('the lines of a list: headings, columns, quotes, several of one person', () => {
  expect(linesOf('\uFEFFtelefone\n\n  11987650001 \n')).toEqual([{ place: 3, body: '11987650001' }])
  expect(linesOf('11987650001')).toHaveLength(1)
  expect(readLine('"Ana";"(11) 98765-0001","ana@exemplo.com"')).toEqual({
    identities: [
      { kind: 'phone', value: '5511987650001' },
      { kind: 'email', value: 'ana@exemplo.com' },
    ],
  })
  expect(readLine('Ana <ana@exemplo.com>')).toEqual({ identities: [{ kind: 'email', value: 'ana@exemplo.com' }] })
  expect(readLine('+351 912 345 678;João')).toEqual({ identities: [{ kind: 'phone', value: '351912345678' }] })
  expect(readLine('000000000')).toEqual({ problem: 'O telefone ou e-mail não é válido.' })
})

test('an older word told late changes nothing of what holds', async () => {
  const tenant = await seedTenant()
  const maria = await createContact(tenant, { number: '5511987654321' })
  const phone = [{ kind: 'phone' as const, value: '5511987654321' }]
  await say(tenant, maria, phone, { isGiven: true, at: new Date('2026-05-02') })
  await say(tenant, maria, phone, { at: new Date('2026-05-01') })
  expect(await mayPromote(tenant, maria)).toBe(true)
  expect(await mayPromote(tenant, maria, 'telegram')).toBe(true)
})
