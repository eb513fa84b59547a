import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/kit.ts'

const { as, seedTenant, createContact, createConnection, withTenant, schema } = await startTestApp()

const company = async () => {
  const tenant = await seedTenant()
  const me = as(tenant.admin)
  await me.post('/pipelines', { name: 'Vendas' })
  const [stage] = (await me.get('/stages')).body.items
  const contactId = await createContact(tenant, { name: 'Ana' })
  const whatsappId = await createConnection(tenant, {
    kind: 'evolution',
    config: { baseUrl: 'https://evolution.test', apiKey: 'chave-da-instancia', instanceName: 'loja' },
  })
  /** What a form sends, by where it goes. */
  const forms: Record<string, object> = {
    '/todoLists': { name: 'Ligar para Ana' },
    '/opportunities': { name: 'Plano anual', stageId: stage.id, contactId },
    '/contacts': { name: 'Bia', number: '11 98765-4321' },
    '/campaigns': { name: 'Natal' },
    '/tags': { name: 'Urgente', color: '#0b7a75' },
    '/banList': { number: '11 91111-1111', whatsappId },
    '/createGroups': { title: 'Turma', numbers: ['11 91111-1111'], whatsappId },
  }
  return { tenant, me, forms }
}
const paths = ['/todoLists', '/opportunities', '/contacts', '/campaigns', '/tags', '/banList', '/createGroups'] as const

test.each(paths)(
  '%s: what is asked for ten times at once under one id is made once, and is the answer to all',
  async (path) => {
    const { tenant, me, forms } = await company()
    const id = v7()
    const replies = await Promise.all(Array.from({ length: 10 }, () => me.post(path, { ...forms[path], id })))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.id}`))).toEqual(
      new Set([`${path === '/createGroups' ? 202 : 201} ${id}`]),
    )
    expect((await me.post(path, { ...forms[path], id })).body.id).toBe(id)
    const audited = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.audit))
    expect(audited.filter(({ entityId }) => entityId === id)).toHaveLength(1)
  },
)

test('an id says nothing of another company, nor of what one does not find; without one each is another', async () => {
  const [one, other] = [await company(), await company()]
  const id = v7()
  const task = one.forms['/todoLists'] ?? {}
  expect((await one.me.post('/todoLists', { ...task, id })).status).toBe(201)
  const theirs = await other.me.post('/todoLists', { name: 'Outra', id })
  expect([theirs.status, theirs.body.name]).toEqual([201, 'Outra'])
  const hidden = await as(one.tenant.agent).post('/todoLists', { name: 'Minha', id })
  expect([hidden.status, hidden.body.error]).toEqual([409, 'ERR_DUPLICATED'])
  expect((await one.me.post('/todoLists', { ...task, id: 'x' })).status).toBe(422)
  await one.me.post('/todoLists', task)
  await one.me.post('/todoLists', task)
  expect((await one.me.get('/todoLists')).body.items).toHaveLength(3)
})
