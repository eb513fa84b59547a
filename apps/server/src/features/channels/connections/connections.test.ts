import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import { startProxySimulator } from '@balcao/simulators/proxy.ts'
import { startTelegramSimulator } from '@balcao/simulators/telegram.ts'
import { startWabaSimulator } from '@balcao/simulators/waba.ts'
import { startZapiSimulator } from '@balcao/simulators/zapi.ts'
import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestUser } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, createConnection, seedTenant, withTenant, withPlatform, schema } = kit

const { checkDue } = await import('./check.loop.ts')
const { telegram } = await import('../../../channels/telegram/adapter.ts')
/** As an older version of the product may have left it. */
const unknown: Abilities = {
  supports: ['text'],
  windowHours: null,
  personWindowHours: null,
  reactions: null,
  textLimits: { text: 1, caption: 1 },
  showsAuthor: false,
  buttonLimits: null,
  contactLimit: null,
  pollLimits: null,
  mailLimits: null,
  sms: null,
  groupActs: [],
  account: null,
  reachedBy: null,
  receipts: [],
}

let lastNumber = 200_000
/** A WhatsApp number of its own, and the config that fits it. */
const startWaba = async () => {
  const phoneNumberId = String(++lastNumber)
  const secrets = {
    accessToken: `EAAB-acesso-${phoneNumberId}-0123456789`,
    appSecret: `segredo-do-app-${phoneNumberId}`,
    verifyToken: `verifica-${phoneNumberId}`,
  }
  const ids = { phoneNumberId, wabaId: '300100' }
  const sim = await startWabaSimulator({ ...secrets, ...ids, displayPhoneNumber: '+55 11 4000-1000' })
  afterAll(() => sim.close())
  return { sim, secrets, config: { ...secrets, ...ids, baseUrl: sim.url } }
}
const startTelegram = async () => {
  const botToken = `${++lastNumber}:AAtoken-de-teste-0123456789`
  const sim = await startTelegramSimulator({ botToken, botUsername: 'loja_bot' })
  afterAll(() => sim.close())
  return { sim, config: { botToken, baseUrl: sim.url } }
}

const storedOf = (tenantId: number, id: string) =>
  withTenant(tenantId, async (tx) => {
    const [row] = await tx.db.select().from(schema.connections).where(eq(schema.connections.id, id))
    if (!row) throw new Error('no connection')
    return row
  })
const auditOf = (tenantId: number, id: string) =>
  withTenant(tenantId, (tx) =>
    tx.db.select().from(schema.audit).where(eq(schema.audit.entityId, id)).orderBy(schema.audit.id),
  )
const fieldOf = (path: string) => ({ status: 422, body: { error: 'ERR_VALIDATION', details: [{ path }] } })

test('a WhatsApp connection is created, tried, and shown without its secrets', async () => {
  const { tenantId, admin } = await seedTenant()
  const { config, secrets } = await startWaba()

  const made = await as(admin).post('/whatsapp', { kind: 'waba', name: 'Loja', config })

  expect(made).toMatchObject({
    status: 201,
    body: {
      kind: 'waba',
      status: 'CONNECTED',
      statusText: expect.stringContaining('Conectado a'),
      config: {
        accessToken: true,
        appSecret: true,
        verifyToken: secrets.verifyToken,
        phoneNumberId: config.phoneNumberId,
      },
      webhookUrl: `http://localhost:3000/hooks/waba/${made.body.id}`,
      unknownEvents: 0,
    },
  })
  const shown = [
    made,
    await as(admin).get('/whatsapp'),
    await as(admin).get(`/whatsapp/${made.body.id}`),
    await as(admin).put(`/whatsapp/${made.body.id}`, { config: { apiVersion: 'v26.0' } }),
    await as(admin).post(`/whatsapp/${made.body.id}/test`),
  ]
  const stored = await storedOf(tenantId, made.body.id)
  const trail = await auditOf(tenantId, made.body.id)
  for (const secret of [secrets.accessToken, secrets.appSecret]) {
    expect(JSON.stringify([shown, stored, trail])).not.toContain(secret)
  }
  expect(stored).toMatchObject({
    externalId: config.phoneNumberId,
    config: { accessToken: expect.stringMatching(/^v1\./) },
  })
})

