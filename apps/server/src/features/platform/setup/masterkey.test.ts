import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { sealFor } from '../../../../test/sealed.ts'

const { app, as, schema, withTenant, withPlatform } = await startTestApp()
const { issueSetupLink } = await import('./setup.ts')
const { eq } = await import('drizzle-orm')

const key = (await app.inject({ url: '/api/publicEncryptionKey' })).body
const seal = (text: string) => sealFor(key, text)
const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: `/api${url}`, payload, headers })
const logIn = async (email: string, password: string) =>
  (await post('/auth/login/', { email, password: seal(password) })).json()
const davisAccount = { name: 'Davi Melo', email: 'davi@padaria.local', password: seal('senha-do-davi') }
const setup = (tokenSetup: string, more: object = {}) =>
  post('/masterkey/setup', {
    tokenSetup,
    company: 'Padaria Central',
    name: 'Sofia Reis',
    email: 'sofia@plataforma.local',
    password: seal('senha-da-sofia'),
    admin: davisAccount,
    ...more,
  })
const tokenOf = (link: string | null) => new URL(link ?? '').searchParams.get('tokenSetup') ?? ''

test('a fresh installation is set up through its link, once', async () => {
  const state = async (tokenSetup?: string) => (await post('/masterkey/state', { tokenSetup })).json()
  expect(await state()).toEqual({ isInstalled: false, isUsable: false })
  expect((await setup('nao-e-um-token')).json()).toMatchObject({ error: 'ERR_SETUP_TOKEN' })
  const link = await issueSetupLink()
  expect(link).toMatch(/^http:\/\/localhost:3000\/masterkey\?tokenSetup=/)
  const second = tokenOf(await issueSetupLink())
  const token = tokenOf(link)
  expect(await state(token)).toEqual({ isInstalled: false, isUsable: true })
  expect(JSON.stringify(await withPlatform('test', (tx) => tx.db.select().from(schema.oneTimeTokens)))).not.toContain(
    token,
  )

  expect((await setup(token, { password: seal('curta') })).json()).toMatchObject({
    error: 'ERR_PASSWORD_WEAK',
    details: [{ path: 'password' }],
  })
  expect((await setup(token, { admin: { ...davisAccount, password: seal('curta') } })).json()).toMatchObject({
    error: 'ERR_PASSWORD_WEAK',
    details: [{ path: 'admin.password' }],
  })
  expect((await setup(token, { admin: { ...davisAccount, email: 'sofia@plataforma.local' } })).json()).toMatchObject({
    details: [{ path: 'admin.email' }],
  })
  expect((await setup(token, { company: '' })).statusCode).toBe(422)

  const tries = await Promise.all([setup(token), setup(token), setup(second)])
  expect(tries.map((reply) => reply.statusCode).sort()).toEqual([201, 403, 403])
  expect((await setup(second)).statusCode).toBe(403)
  for (const used of [token, second]) expect(await state(used)).toEqual({ isInstalled: true, isUsable: false })
  expect(await issueSetupLink()).toBeNull()

  const sofia = await logIn('sofia@plataforma.local', 'senha-da-sofia')
  expect(sofia).toMatchObject({
    profile: 'superadmin',
    tenantId: 0,
    permissions: expect.arrayContaining(['tenants.write']),
  })
  const davi = await logIn('davi@padaria.local', 'senha-do-davi')
  expect(davi).toMatchObject({
    profile: 'admin',
    tenantId: 1,
    queues: [{ name: 'Atendimento' }],
    tenant: { name: 'Padaria Central' },
  })
  expect((await as(davi).get('/tenants')).status).toBe(403)
  expect((await as(sofia).get('/users')).status).toBe(403)
})

