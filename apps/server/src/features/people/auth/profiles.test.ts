import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { sealFor } from '../../../../test/sealed.ts'

const { app, as, schema, createUser, withTenant, withPlatform } = await startTestApp()
const { issueSetupLink } = await import('../../platform/setup/setup.ts')
const { invalidateDirectory } = await import('../../core/directory/directory.ts')
const { and, eq } = await import('drizzle-orm')

const key = (await app.inject({ url: '/api/publicEncryptionKey' })).body
const seal = (text: string) => sealFor(key, text)
const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: `/api${url}`, payload, headers })
let password = 'senha-da-sofia'
const logIn = async (plain = password) => post('/auth/login/', { email: 'sofia@padaria.local', password: seal(plain) })
const cookieOf = (reply: Awaited<ReturnType<typeof logIn>>) => reply.cookies.find((one) => one.name === 'jrt')?.value
const toPlatform = async (session: { token: string }, plain = password) =>
  post('/auth/switch', { password: seal(plain) }, { authorization: `Bearer ${session.token}` })

const setup = await post('/masterkey/setup', {
  tokenSetup: new URL((await issueSetupLink()) ?? '').searchParams.get('tokenSetup'),
  company: 'Padaria Central',
  name: 'Sofia Reis',
  email: 'sofia@padaria.local',
  password: seal(password),
})

test('one person sets up the product, works in the company and goes to the platform with the password', async () => {
  expect(setup.statusCode).toBe(201)
  expect(await issueSetupLink()).toBeNull()
  const company = (await logIn()).json()
  expect(company).toMatchObject({
    profile: 'admin',
    tenantId: 1,
    tenant: { name: 'Padaria Central' },
    otherProfile: { tenantId: 0, name: 'Plataforma' },
  })
  expect((await as(company).get('/tenants')).status).toBe(403)
  expect((await as(company).get('/platform/summary')).status).toBe(403)
  expect((await post('/auth/switch', {}, { authorization: `Bearer ${company.token}` })).statusCode).toBe(422)
  expect((await toPlatform(company, 'outra-senha')).json()).toMatchObject({
    error: 'ERR_PASSWORD_WRONG',
    details: [{ path: 'password' }],
  })

  const platform = (await toPlatform(company)).json()
  expect(platform).toMatchObject({
    profile: 'superadmin',
    tenantId: 0,
    username: 'Sofia Reis',
    email: 'sofia@padaria.local',
    otherProfile: { tenantId: 1, name: 'Padaria Central' },
  })
  expect((await as(platform).get('/tenants')).body.items).toMatchObject([{ id: 1, name: 'Padaria Central' }])
  expect((await as(platform).get('/contacts')).status).toBe(403)
  expect((await as(company).get('/auth/me')).status).toBe(401) // one session, of one of the two

  const back = (await as(platform).post('/auth/switch')).body
  expect(back).toMatchObject({ profile: 'admin', tenantId: 1 })
  expect((await as(platform).get('/auth/me')).status).toBe(401)
})

test('the platform session is renewed by its cookie; a new password ends it and every other', async () => {
  const company = (await logIn()).json()
  const switched = await toPlatform(company)
  const renewed = await post('/auth/refresh_token', {}, { cookie: `jrt=${cookieOf(switched)}` })
  expect((await as(renewed.json()).get('/auth/me')).body).toMatchObject({ tenantId: 0 })

  const elsewhere = (await logIn()).json()
  const id = elsewhere.userId
  expect((await as(renewed.json()).put(`/users/${id}`, { name: 'Outro Nome' })).body).toMatchObject({
    error: 'ERR_PLATFORM_PERSON',
    message: 'Mude o seu nome e a sua senha no seu perfil em Padaria Central.',
  })
  await as(elsewhere).put(`/users/${id}`, { name: 'Sofia Reis Lima' })
  invalidateDirectory(0)
  expect((await as(renewed.json()).get(`/users/${id}`)).body).toMatchObject({ name: 'Sofia Reis Lima' })
  const next = 'outra-senha-da-sofia'
  const change = { current: seal(password), next: seal(next) }
  expect((await as(elsewhere).put(`/users/${id}/password`, change)).status).toBe(200)
  password = next
  invalidateDirectory(0) // what the directory does by itself within seconds
  expect((await as(renewed.json()).get('/auth/me')).status).toBe(401)
  const cookie = renewed.cookies.find((one) => one.name === 'jrt')?.value
  expect((await post('/auth/refresh_token', {}, { cookie: `jrt=${cookie}` })).statusCode).toBe(401)
})