test('what a deleted connection kept of its pace goes with it; another keeps its own', async () => {
  const tenant = await seedTenant()
  const [gone, kept] = [await createConnection(tenant), await createConnection(tenant)]
  const paces = () =>
    withTenant(tenant.tenantId, async ({ db, tenantId }) =>
      (await db.select().from(schema.connectionPace).where(eq(schema.connectionPace.tenantId, tenantId))).map(
        ({ connectionId }) => connectionId,
      ),
    )
  await withTenant(tenant.tenantId, ({ db, tenantId }) =>
    db.insert(schema.connectionPace).values([gone, kept].map((connectionId) => ({ tenantId, connectionId }))),
  )
  expect(await as(tenant.admin).delete(`/whatsapp/${gone}`)).toMatchObject({ status: 204 })
  expect(await paces()).toEqual([kept])
})

test('a Telegram connection registers its own webhook and takes it back when deleted', async () => {
  const { tenantId, admin } = await seedTenant()
  const { sim, config } = await startTelegram()
  const { body } = await as(admin).post('/whatsapp', { kind: 'telegram', name: 'Bot', config })
  const account = { handle: 'loja_bot' } // by which members of a group call it
  expect(body).toMatchObject({ status: 'CONNECTED', config: { botToken: true }, account })
  const stored = await storedOf(tenantId, body.id)
  expect(sim.webhook).toMatchObject({ url: body.webhookUrl, secretToken: stored.hookSecret })

  expect(await as(admin).delete(`/whatsapp/${body.id}`)).toMatchObject({ status: 204 })
  expect(sim.webhook.url).toBe('')
  expect(await as(admin).get(`/whatsapp/${body.id}`)).toMatchObject({ status: 404 })
  expect((await as(admin).get('/whatsapp')).body.items).toEqual([])
})

test('Telegram may be asked instead of calling us: its webhook goes, and whoever takes it is seen', async () => {
  const { tenantId, admin } = await seedTenant()
  const { sim, config } = await startTelegram()
  const { body } = await as(admin).post('/whatsapp', { kind: 'telegram', name: 'Bot', config })
  expect(await storedOf(tenantId, body.id)).toMatchObject({ usesSession: false })
  const asked = await as(admin).put(`/whatsapp/${body.id}`, { config: { receive: 'polling' } })
  expect(asked.body).toMatchObject({ status: 'CONNECTED', config: { receive: 'polling' } })
  expect(sim.webhook.url).toBe('')
  expect(await storedOf(tenantId, body.id)).toMatchObject({ usesSession: true })

  const checkNow = async () => {
    await withTenant(tenantId, (tx) =>
      tx.db.update(schema.connections).set({ checkDueAt: new Date(0), abilities: unknown }),
    )
    await checkDue()
    return (await as(admin).get(`/whatsapp/${body.id}`)).body
  }
  expect(await checkNow()).toMatchObject({
    status: 'CONNECTED',
    health: { waiting: 0 },
    abilities: { supports: expect.arrayContaining(['reaction']) },
  })
  Object.assign(sim.webhook, { url: 'https://outro.example.com/bot' })
  expect(await checkNow()).toMatchObject({ status: 'ERROR', statusText: expect.stringContaining('Outro programa') })
})

test('what a look found before somebody tried the channel changes nothing', async () => {
  const { tenantId, admin } = await seedTenant()
  const { sim, config } = await startTelegram()
  const { body } = await as(admin).post('/whatsapp', { kind: 'telegram', name: 'Bot', config })
  Object.assign(sim.webhook, { url: 'https://outro.example.com/bot' })
  const { check } = telegram
  vi.spyOn(telegram, 'check').mockImplementationOnce(async (context, isOpening) => {
    const told = await check?.(context, isOpening)
    expect((await as(admin).post(`/whatsapp/${body.id}/test`)).body).toMatchObject({ ok: true })
    return told ?? { problem: null }
  })
  await withTenant(tenantId, (tx) => tx.db.update(schema.connections).set({ checkDueAt: new Date(0) }))
  await checkDue()
  expect((await as(admin).get(`/whatsapp/${body.id}`)).body).toMatchObject({ status: 'CONNECTED' })
})

