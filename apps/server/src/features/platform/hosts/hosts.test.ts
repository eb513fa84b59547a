import { configOn } from '@balcao/contract/channels/hosts.ts'
import { startEvolutionSimulator } from '@balcao/simulators/evolution.ts'
import { startUazapiSimulator } from '@balcao/simulators/uazapi.ts'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, createUser, seedTenant, withTenant, withPlatform, schema } = await startTestApp()
const { checkDue } = await import('../../channels/connections/check.loop.ts')
await withPlatform('test', (tx) => tx.db.insert(schema.tenants).values({ id: 0, name: 'Plataforma' }))
const root = await createUser(0, { profile: 'superadmin', name: 'Sofia Reis' })

const globalKey = 'chave-global-de-teste-0123456789'
const startEvolution = async () => {
  const sim = await startEvolutionSimulator({ globalKey, delivery: { retryDelaysMs: [] } })
  afterAll(() => sim.close())
  return sim
}
const storedOf = (tenantId: number, id: string) =>
  withTenant(tenantId, async (tx) => {
    const [row] = await tx.db.select().from(schema.connections).where(eq(schema.connections.id, id))
    if (!row) throw new Error('no connection')
    return row
  })
const look = async () => {
  await withPlatform('test', (tx) => tx.db.update(schema.connections).set({ checkDueAt: new Date(0) }))
  await checkDue()
}
const fieldOf = (path: string) => ({ status: 422, body: { error: 'ERR_VALIDATION', details: [{ path }] } })

describe("the installation's server", () => {
  test('a company needs only a name: the instance is made there, and nobody of it sees the key', async () => {
    const { tenantId, admin } = await seedTenant()
    const { admin: stranger } = await seedTenant()
    const sim = await startEvolution()
    const without = { kind: 'evolution', name: 'Sem servidor', host: 'installation', config: {} }
    expect(await as(admin).post('/whatsapp', without)).toMatchObject(fieldOf('host'))

    const put = await as(root).put('/tenantsEvolutionHost/0', { config: { baseUrl: sim.url, apiKey: globalKey } })
    expect(put).toMatchObject({ status: 200, body: { kind: 'evolution', config: { apiKey: true }, connections: 0 } })
    expect((await as(admin).get('/gateways')).body).toContainEqual({
      kind: 'evolution',
      company: null,
      installation: true,
    })

    const made = await as(admin).post('/whatsapp', {
      kind: 'evolution',
      name: 'Vendas',
      host: 'installation',
      config: {},
    })
    expect(made).toMatchObject({
      status: 201,
      body: { status: 'OPENING', host: 'installation', qrcode: expect.any(String) },
    })
    const [instance] = [...sim.instances.keys()]
    expect(instance).toMatch(new RegExp(`^balcao-${tenantId}-`))
    expect(JSON.stringify(made.body)).not.toContain(sim.url)
    const { config } = await storedOf(tenantId, made.body.id)
    expect(config).not.toHaveProperty('apiKey')
    expect(config).not.toHaveProperty('baseUrl')
    expect((await as(root).get('/tenantHosts/0')).body).toMatchObject([{ kind: 'evolution', connections: 1 }])

    // Somebody else's instance has a name, but on everybody's server nobody says one.
    const robbed = await as(stranger).post('/whatsapp', {
      kind: 'evolution',
      name: 'Roubo',
      host: 'installation',
      config: { instanceName: instance, baseUrl: 'https://longe.exemplo.com', apiKey: 'minha-chave-propria' },
    })
    expect(robbed.body.config.instanceName).not.toBe(instance)
    expect(await as(stranger).put(`/whatsapp/${robbed.body.id}`, { config: { instanceName: instance } })).toMatchObject(
      {
        body: { config: { instanceName: robbed.body.config.instanceName } },
      },
    )
    expect(await as(root).delete('/tenantsEvolutionHost/0')).toMatchObject({
      status: 409,
      body: { error: 'ERR_IN_USE', message: '2 canais usam este servidor. Troque neles antes.' },
    })
  })

  test('an instance may be named there only with a token of its own', () => {
    expect(configOn('evolution', 'installation').shape).not.toHaveProperty('instanceName')
    expect(configOn('uazapi', 'installation').shape).not.toHaveProperty('token')
    expect(Object.keys(configOn('zapi', 'installation').shape)).toEqual(['instanceId', 'instanceToken'])
  })

  test('what is set there reaches those who stand on it', async () => {
    const { admin } = await seedTenant()
    const sim = await startEvolution()
    await as(root).put('/tenantsEvolutionHost/0', { config: { baseUrl: sim.url, apiKey: globalKey } })
    const body = { kind: 'evolution', name: 'Vendas', host: 'installation', config: {} }
    const { id } = (await as(admin).post('/whatsapp', body)).body
    const read = async () => (await as(admin).get(`/whatsapp/${id}`)).body

    sim.setGlobalKey('outra-chave-global-0123456789')
    await look()
    expect(await read()).toMatchObject({ status: 'ERROR', statusText: expect.stringContaining('chave') })
    await look()
    expect(await read()).toMatchObject({ status: 'ERROR' })

    await as(root).put('/tenantsEvolutionHost/0', { config: { apiKey: 'outra-chave-global-0123456789' } })
    await look()
    expect(await read()).toMatchObject({ status: 'OPENING', qrcode: expect.any(String) })
  })

  test('a proxy of the company does not hear what is said to it', async () => {
    const { admin } = await seedTenant()
    const sim = await startEvolution()
    await as(root).put('/tenantsEvolutionHost/0', { config: { baseUrl: sim.url, apiKey: globalKey } })
    const config = { protocol: 'http', host: 'proxy.exemplo.com.br', port: 3128 }
    const proxy = (await as(admin).post('/integrations', { kind: 'proxy', name: 'Saída', config })).body
    const asked = { kind: 'evolution', name: 'Vendas', host: 'installation', config: {} }
    expect(await as(admin).post('/whatsapp', { ...asked, proxyId: proxy.id })).toMatchObject(fieldOf('proxyId'))
  })
})

