import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, createUser, createConnection, seedTenant, withPlatform, withTenant, schema } = await startTestApp()
await withPlatform('test', (tx) => tx.db.insert(schema.tenants).values({ id: 0, name: 'Plataforma' }))
const root = await createUser(0, { profile: 'superadmin' })

test('the platform sees every connection, newest first, by company, kind, state and words, and none of its settings', async () => {
  const one = await seedTenant()
  const other = await seedTenant()
  await createConnection(one, { kind: 'telegram', name: 'Bot da loja' })
  await createConnection(one, { kind: 'waba', name: 'Vendas' })
  await createConnection(other, { kind: 'telegram', name: 'Bot do posto' })
  await withTenant(one.tenantId, (tx) =>
    tx.db.update(schema.connections).set({ status: 'ERROR', statusText: 'A Meta não responde.' }),
  )
  const list = async (query: string) => {
    const { status, body } = await as(root).get(`/tenantConnections?${query}`)
    expect(status).toBe(200)
    return body
  }
  const names = async (query: string) => (await list(query)).items.map(({ name }: { name: string }) => name)

  const [first] = (await list('')).items
  expect(first).toMatchObject({
    name: 'Bot do posto',
    tenant: { id: other.tenantId, name: expect.any(String) },
    work: { waiting: 0, failedToday: 0, sentToday: 0, risks: [] },
  })
  expect(first).not.toHaveProperty('config')
  expect(first).not.toHaveProperty('qrcode')
  expect(await names(`tenantId=${one.tenantId}`)).toEqual(['Vendas', 'Bot da loja'])
  expect(await names('kind=telegram')).toEqual(['Bot do posto', 'Bot da loja'])
  expect(await names('status=ERROR&kind=waba')).toEqual(['Vendas'])
  expect(await names('searchParam=pósto')).toEqual(['Bot do posto'])

  const page = await list('limit=2')
  expect(page).toMatchObject({ hasMore: true, nextCursor: expect.any(String) })
  expect(await names(`limit=2&cursor=${encodeURIComponent(page.nextCursor)}`)).toEqual(['Bot da loja'])
  expect(await as(one.admin).get('/tenantConnections')).toMatchObject({ status: 403 })
})

test('a company reads how many connections it has and may have', async () => {
  const { tenantId, admin, agent } = await seedTenant()
  await createConnection({ tenantId }, { kind: 'telegram', name: 'Bot' })
  expect((await as(admin).get('/whatsapp/limits')).body).toEqual({ used: 1, most: 10, allowedChannels: null })
  expect(await as(agent).get('/whatsapp/limits')).toMatchObject({ status: 403 })
})