test('a code stays on the screen while its phone is awaited, and a phone that leaves is noticed', async () => {
  const { tenantId, admin } = await seedTenant()
  const account = { instanceId: `INSTANCIA${++lastNumber}`, instanceToken: 'TOKEN123', clientToken: 'seguranca' }
  const sim = await startZapiSimulator(account)
  afterAll(() => sim.close())
  const config = { ...account, baseUrl: sim.url }
  const { body } = await as(admin).post('/whatsapp', { kind: 'zapi', name: 'Loja', config })
  const waits = { status: 'OPENING', qrcode: expect.stringMatching(/^data:image/) }
  expect(body).toMatchObject({ ...waits, config: { instanceToken: true, clientToken: true } })
  expect(sim.instance.hooks.received).toContain(`/hooks/zapi/${body.id}?key=`)

  const checkNow = async () => {
    await withTenant(tenantId, (tx) => tx.db.update(schema.connections).set({ checkDueAt: new Date(0) }))
    await checkDue()
    return (await as(admin).get(`/whatsapp/${body.id}`)).body
  }
  expect(await checkNow()).toMatchObject({ ...waits, qrcode: body.qrcode })
  await sim.scan(body.qrcode)
  expect(await checkNow()).toMatchObject({ status: 'CONNECTED', account: { number: '5511940002000' }, qrcode: null })
  await sim.drop()
  expect(await checkNow()).toMatchObject({ status: 'DISCONNECTED', statusText: expect.stringContaining('novo código') })
})

test('a channel goes out through its proxy, stops with it, and holds it', async () => {
  const { admin } = await seedTenant()
  const { config } = await startTelegram()
  const way = await startProxySimulator({ protocol: 'http' })
  const proxy = { kind: 'proxy', name: 'Saída', config: { host: '127.0.0.1', port: way.port } }
  const { id: proxyId } = (await as(admin).post('/integrations', proxy)).body
  const made = await as(admin).post('/whatsapp', { kind: 'telegram', name: 'Bot', config, proxyId })
  expect(made.body).toMatchObject({ status: 'CONNECTED', proxyId })
  expect(new Set(way.asked)).toEqual(new Set([new URL(config.baseUrl).host]))
  expect(await as(admin).delete(`/integrations/${proxyId}`)).toMatchObject({
    status: 409,
    body: { error: 'ERR_IN_USE' },
  })
  await way.close()
  expect((await as(admin).post(`/whatsapp/${made.body.id}/test`)).body).toMatchObject({ ok: false })
  const stranger = (await seedTenant()).admin
  const taken = {
    kind: 'telegram',
    name: 'Bot',
    config: { ...config, botToken: '7:AAtoken-de-teste-0123456789' },
    proxyId,
  }
  expect((await as(stranger).post('/whatsapp', taken)).body.details).toMatchObject([{ path: 'proxyId' }])
})

test('a web chat is ready at once, with a public key and defaults', async () => {
  const { admin } = await seedTenant()
  const { status, body } = await as(admin).post('/whatsapp', { kind: 'webchat', name: 'Site', config: {} })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    status: 'CONNECTED',
    channelKey: expect.stringMatching(/^wc_/),
    config: { position: 'right' },
  })
  expect(await as(admin).post(`/whatsapp/${body.id}/test`)).toMatchObject({ status: 200, body: { ok: true } })
})

test('a secret left out, empty or true keeps its value; a new one replaces it; null takes an optional one away', async () => {
  const { tenantId, admin } = await seedTenant()
  const { sim, config } = await startWaba()
  const { body } = await as(admin).post('/whatsapp', { kind: 'waba', name: 'Loja', config })
  for (const kept of [
    {},
    { accessToken: '' },
    { accessToken: true },
    { accessToken: true, appSecret: true, baseUrl: sim.url },
  ]) {
    expect((await as(admin).put(`/whatsapp/${body.id}`, { config: kept })).body.status).toBe('CONNECTED')
  }
  sim.setAccessToken('EAAB-token-novo-0123456789')
  expect(
    (await as(admin).put(`/whatsapp/${body.id}`, { config: { accessToken: 'EAAB-token-novo-0123456789' } })).body
      .status,
  ).toBe('CONNECTED')

  const chat = await as(admin).post('/whatsapp', {
    kind: 'webchat',
    name: 'Site',
    config: { identitySecret: 'segredo-de-identidade' },
  })
  expect(chat.body.config.identitySecret).toBe(true)
  const without = await as(admin).put(`/whatsapp/${chat.body.id}`, { config: { identitySecret: null } })
  expect(without.body.config).not.toHaveProperty('identitySecret')
  expect((await storedOf(tenantId, chat.body.id)).config).not.toHaveProperty('identitySecret')
  expect(await as(admin).put(`/whatsapp/${body.id}`, { config: { appSecret: null } })).toMatchObject(
    fieldOf('config.appSecret'),
  )
})