test("the company's server: one of each, shown without its key, and another is asked for the key again", async () => {
  const { tenantId, admin } = await seedTenant()
  const sim = await startUazapiSimulator({ adminToken: 'token-de-administrador', delivery: { retryDelaysMs: [] } })
  const other = await startUazapiSimulator({ adminToken: 'token-de-administrador', delivery: { retryDelaysMs: [] } })
  afterAll(() => Promise.all([sim.close(), other.close()]))
  const config = { baseUrl: sim.url, adminToken: 'token-de-administrador' }
  const server = (await as(admin).post('/integrations', { kind: 'uazapi', name: 'Nossa uazapi', config })).body
  expect(server).toMatchObject({ family: 'gateway', config: { adminToken: true } })
  expect(await as(admin).post('/integrations', { kind: 'uazapi', name: 'Mais uma', config })).toMatchObject(
    fieldOf('kind'),
  )
  expect((await as(admin).post(`/integrations/${server.id}/test`)).body).toMatchObject({ ok: true })

  const asked = { kind: 'uazapi', name: 'Loja', host: 'company', config: {} }
  const made = (await as(admin).post('/whatsapp', asked)).body
  expect(made).toMatchObject({ status: 'OPENING', host: 'company', config: { token: true } })
  expect(sim.instances).toHaveLength(1)
  expect(await as(admin).delete(`/integrations/${server.id}`)).toMatchObject({ status: 409 })

  // The token of its instance was made here, and is sent nowhere else.
  expect(await as(admin).put(`/integrations/${server.id}`, { config: { baseUrl: other.url } })).toMatchObject(
    fieldOf('config.adminToken'),
  )
  await as(admin).put(`/integrations/${server.id}`, { config: { ...config, baseUrl: other.url } })
  expect((await storedOf(tenantId, made.id)).config).not.toHaveProperty('token')
  await as(admin).post(`/whatsapp/${made.id}/test`)
  expect(other.instances).toHaveLength(1)
  expect(other.requests.filter(({ headers }) => headers.token === sim.instances[0]?.token)).toEqual([])

  // Back to a server of its own: nothing of the company's comes along.
  const own = await as(admin).put(`/whatsapp/${made.id}`, {
    host: null,
    config: { baseUrl: sim.url, token: 'token-proprio-123' },
  })
  expect(own).toMatchObject({ status: 200, body: { host: null } })
  expect((await storedOf(tenantId, made.id)).config).not.toHaveProperty('adminToken')
  expect(await as(admin).delete(`/integrations/${server.id}`)).toMatchObject({ status: 204 })
})

test('the superadmin sets up the server of a company, and it is written down', async () => {
  const { tenantId, admin, agent } = await seedTenant()
  const sim = await startEvolution()
  const path = `/tenantsEvolutionHost/${tenantId}`
  expect(await as(admin).put(path, { config: {} })).toMatchObject({ status: 403 })
  expect(await as(root).put(path, { config: { baseUrl: 'http://10.0.0.7', apiKey: globalKey } })).toMatchObject({
    status: 422,
  })
  await as(root).put(path, { config: { baseUrl: sim.url, apiKey: globalKey } })
  expect((await as(root).post(`${path}/test`)).body).toMatchObject({ ok: true })
  expect((await as(admin).get('/integrations')).body.items).toMatchObject([{ kind: 'evolution', state: 'working' }])
  expect(await as(agent).get('/gateways')).toMatchObject({ status: 403 })
  expect((await as(admin).get('/gateways')).body).toContainEqual({
    kind: 'evolution',
    company: { id: expect.any(String), state: 'working' },
    installation: true,
  })
  const written = await withPlatform('test', (tx) =>
    tx.db.select().from(schema.platformAudit).where(eq(schema.platformAudit.subjectTenantId, tenantId)),
  )
  expect(written).toMatchObject([{ action: 'host.updated', details: { after: { apiKey: true } } }])
  expect(JSON.stringify(written)).not.toContain(globalKey)
  expect(await as(root).delete(path)).toMatchObject({ status: 204 })
  expect(await as(root).put('/tenantsEvolutionHost/2147483647', { config: {} })).toMatchObject({ status: 404 })
})