test('nobody of the company takes over or locks out who takes care of the platform', async () => {
  const sofia = (await logIn()).json()
  const other = await createUser(1, { profile: 'admin', name: 'Davi Melo' })
  const path = `/users/${sofia.userId}`
  for (const change of [{ password: seal('senha-do-davi') }, { email: 'davi@padaria.local' }, { isBlocked: true }])
    expect((await as(other).put(path, change)).body).toMatchObject({ error: 'ERR_PLATFORM_PERSON' })
  expect((await as(other).delete(path, {})).body).toMatchObject({ error: 'ERR_PLATFORM_PERSON' })
  expect((await as(other).put(path, { name: 'Sofia R.' })).status).toBe(200)
  expect((await toPlatform(other, 'senha-do-davi')).json()).toMatchObject({ error: 'ERR_NOT_FOUND' })

  const platform = (await toPlatform(sofia)).json()
  const block = { tenantId: 1, isBlocked: true }
  expect((await as(platform).put(`/userTenants/${sofia.userId}`, block)).body.error).toBe('ERR_PLATFORM_PERSON')
  expect((await as(platform).delete(`/userTenants/${sofia.userId}`, { tenantId: 1 })).body.error).toBe(
    'ERR_PLATFORM_PERSON',
  )

  const { code } = (await as(platform).post('/tenants/1/impersonate', { reason: 'Chamado 1' })).body
  const visit = (await post('/masterkey/redeem', { code })).json()
  expect(visit).toMatchObject({ userId: sofia.userId, otherProfile: null })
  expect((await toPlatform(visit)).json()).toMatchObject({ error: 'ERR_NO_PERMISSION' })
})

test('a second person with the same e-mail is refused, whichever profile has it', async () => {
  const platform = (await toPlatform((await logIn()).json())).json()
  const admin = { adminName: 'Rita Alves', adminEmail: 'sofia@padaria.local', adminPassword: seal('senha-da-rita') }
  expect((await as(platform).post('/tenants', { name: 'Outra', ...admin })).body.error).toBe('ERR_DUPLICATED_EMAIL')
})

test('who is blocked is out of both; a closed company leaves the platform open', async () => {
  const platform = (await toPlatform((await logIn()).json())).json()
  const blocked = (isBlocked: boolean) =>
    withTenant(1, async (tx) => {
      await tx.db.update(schema.users).set({ isBlocked }).where(eq(schema.users.id, platform.userId))
      tx.afterCommit(() => [0, 1].forEach(invalidateDirectory))
    })
  await blocked(true)
  expect((await as(platform).get('/tenants')).body.error).toBe('ERR_USER_BLOCKED')
  expect((await logIn()).json()).toMatchObject({ error: 'ERR_USER_BLOCKED' })
  await blocked(false)

  await as(platform).put('/tenants/1', { status: 'closed' })
  expect((await logIn()).json()).toMatchObject({ profile: 'superadmin', tenantId: 0 })
  const open = (await logIn()).json()
  expect((await as(open).post('/auth/switch')).body.error).toBe('ERR_TENANT_INACTIVE')
  expect((await as(open).put('/tenants/1', { status: 'active' })).status).toBe(200)

  await withPlatform('test', (tx) =>
    tx.db
      .update(schema.users)
      .set({ isBlocked: true })
      .where(and(eq(schema.users.tenantId, 0), eq(schema.users.id, platform.userId))),
  )
  const left = (await logIn()).json()
  expect(left).toMatchObject({ tenantId: 1 })
  expect((await toPlatform(left)).json()).toMatchObject({ error: 'ERR_USER_BLOCKED' })
})