test('another address is told no stored secret: whoever changes it types them again', async () => {
  const { admin } = await seedTenant()
  const [{ config }, elsewhere] = [await startWaba(), await startWaba()]
  const { body } = await as(admin).post('/whatsapp', { kind: 'waba', name: 'Loja', config })
  const baseUrl = elsewhere.config.baseUrl
  const seen = elsewhere.sim.requests.length

  const refused = await as(admin).put(`/whatsapp/${body.id}`, { config: { baseUrl, appSecret: true } })
  expect(refused).toMatchObject({ status: 422 })
  expect(refused.body.details.map((one: { path: string }) => one.path)).toEqual([
    'config.accessToken',
    'config.appSecret',
  ])
  expect(elsewhere.sim.requests.length).toBe(seen)

  expect(await as(admin).put(`/whatsapp/${body.id}`, { config: { baseUrl: `${config.baseUrl}/` } })).toMatchObject({
    status: 200,
  })
  const typed = { baseUrl, accessToken: config.accessToken, appSecret: config.appSecret }
  expect(await as(admin).put(`/whatsapp/${body.id}`, { config: typed })).toMatchObject({ status: 200 })
})

test('a secret sealed under a lost key can be typed again', async () => {
  const { tenantId, admin } = await seedTenant()
  const { config, secrets } = await startWaba()
  const { body } = await as(admin).post('/whatsapp', { kind: 'waba', name: 'Loja', config })
  const { config: sealed } = await storedOf(tenantId, body.id)
  const spoiled = { ...sealed, accessToken: 'v1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }
  await withTenant(tenantId, (tx) =>
    tx.db.update(schema.connections).set({ config: spoiled }).where(eq(schema.connections.id, body.id)),
  )
  expect(await as(admin).post(`/whatsapp/${body.id}/test`)).toMatchObject({ status: 200, body: { ok: false } })
  expect(await as(admin).put(`/whatsapp/${body.id}`, { config: {} })).toMatchObject(fieldOf('config.accessToken'))
  const mended = await as(admin).put(`/whatsapp/${body.id}`, { config: { accessToken: secrets.accessToken } })
  expect(mended.body.status).toBe('CONNECTED')
})

test('a wrong token is kept as an error that says what to do, and can be corrected', async () => {
  const { tenantId, admin } = await seedTenant()
  const { config, secrets } = await startWaba()
  const wrong = { ...config, accessToken: 'EAAB-token-errado-0123456789' }
  const made = await as(admin).post('/whatsapp', { kind: 'waba', name: 'Loja', config: wrong })
  expect(made).toMatchObject({
    status: 201,
    body: {
      status: 'ERROR',
      statusText: 'A Meta não reconhece este token. Copie-o inteiro do usuário de sistema e cole de novo.',
    },
  })
  expect((await storedOf(tenantId, made.body.id)).externalId).toBeNull()
  expect(await as(admin).post(`/whatsapp/${made.body.id}/test`)).toMatchObject({
    status: 200,
    body: { ok: false, text: made.body.statusText },
  })

  const corrected = await as(admin).put(`/whatsapp/${made.body.id}`, { config: { accessToken: secrets.accessToken } })
  expect(corrected.body.status).toBe('CONNECTED')

  const { config: bot } = await startTelegram()
  const revoked = { ...bot, botToken: '999:AAtoken-que-nao-existe-0123' }
  expect(await as(admin).post('/whatsapp', { kind: 'telegram', name: 'Bot', config: revoked })).toMatchObject({
    status: 201,
    body: { status: 'ERROR', statusText: expect.stringContaining('O Telegram não reconhece este token.') },
  })
})

test('a token that worked and is refused now was revoked; one written a moment ago was mistyped', async () => {
  const { admin } = await seedTenant()
  const { config } = await startWaba()
  const made = await as(admin).post('/whatsapp', { kind: 'waba', name: 'Loja', config })
  const path = `/whatsapp/${made.body.id}`

  const mistyped = await as(admin).put(path, { config: { accessToken: 'EAAB-token-errado-0123456789' } })
  expect(mistyped.body.statusText).toContain('A Meta não reconhece este token.')
  expect((await as(admin).post(`${path}/test`)).body).toEqual({
    ok: false,
    text: 'O token da Meta venceu ou foi revogado. Gere outro no usuário de sistema e cole aqui, em Editar.',
  })
})

test('a web chat says what it lacks, and takes a site as it stands in the address bar', async () => {
  const { admin } = await seedTenant()
  const made = await as(admin).post('/whatsapp', { kind: 'webchat', name: 'Site', config: {} })
  expect(made.body.statusText).toBe('Falta o domínio do seu site: sem ele o chat não abre.')

  const domains = ['https://Loja.com.br/contato?x=1', 'http://localhost:5173/', '*.moda.com.br']
  const named = await as(admin).put(`/whatsapp/${made.body.id}`, { config: { domains } })
  expect(named.body.config.domains).toEqual(['loja.com.br', 'localhost:5173', '*.moda.com.br'])
  expect(named.body.statusText).toContain('Pronto.')
})

test('a provider that does not answer, or answers nonsense, is an error in Portuguese', async () => {
  const { admin } = await seedTenant()
  const { sim, config } = await startWaba()
  const away = await as(admin).post('/whatsapp', {
    kind: 'waba',
    name: 'Fora',
    config: { ...config, baseUrl: 'http://127.0.0.1:1' },
  })
  expect(away).toMatchObject({
    status: 201,
    body: { status: 'ERROR', statusText: expect.stringMatching(/^O provedor não respondeu\. Confira/) },
  })
  sim.faults.next({ status: 200, body: '<html>' })
  const odd = await as(admin).post('/whatsapp', { kind: 'waba', name: 'Estranho', config })
  expect(odd).toMatchObject({
    status: 201,
    body: { status: 'ERROR', statusText: expect.stringContaining('não reconhece') },
  })
})

test('one account has one connection: another company is refused and the first goes on receiving', async () => {
  const [first, second] = [await seedTenant(), await seedTenant()]
  const { sim, config } = await startTelegram()
  const { body } = await as(first.admin).post('/whatsapp', { kind: 'telegram', name: 'Bot', config })
  expect(await as(second.admin).post('/whatsapp', { kind: 'telegram', name: 'Bot', config })).toMatchObject(
    fieldOf('config.botToken'),
  )
  expect(sim.webhook.url).toBe(body.webhookUrl)

  const waba = await startWaba()
  await as(first.admin).post('/whatsapp', { kind: 'waba', name: 'Loja', config: waba.config })
  const refused = await as(second.admin).post('/whatsapp', { kind: 'waba', name: 'Loja', config: waba.config })
  expect(refused).toMatchObject(fieldOf('config.phoneNumberId'))
  expect(refused.body.details[0].message).toBe('Esta conta já está conectada em outro canal.')

  const other = await startWaba()
  const mine = await as(second.admin).post('/whatsapp', { kind: 'waba', name: 'Loja', config: other.config })
  const moved = await as(second.admin).put(`/whatsapp/${mine.body.id}`, { config: waba.config })
  expect(moved).toMatchObject(fieldOf('config.phoneNumberId'))

  await as(first.admin).delete(`/whatsapp/${body.id}`)
  expect((await as(second.admin).post('/whatsapp', { kind: 'telegram', name: 'Bot', config })).body.status).toBe(
    'CONNECTED',
  )
})

test('of two companies that connect one account at the same instant, one has it', async () => {
  const [first, second] = [await seedTenant(), await seedTenant()]
  const { config } = await startWaba()
  const made = await Promise.all(
    [first, second].map(({ admin }) => as(admin).post('/whatsapp', { kind: 'waba', name: 'Loja', config })),
  )
  expect(made.filter(({ body }) => body.status === 'CONNECTED')).toHaveLength(1)
})

test('a connection that changes its account is no longer found by the old one', async () => {
  const { tenantId, admin } = await seedTenant()
  const [before, after] = [await startWaba(), await startWaba()]
  const { body } = await as(admin).post('/whatsapp', { kind: 'waba', name: 'Loja', config: before.config })
  after.sim.setAccessToken('outro')
  await as(admin).put(`/whatsapp/${body.id}`, { config: after.config })
  expect((await storedOf(tenantId, body.id)).externalId).toBeNull()
})

test('the limit of connections holds under 20 creations at once', async () => {
  const { tenantId, admin } = await seedTenant()
  await withPlatform('test', (tx) =>
    tx.db.update(schema.tenants).set({ maxConnections: 3 }).where(eq(schema.tenants.id, tenantId)),
  )
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      as(admin).post('/whatsapp', { kind: 'webchat', name: `Site ${n}`, config: {} }),
    ),
  )
  expect(made.filter(({ status }) => status === 201)).toHaveLength(3)
  for (const one of made.filter(({ status }) => status !== 201)) {
    expect(one).toMatchObject({ status: 409, body: { error: 'ERR_CONNECTION_LIMIT' } })
  }
  const { items } = (await as(admin).get('/whatsapp')).body
  await as(admin).delete(`/whatsapp/${items[0].id}`)
  expect(await as(admin).post('/whatsapp', { kind: 'webchat', name: 'Novo', config: {} })).toMatchObject({
    status: 201,
  })
})