test('a superadmin visits a company with a code that works once; both sides keep a record', async () => {
  const sofia = await logIn('sofia@plataforma.local', 'senha-da-sofia')
  expect((await as(sofia).post('/tenants/1/impersonate', { reason: 'x' })).status).toBe(422)
  expect((await as(sofia).post('/tenants/0/impersonate', { reason: 'Olhar a plataforma' })).status).toBe(404)
  const issued = await as(sofia).post('/tenants/1/impersonate', { reason: 'Chamado 123' })
  expect(issued.body.url).toBe(`http://localhost:3000/masterkey?code=${issued.body.code}`)
  const minutes = (new Date(issued.body.expiresAt).getTime() - Date.now()) / 60_000
  expect(Math.round(minutes)).toBe(10)

  expect((await post('/masterkey/redeem', { code: 'codigo-inventado' })).json()).toMatchObject({
    error: 'ERR_IMPERSONATION_CODE',
  })
  const redeems = await Promise.all([
    post('/masterkey/redeem', { code: issued.body.code }),
    post('/masterkey/redeem', { code: issued.body.code }),
  ])
  expect(redeems.map((reply) => reply.statusCode).sort()).toEqual([200, 403])
  const opened = redeems.find((reply) => reply.statusCode === 200)
  const visit = opened?.json()
  expect(visit).toMatchObject({ profile: 'admin', tenantId: 1, username: 'Davi Melo', impersonatedBy: 'Sofia Reis' })
  const maxAge = opened?.cookies.find((one) => one.name === 'jrt')?.maxAge ?? 0
  expect(maxAge).toBeLessThanOrEqual(3_600)

  expect((await as(visit).put('/settings', { signed: true })).status).toBe(200)
  const audit = (await as(visit).get('/audit')).body.items
  expect(audit[0]).toMatchObject({
    entity: 'settings',
    isImpersonated: true,
    before: { signed: false },
    after: { signed: true },
  })
  expect(audit[1]).toMatchObject({
    action: 'impersonation.started',
    isImpersonated: true,
    after: { reason: 'Chamado 123', superadmin: 'Sofia Reis' },
  })
  const platform = await withPlatform('test', (tx) =>
    tx.db.select().from(schema.platformAudit).orderBy(schema.platformAudit.at),
  )
  expect(platform.map((row) => row.action)).toEqual([
    'platform.installed',
    'impersonation.issued',
    'impersonation.started',
  ])

  const cookie = opened?.cookies.find((one) => one.name === 'jrt')?.value ?? ''
  const renewed = await post('/auth/refresh_token', {}, { cookie: `jrt=${cookie}` })
  expect((await as(renewed.json()).get('/auth/me')).body).toMatchObject({ impersonatedBy: 'Sofia Reis' })

  const davi = await logIn('davi@padaria.local', 'senha-do-davi')
  expect((await as(davi).get('/supportVisits')).body).toEqual([
    { id: expect.any(String), name: 'Sofia Reis', startedAt: expect.any(String), endsAt: expect.any(String) },
  ])
  const told = await withTenant(1, (tx) => tx.db.select().from(schema.outbox))
  expect(told.filter(({ name }) => name === 'support.changed')).toMatchObject([
    { audience: { kind: 'permission', can: 'audit.read' } },
  ])
  await as(davi).put('/settings', { allowImpersonation: false })
  expect((await as(davi).get('/supportVisits')).body).toEqual([])
  expect((await as(visit).get('/auth/me')).status).toBe(401)
  const next = renewed.cookies.find((one) => one.name === 'jrt')?.value ?? ''
  expect((await post('/auth/refresh_token', {}, { cookie: `jrt=${next}` })).statusCode).toBe(401)
  expect((await as(davi).get('/auth/me')).status).toBe(200)
  expect((await as(sofia).post('/tenants/1/impersonate', { reason: 'Chamado 124' })).body).toMatchObject({
    error: 'ERR_IMPERSONATION_FORBIDDEN',
  })
})

test('a visit that ends early is over for the company, and its end is recorded', async () => {
  const sofia = await logIn('sofia@plataforma.local', 'senha-da-sofia')
  const davi = await logIn('davi@padaria.local', 'senha-do-davi')
  await as(davi).put('/settings', { allowImpersonation: true })
  const { code } = (await as(sofia).post('/tenants/1/impersonate', { reason: 'Chamado 126' })).body
  const opened = await post('/masterkey/redeem', { code })
  const cookie = opened.cookies.find((one) => one.name === 'jrt')?.value ?? ''
  const mine = async () => (await as(davi).get('/supportVisits')).body.length
  const before = await mine()
  expect(before).toBeGreaterThan(0)
  await post('/auth/logout', {}, { cookie: `jrt=${cookie}` })
  expect(await mine()).toBe(before - 1)
  expect((await as(davi).get('/audit?isImpersonated=true')).body.items[0]).toMatchObject({
    action: 'impersonation.ended',
    support: 'Sofia Reis',
  })
})

test('a code issued before the company closed its door does not open it, nor does one past its time', async () => {
  const sofia = await logIn('sofia@plataforma.local', 'senha-da-sofia')
  const davi = await logIn('davi@padaria.local', 'senha-do-davi')
  await as(davi).put('/settings', { allowImpersonation: true })
  const first = (await as(sofia).post('/tenants/1/impersonate', { reason: 'Chamado 125' })).body.code
  await as(davi).put('/settings', { allowImpersonation: false })
  expect((await post('/masterkey/redeem', { code: first })).json()).toMatchObject({
    error: 'ERR_IMPERSONATION_FORBIDDEN',
  })
  await as(davi).put('/settings', { allowImpersonation: true })
  await withPlatform('test', (tx) =>
    tx.db
      .update(schema.oneTimeTokens)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(schema.oneTimeTokens.purpose, 'impersonation')),
  )
  expect((await post('/masterkey/redeem', { code: first })).json()).toMatchObject({ error: 'ERR_IMPERSONATION_CODE' })
  expect(await withTenant(1, (tx) => tx.db.select().from(schema.users))).toHaveLength(1)
})
