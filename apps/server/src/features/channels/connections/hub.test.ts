import { startHubSimulator } from '@balcao/simulators/hub.ts'
import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { until } from '../../conversations/messages/test-waba.ts'

const { as, app, seedTenant, createUser, withTenant, withPlatform, schema } = await startTestApp()
const { settleInbound } = await import('../../intake/inbound/inbound.service.ts')
await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
const here = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
await withPlatform('test', (tx) => tx.db.insert(schema.tenants).values({ id: 0, name: 'Plataforma' }))

const token = 'token-da-conta-no-notificame-0001'
const openHub = async () => {
  const channels = [
    { id: v7(), name: 'Loja', channel: 'whatsapp' as const, phone: '+55 11 4000-5000' },
    { id: v7(), name: 'Loja', channel: 'instagram' as const, username: 'loja' },
    { id: v7(), name: 'Classificados', channel: 'olx' as const },
  ]
  const sim = await startHubSimulator({ token, channels, delivery: { retryDelaysMs: [] } })
  afterAll(() => sim.close())
  return { sim, channels }
}
const giveToken = ({ admin }: Awaited<ReturnType<typeof seedTenant>>, baseUrl: string) =>
  as(admin).post('/integrations', { kind: 'hub', name: 'NotificaMe', config: { token, baseUrl } })
const messagesOf = (tenantId: number) =>
  withTenant(tenantId, (tx) => tx.db.select().from(schema.messages).orderBy(schema.messages.seq))

beforeAll(async () => (await startTestWorkers('sender')).stop)

test('one token lists the channels of an account, and each becomes a connection with what its kind can do', async () => {
  const company = await seedTenant()
  const { sim, channels } = await openHub()
  expect((await as(company.admin).get('/hub-channel')).body).toEqual({ isListed: false, channels: [] })
  await giveToken(company, sim.url)
  const listed = (await as(company.admin).get('/hub-channel')).body
  expect(listed).toMatchObject({
    isListed: true,
    channels: [
      { name: 'Loja', channel: 'whatsapp', handle: '+55 11 4000-5000', connection: null, isTaken: false },
      { name: 'Loja', channel: 'instagram', handle: '@loja' },
      { name: 'Classificados', channel: 'olx', handle: null },
    ],
  })
  const refs: string[] = listed.channels.map(({ ref }: { ref: string }) => ref)
  const made = []
  for (const ref of refs) made.push((await as(company.admin).post('/hub-channel', { ref })).body)
  expect(made).toMatchObject([
    {
      name: 'Loja · WhatsApp',
      status: 'CONNECTED',
      host: 'company',
      abilities: { windowHours: 24, reachedBy: ['phone'] },
    },
    { name: 'Loja · Instagram', status: 'CONNECTED', abilities: { account: 'instagram', reachedBy: ['hub'] } },
    { name: 'Classificados · OLX', abilities: { supports: ['text'], windowHours: null } },
  ])
  expect(sim.subscriptions.map(({ eventType, criteria }) => [eventType, criteria.direction])).toEqual(
    channels.flatMap(() => [
      ['MESSAGE', 'IN'],
      ['MESSAGE_STATUS', undefined],
    ]),
  )
  // Asked again it changes nothing there; asked for more, it hears more.
  expect((await as(company.admin).post(`/whatsapp/${made[0].id}/test`)).body.ok).toBe(true)
  expect(sim.subscriptions).toHaveLength(6)
  await as(company.admin).put(`/whatsapp/${made[0].id}`, { config: { hearsOut: true } })
  const directions = sim.subscriptions.filter(({ criteria }) => criteria.channel === channels[0]?.id)
  expect(directions.map(({ criteria }) => criteria.direction)).toEqual([undefined, undefined])

  // What opens it is nowhere to be read, and belongs to one company.
  const answers = JSON.stringify([listed, made, (await as(company.admin).get('/whatsapp')).body])
  for (const secret of [token, ...channels.map(({ id }) => id)]) expect(answers).not.toContain(secret)
  expect((await as(company.admin).get('/hub-channel')).body.channels[0].connection).toMatchObject({ id: made[0].id })
  const other = await seedTenant()
  await giveToken(other, sim.url)
  expect((await as(other.admin).get('/hub-channel')).body.channels[0]).toMatchObject({
    connection: null,
    isTaken: true,
  })
  expect(await as(other.admin).post('/hub-channel', { ref: refs[0] })).toMatchObject({ status: 422 })
  expect(await as(company.agent).get('/hub-channel')).toMatchObject({ status: 403 })
  expect(await as(other.admin).post('/hub-channel', { ref: 'nada' })).toMatchObject({ status: 404 })

  await as(company.admin).delete(`/whatsapp/${made[2].id}`)
  expect(sim.subscriptions).toHaveLength(4)
})

test('what is said comes once though it is told twice; the answer goes out, and is known to have arrived', async () => {
  const company = await seedTenant()
  const { sim, channels } = await openHub()
  await giveToken(company, sim.url)
  const { body: listed } = await as(company.admin).get('/hub-channel')
  const { body: connection } = await as(company.admin).post('/hub-channel', { ref: listed.channels[1].ref })
  for (const { webhook } of sim.subscriptions) {
    webhook.url = webhook.url.replace(/^https?:\/\/[^/]+/, here)
    webhook.url2 = webhook.url
  }
  const ana = sim.customer({ id: '7410258963012345', name: 'Ana Souza', channel: channels[1]?.id })
  await ana.sendText('Oi, tem no tamanho M?')
  await sim.idle()
  await settleInbound()
  const [said] = await messagesOf(company.tenantId)
  expect(await messagesOf(company.tenantId)).toMatchObject([
    { body: 'Oi, tem no tamanho M?', connectionId: connection.id, fromMe: false },
  ])
  const known = await withTenant(company.tenantId, (tx) => tx.db.select().from(schema.contactIdentities))
  expect(known).toMatchObject([{ kind: 'hub', value: 'instagram:7410258963012345' }])

  await as(company.admin).put(`/tickets/${said?.ticketId}`, { status: 'open', userId: company.admin.id })
  const sent = await as(company.admin).post(`/messages/${said?.ticketId}`, { id: v7(), body: 'Tem, sim!' })
  expect(sent.status).toBeLessThan(300)
  await until(async () => {
    await sim.idle()
    await settleInbound()
    return (await messagesOf(company.tenantId)).find(({ body }) => body.includes('Tem, sim!'))?.status === 'delivered'
  })
  expect(ana.inbox.at(-1)?.text).toContain('Tem, sim!')

  sim.setToken('trocado-no-painel')
  expect((await as(company.admin).get('/hub-channel')).body).toMatchObject({
    error: 'ERR_CHANNEL_REFUSED',
    message: expect.stringContaining('NotificaMe Hub'),
  })
  expect((await as(company.admin).post(`/whatsapp/${connection.id}/test`)).body).toMatchObject({
    ok: false,
    text: expect.stringContaining('Copie-o de novo'),
  })
})

test("an account at the hub is a company's own: the installation has none to lend", async () => {
  const root = await createUser(0, { profile: 'superadmin', name: 'Sofia Reis' })
  const { sim } = await openHub()
  const company = await seedTenant()
  const config = { token, baseUrl: sim.url }
  expect(await as(root).put('/tenantsHubToken/0', { config })).toMatchObject({ status: 422 })
  expect(await as(root).put(`/tenantsHubToken/${company.tenantId}`, { config })).toMatchObject({
    status: 200,
    body: { kind: 'hub', config: { token: true } },
  })
  expect((await as(company.admin).get('/hub-channel')).body.channels).toHaveLength(3)
})