test('bad input names its field in Portuguese', async () => {
  const { admin } = await seedTenant()
  const { config } = await startWaba()
  const create = (more: object, kind: ChannelKind = 'waba') =>
    as(admin).post('/whatsapp', { kind, name: 'Loja', config, ...more })
  expect(await create({ name: '  ' })).toMatchObject(fieldOf('name'))
  expect(await create({ config: { ...config, phoneNumberId: 'abc' } })).toMatchObject(fieldOf('config.phoneNumberId'))
  expect(await create({ config: { botToken: 'x' } }, 'telegram')).toMatchObject(fieldOf('config.botToken'))
  expect(await create({ config: { domains: ['um domínio'] } }, 'webchat')).toMatchObject(fieldOf('config.domains'))
  expect(await create({ queueId: v7() })).toMatchObject(fieldOf('queueId'))
  const stranger = await seedTenant({ queues: ['Vendas'] })
  expect(await create({ queueId: stranger.queues.Vendas })).toMatchObject(fieldOf('queueId'))
  expect((await as(admin).get('/whatsapp')).body.items).toEqual([])
})

test.each([
  'http://169.254.169.254',
  'http://10.0.0.1:5432',
  'http://[::1]/',
  'http://2130706434/',
  'https://user:pass@graph.facebook.com',
  'file:///etc/passwd',
])('the address %s is refused at save, by its field', async (baseUrl) => {
  const { admin } = await seedTenant()
  const { config } = await startWaba()
  expect(
    await as(admin).post('/whatsapp', { kind: 'waba', name: 'Loja', config: { ...config, baseUrl } }),
  ).toMatchObject(fieldOf('config.baseUrl'))
  const { body } = await as(admin).post('/whatsapp', { kind: 'waba', name: 'Loja', config })
  expect(await as(admin).put(`/whatsapp/${body.id}`, { config: { baseUrl } })).toMatchObject(fieldOf('config.baseUrl'))
})

