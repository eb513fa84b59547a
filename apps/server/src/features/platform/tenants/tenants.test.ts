import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { sealFor } from '../../../../test/sealed.ts'

const { app, as, seedTenant, createUser, schema, withPlatform } = await startTestApp()
const { eq } = await import('drizzle-orm')

await withPlatform('test', (tx) => tx.db.insert(schema.tenants).values({ id: 0, name: 'Plataforma' }))
const root = await createUser(0, { profile: 'superadmin', name: 'Sofia Reis', email: 'sofia@plataforma.local' })
const key = (await app.inject({ url: '/api/publicEncryptionKey' })).body
const seal = (text: string) => sealFor(key, text)
const admin = { adminName: 'Davi Melo', adminPassword: seal('senha-do-davi') }

test('the superadmin founds a company, ready for work, and it is recorded', async () => {
  await seedTenant()
  const made = await as(root).post('/tenants', {
    name: 'Ótica Sol',
    timezone: 'America/Manaus',
    maxUsers: 3,
    ...admin,
    adminEmail: 'davi@otica.local',
  })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({
    id: 2,
    name: 'Ótica Sol',
    status: 'active',
    timezone: 'America/Manaus',
    maxUsers: 3,
    maxConnections: 10,
    allowedChannels: null,
    usersCount: 1,
    connectionsCount: 0,
  })
  const login = await app.inject({
    method: 'POST',
    url: '/api/auth/login/',
    payload: { email: 'davi@otica.local', password: seal('senha-do-davi') },
  })
  expect(login.json()).toMatchObject({
    tenantId: 2,
    profile: 'admin',
    queues: [{ name: 'Atendimento' }],
    tenant: { timezone: 'America/Manaus' },
  })
  const [record] = await withPlatform('test', (tx) =>
    tx.db.select().from(schema.platformAudit).where(eq(schema.platformAudit.subjectTenantId, 2)),
  )
  expect(record).toMatchObject({ userId: root.id, action: 'tenant.created' })
  expect(JSON.stringify(record)).not.toContain('senha')
  expect(
    (await as(root).post('/tenants', { name: 'Outra', ...admin, adminEmail: 'davi@otica.local' })).body.error,
  ).toBe('ERR_DUPLICATED_EMAIL')
  expect(
    (
      await as(root).post('/tenants', {
        name: 'Outra',
        timezone: 'America/Lugar',
        ...admin,
        adminEmail: 'x@otica.local',
      })
    ).body.details,
  ).toMatchObject([{ path: 'timezone' }])
  const many = await Promise.all(
    [1, 2, 3, 4].map((n) =>
      as(root).post('/tenants', { name: `Rede ${n}`, ...admin, adminEmail: `rede${n}@otica.local` }),
    ),
  )
  expect(many.map((reply) => reply.body.id).sort()).toEqual([3, 4, 5, 6])
})

test('companies are listed by name and key; the platform itself is none of them', async () => {
  const names = async (query: string) =>
    (await as(root).get(`/tenants?${query}`)).body.items.map((one: { name: string }) => one.name)
  expect(await names('searchParam=otica')).toEqual(['Ótica Sol'])
  expect(await names('limit=50')).not.toContain('Plataforma')
  const first = (await as(root).get('/tenants?limit=2&count=true')).body
  expect(first).toMatchObject({ hasMore: true, count: 6 })
  expect([
    ...first.items.map((one: { name: string }) => one.name),
    ...(await names(`cursor=${first.nextCursor}`)),
  ]).toEqual(await names('limit=50'))
  expect((await as(root).get('/tenants/0')).status).toBe(404)
  expect((await as(root).put('/tenants/0', { name: 'Minha' })).status).toBe(404)
  expect((await as(root).get('/tenants/99')).status).toBe(404)
  expect((await as(root).get('/tenants/abc')).status).toBe(422)
})

