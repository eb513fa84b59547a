import { startUazapiSimulator } from '@balcao/simulators/uazapi.ts'
import { startWuzapiSimulator } from '@balcao/simulators/wuzapi.ts'
import { startZapiSimulator } from '@balcao/simulators/zapi.ts'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, withTenant, schema } = await startTestApp()
const adminToken = 'token-de-administrador'
const simulator = await startUazapiSimulator({ adminToken, delivery: { retryDelaysMs: [] } })
const wuzapi = await startWuzapiSimulator({ adminToken, delivery: { retryDelaysMs: [] } })
const partner = { clientToken: 'seguranca-da-conta', partnerToken: 'token-de-parceiro' }
const zapi = await startZapiSimulator({ ...partner, delivery: { retryDelaysMs: [] } })
afterAll(() => Promise.all([simulator.close(), wuzapi.close(), zapi.close()]))

test('what the provider taught us is kept sealed: on connecting, and when a phone is linked anew', async () => {
  const { tenantId, admin } = await seedTenant()
  const stored = (id: string) =>
    withTenant(tenantId, async (tx) => {
      const [row] = await tx.db.select().from(schema.connections).where(eq(schema.connections.id, id))
      return row
    })
  const config = { baseUrl: simulator.url, adminToken }
  const { status, body } = await as(admin).post('/whatsapp', { kind: 'uazapi', name: 'Loja', config })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    status: 'OPENING',
    qrcode: expect.stringMatching(/^data:image/),
    config: { baseUrl: simulator.url, token: true, adminToken: true },
  })
  const [made] = simulator.instances
  if (!made) throw new Error('no instance was made')
  const before = await stored(body.id)
  expect(made.webhooks).toMatchObject([{ url: body.webhookUrl }])
  expect(JSON.stringify(before)).not.toContain(made.token)

  made.token = 'token-trocado-no-painel'
  const linked = await as(admin).put(`/whatsappsession/${body.id}`, {})
  expect(linked.body).toMatchObject({ status: 'OPENING', qrcode: expect.stringMatching(/^data:image/) })
  const after = await stored(body.id)
  expect(after?.externalId).not.toBe(before?.externalId)
  expect(JSON.stringify(after)).not.toContain(made.token)

  // The token that was learned last opens the instance: it goes with its channel.
  await as(admin).delete(`/whatsapp/${body.id}`)
  expect(simulator.instances).toEqual([])
})

test('a channel by WuzAPI gets its code and its webhook by the names other programs know it by', async () => {
  const { admin } = await seedTenant()
  const config = { baseUrl: wuzapi.url, adminToken }
  const server = await as(admin).post('/integrations', { kind: 'wuzapi', name: 'Nosso WuzAPI', config })
  expect((await as(admin).post(`/integrations/${server.body.id}/test`)).body).toMatchObject({ ok: true })
  const asked = { kind: 'wuzapi', name: 'Loja', host: 'company', config: {} }
  const { status, body } = await as(admin).post('/whatsapp', asked)
  expect(status).toBe(201)
  expect(body).toMatchObject({ status: 'OPENING', qrcode: expect.stringMatching(/^data:image/) })
  const [made] = wuzapi.users
  if (!made) throw new Error('no user was made')
  expect(made.webhook).toBe(body.webhookUrl)

  await wuzapi.expire(made.name)
  const drawn = await as(admin).post(`/meow-qrcode/${body.id}`, {})
  expect(drawn.body).toMatchObject({ status: 'OPENING', qrcode: made.qrcode })
  const typed = await as(admin).post(`/meow-qrcode/${body.id}`, { phone: '5511940001000' })
  expect(typed.body.pairingCode).toBe(made.linkingCode?.replace('-', ''))

  Object.assign(made, { webhook: '', events: [] })
  await wuzapi.scan(made.name)
  const heard = await as(admin).post(`/meow-setwebhook/${body.id}`, {})
  expect(heard.body).toMatchObject({ status: 'CONNECTED', account: { number: '5511940001000' } })
  expect(made.webhook).toBe(body.webhookUrl)
  await as(admin).delete(`/whatsapp/${body.id}`)
  expect(wuzapi.users).toEqual([])
})

test("a partner's account at Z-API makes, pays for and gives up the instance of a channel", async () => {
  const { admin } = await seedTenant()
  const config = { ...partner, baseUrl: zapi.url }
  const server = (await as(admin).post('/integrations', { kind: 'zapi', name: 'Nossa Z-API', config })).body
  expect(server.config).toMatchObject({ clientToken: true, partnerToken: true })
  expect((await as(admin).post(`/integrations/${server.id}/test`)).body).toMatchObject({ ok: true })
  const { status, body } = await as(admin).post('/whatsapp', {
    kind: 'zapi',
    name: 'Loja',
    host: 'company',
    config: {},
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    status: 'OPENING',
    qrcode: expect.stringMatching(/^data:image/),
    config: { instanceId: expect.stringMatching(/^\w{32}$/), instanceToken: true },
  })
  expect(zapi.instance.hooks.received).toContain(`/hooks/zapi/${body.id}?key=`)
  await zapi.scan()
  const heard = await as(admin).post(`/zapi-setwebhook/${body.id}`, {})
  expect(heard.body).toMatchObject({ status: 'CONNECTED', account: { number: '5511940002000' } })
  await as(admin).delete(`/whatsapp/${body.id}`)
  expect(zapi.instance).toMatchObject({ connected: false, hooks: {} })
})