test('a name is used once per company, whatever its case', async () => {
  const { admin } = await seedTenant()
  const other = await seedTenant()
  const site = (name: string) => ({ kind: 'webchat', name, config: {} })
  const { body } = await as(admin).post('/whatsapp', site('Site'))
  expect(await as(admin).post('/whatsapp', site('SITE'))).toMatchObject(fieldOf('name'))
  const second = await as(admin).post('/whatsapp', site('Outro'))
  expect(await as(admin).put(`/whatsapp/${second.body.id}`, { name: ' site ' })).toMatchObject(fieldOf('name'))
  expect(await as(other.admin).post('/whatsapp', site('Site'))).toMatchObject({ status: 201 })
  await as(admin).delete(`/whatsapp/${body.id}`)
  expect(await as(admin).post('/whatsapp', site('Site'))).toMatchObject({ status: 201 })
})

test('there is one default per kind, also when two are chosen at once', async () => {
  const { admin } = await seedTenant()
  const site = (name: string, isDefault = false) => ({ kind: 'webchat', name, isDefault, config: {} })
  const made = [
    await as(admin).post('/whatsapp', site('Um', true)),
    await as(admin).post('/whatsapp', site('Dois', true)),
    await as(admin).post('/whatsapp', site('Três')),
  ]
  const defaults = async () => {
    const { items } = (await as(admin).get('/whatsapp')).body
    return items.filter((one: { isDefault: boolean }) => one.isDefault).map((one: { name: string }) => one.name)
  }
  expect(await defaults()).toEqual(['Dois'])
  const chosen = await Promise.all(made.map(({ body }) => as(admin).put(`/whatsapp/${body.id}`, { isDefault: true })))
  expect(chosen.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await defaults()).toHaveLength(1)
})