test('nobody of a company reaches the companies', async () => {
  const tenant = await seedTenantAfter()
  for (const user of [tenant.agent, tenant.supervisor, tenant.admin]) {
    for (const path of ['/tenants', `/tenants/${tenant.tenantId}`]) expect((await as(user).get(path)).status).toBe(403)
    expect((await as(user).put(`/tenants/${tenant.tenantId}`, { maxUsers: 999 })).status).toBe(403)
    expect((await as(user).post('/tenants/2/impersonate', { reason: 'curiosidade' })).status).toBe(403)
  }
})

test('T12: suspending a company ends its sessions at once; resuming lets people log in again', async () => {
  const tenant = await seedTenantAfter()
  const stale = await as(root).put(`/tenants/${tenant.tenantId}`, { status: 'suspended', version: 9 })
  expect([stale.status, stale.body.details.current.version]).toEqual([409, 1])
  const done = await as(root).put(`/tenants/${tenant.tenantId}`, { status: 'suspended', version: 1 })
  expect(done.body).toMatchObject({ status: 'suspended', version: 2, maxUsers: 50 })
  const refusals = await Promise.all(
    [tenant.agent, tenant.supervisor, tenant.admin].map(async (user) => (await as(user).get('/auth/me')).body.error),
  )
  // Who may not come in again is told why; the administrator only has to log in again.
  expect(refusals).toEqual(['ERR_TENANT_INACTIVE', 'ERR_TENANT_INACTIVE', 'ERR_SESSION_EXPIRED'])
  await as(root).put(`/tenants/${tenant.tenantId}`, { status: 'active' })
  expect((await as(tenant.admin).get('/auth/me')).status).toBe(401)
  const actions = await withPlatform('test', (tx) =>
    tx.db
      .select({ action: schema.platformAudit.action })
      .from(schema.platformAudit)
      .where(eq(schema.platformAudit.subjectTenantId, tenant.tenantId)),
  )
  expect(actions.map((row) => row.action)).toEqual(['tenant.suspended', 'tenant.resumed'])
})

test('T12: closing a company ends every session of it for good, and the platform’s visit to it', async () => {
  const made = await as(root).post('/tenants', { name: 'Encerrada', ...admin, adminEmail: 'fim@t12.local' })
  const { id, version } = made.body
  const logIn = (body = { email: 'fim@t12.local', password: seal('senha-do-davi') }) =>
    app.inject({ method: 'POST', url: '/api/auth/login/', payload: body })
  const sessions = [await logIn(), await logIn(), await logIn()]
  const { code } = (await as(root).post(`/tenants/${id}/impersonate`, { reason: 'Chamado 123' })).body
  const visit = await app.inject({ method: 'POST', url: '/api/masterkey/redeem', payload: { code } })
  const tokens = [...sessions, visit].map((session) => session.json().token as string)
  for (const token of tokens) expect((await as({ token }).get('/auth/me')).status).toBe(200)

  expect((await as(root).put(`/tenants/${id}`, { status: 'closed', version })).body).toMatchObject({ status: 'closed' })
  for (const token of tokens)
    expect(await as({ token }).get('/auth/me')).toMatchObject({ status: 403, body: { error: 'ERR_TENANT_INACTIVE' } })
  for (const session of sessions) {
    const jrt = session.cookies.find(({ name }) => name === 'jrt')?.value ?? ''
    const renewed = await app.inject({
      ...{ method: 'POST', url: '/api/auth/refresh_token', cookies: { jrt } },
      headers: { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' },
    })
    expect([renewed.statusCode, renewed.json().error]).toEqual([403, 'ERR_TENANT_INACTIVE'])
  }
  expect((await logIn()).json().error).toBe('ERR_TENANT_INACTIVE')
})

/** The factory counts from one; here the product itself has taken the first numbers. */
async function seedTenantAfter() {
  for (;;) {
    try {
      return await seedTenant()
    } catch {}
  }
}