test('a rename does not call the provider, keeps the config, and is told', async () => {
  const { tenantId, admin } = await seedTenant({ queues: ['Vendas'] })
  const { sim, config } = await startWaba()
  const { body } = await as(admin).post('/whatsapp', { kind: 'waba', name: 'Loja', config })
  const calls = sim.requests.length
  const renamed = await as(admin).put(`/whatsapp/${body.id}`, { name: 'Loja Nova' })
  expect(renamed).toMatchObject({
    status: 200,
    body: { name: 'Loja Nova', status: 'CONNECTED', config: body.config, version: body.version + 1 },
  })
  expect(sim.requests.length).toBe(calls)
  const told = await withTenant(tenantId, (tx) =>
    tx.db
      .select()
      .from(schema.outbox)
      .where(and(eq(schema.outbox.tenantId, tenantId), eq(schema.outbox.name, 'connection.updated'))),
  )
  expect(told.at(-1)?.payload).toMatchObject({ name: 'Loja Nova', version: body.version + 1 })
})

test('two people edit at once: the second sees what the first changed', async () => {
  const { admin } = await seedTenant()
  const { body } = await as(admin).post('/whatsapp', { kind: 'webchat', name: 'Site', config: {} })
  const first = await as(admin).put(`/whatsapp/${body.id}`, { name: 'Site 1', version: body.version })
  expect(first).toMatchObject({ status: 200, body: { version: body.version + 1 } })
  expect(await as(admin).put(`/whatsapp/${body.id}`, { name: 'Site 2', version: body.version })).toMatchObject({
    status: 409,
    body: { error: 'ERR_CONFLICT', details: { current: { name: 'Site 1' } } },
  })
})

test('every change leaves its trail, with secrets hidden', async () => {
  const { tenantId, admin } = await seedTenant()
  const { config } = await startWaba()
  const { body } = await as(admin).post('/whatsapp', { kind: 'waba', name: 'Loja', config })
  await as(admin).put(`/whatsapp/${body.id}`, { name: 'Loja 2', config: { accessToken: 'EAAB-token-novo-0123456789' } })
  await as(admin).delete(`/whatsapp/${body.id}`)
  const trail = await auditOf(tenantId, body.id)
  expect(trail).toMatchObject([
    { action: 'create', userId: admin.id, before: null, after: { name: 'Loja', config: { accessToken: true } } },
    { action: 'update', before: { name: 'Loja' }, after: { name: 'Loja 2', config: { accessToken: true } } },
    { action: 'delete', before: { name: 'Loja 2', kind: 'waba' }, after: null },
  ])
  expect(JSON.stringify(trail)).not.toContain('EAAB')
})

test('a connection with conversations under way is not deleted', async () => {
  const tenant = await seedTenant()
  const { body } = await as(tenant.admin).post('/whatsapp', { kind: 'webchat', name: 'Site', config: {} })
  await kit.createTicket(tenant, { connectionId: body.id, status: 'pending' })
  expect(await as(tenant.admin).delete(`/whatsapp/${body.id}`)).toMatchObject({
    status: 409,
    body: { error: 'ERR_IN_USE' },
  })
})

test('an agent sees that a connection exists and works, nothing of how it is set up', async () => {
  const { admin, agent } = await seedTenant()
  const { config } = await startWaba()
  const { body } = await as(admin).post('/whatsapp', { kind: 'waba', name: 'Loja', config })
  expect((await as(agent).get('/whatsapp')).body.items).toMatchObject([
    { name: 'Loja', status: 'CONNECTED', config: {}, webhookUrl: '' },
  ])
  for (const [method, path] of [
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/test'],
    ['GET', '/journal'],
  ] as const) {
    expect(
      await as(agent).send(method, `/whatsapp/${body.id}${path}`, method === 'PUT' ? {} : undefined),
    ).toMatchObject({ status: 403 })
  }
  expect(await as(agent).post('/whatsapp', { kind: 'webchat', name: 'Site', config: {} })).toMatchObject({
    status: 403,
  })
})

test('a connection of another company does not exist', async () => {
  const [mine, theirs] = [await seedTenant(), await seedTenant()]
  const { body } = await as(theirs.admin).post('/whatsapp', { kind: 'webchat', name: 'Site', config: {} })
  expect((await as(mine.admin).get('/whatsapp')).body.items).toEqual([])
  for (const [method, path] of [
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/test'],
    ['GET', '/journal'],
  ] as const) {
    const reply = await as(mine.admin).send(
      method,
      `/whatsapp/${body.id}${path}`,
      method === 'PUT' ? { name: 'x' } : undefined,
    )
    expect(reply).toMatchObject({ status: 404, body: { error: 'ERR_NO_WAPP_FOUND' } })
  }
})

test('what nobody understood is counted', async () => {
  const { tenantId, admin } = await seedTenant()
  const { body } = await as(admin).post('/whatsapp', { kind: 'webchat', name: 'Site', config: {} })
  const states = ['unknown', 'done', 'failed'] as const
  await withTenant(tenantId, (tx) =>
    tx.db.insert(schema.journal).values(
      states.map((state, n) => ({
        tenantId,
        id: v7(),
        connectionId: body.id,
        eventKey: `k${n}`,
        payload: { field: 'novidade', n },
        state,
        error: state === 'failed' ? 'motivo' : null,
        receivedAt: new Date(Date.now() - 60_000 + n * 1_000),
      })),
    ),
  )
  expect((await as(admin).get(`/whatsapp/${body.id}`)).body.unknownEvents).toBe(2)
})

describe('the queue of a new channel', () => {
  const site = { kind: 'webchat', config: { allowAnyDomain: true } }
  const queueOf = async (admin: TestUser, id: string) => (await as(admin).get(`/whatsapp/${id}`)).body.queue?.name

  test('is the company’s first that takes conversations, unless another or none is chosen', async () => {
    const { admin, queues } = await seedTenant({ queues: ['Vendas', 'Suporte'] })
    const made = async (name: string, more = {}) => (await as(admin).post('/whatsapp', { ...site, name, ...more })).body
    expect((await made('A')).queue).toMatchObject({ name: 'Vendas' })
    expect((await made('B', { queueId: queues.Suporte })).queue).toMatchObject({ name: 'Suporte' })
    expect((await made('C', { queueId: null })).queue).toBeNull()
    await as(admin).put(`/queue/${queues.Vendas}`, { isActive: false })
    expect((await made('D')).queue).toMatchObject({ name: 'Suporte' })
  })

  test('is the first queue ever made, where the channel came before it', async () => {
    const { admin } = await seedTenant()
    const { id } = (await as(admin).post('/whatsapp', { ...site, name: 'Site' })).body
    expect(await queueOf(admin, id)).toBeUndefined()
    const first = (await as(admin).post('/queue', { name: 'Vendas', color: '#0b7a75' })).body
    expect(await queueOf(admin, id)).toBe('Vendas')
    await as(admin).put(`/whatsapp/${id}`, { queueId: null }) // chosen, so no later queue changes it
    await as(admin).put(`/queue/${first.id}`, { name: 'Loja' })
    await as(admin).post('/queue', { name: 'Suporte', color: '#0b7a75' })
    expect(await queueOf(admin, id)).toBeUndefined()
  })
})

test('a company adds the kinds of channel of its plan; those it has stay', async () => {
  const { tenantId, admin } = await seedTenant()
  const { config } = await startTelegram()
  const made = await as(admin).post('/whatsapp', { kind: 'telegram', name: 'Bot', config })
  await withPlatform('test', (tx) =>
    tx.db
      .update(schema.tenants)
      .set({ allowedChannels: ['waba'] })
      .where(eq(schema.tenants.id, tenantId)),
  )
  const { invalidateDirectory } = await import('../../core/directory/directory.ts')
  invalidateDirectory(tenantId)
  expect(await as(admin).post('/whatsapp', { kind: 'webchat', name: 'Site', config: {} })).toMatchObject(
    fieldOf('kind'),
  )
  expect((await as(admin).get('/auth/me')).body.tenant.allowedChannels).toEqual(['waba'])
  expect((await as(admin).put(`/whatsapp/${made.body.id}`, { name: 'Robô' })).body).toMatchObject({ name: 'Robô' })
})
