import { desc, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { sealFor } from '../../../../test/sealed.ts'

const kit = await startTestApp()
const { app, as, createTicket, createUser, schema, seedTenant, withPlatform, withTenant } = kit
const { loginPublicKey } = await import('../auth/login-key.ts')

await withPlatform('test', ({ db }) => db.insert(schema.tenants).values({ id: 0, name: 'Plataforma' }))
const superadmin = await createUser(0, { profile: 'superadmin', name: 'Plataforma' })
const platform = as(superadmin)
const sealed = (text: string) => sealFor(loginPublicKey(), text)
const login = (email: string, password: string) =>
  app.inject({ method: 'POST', url: '/api/auth/login/', payload: { email, password: sealed(password) } })
const lastPlatformAudit = async () => {
  const [row] = await withPlatform('test', ({ db }) =>
    db.select().from(schema.platformAudit).orderBy(desc(schema.platformAudit.at)).limit(1),
  )
  return row
}

test('the people of all companies in one list, page by page, found by name, e-mail or company', async () => {
  const [one, two] = [await seedTenant(), await seedTenant()]
  await createUser(two.tenantId, { name: 'Zélia Única', email: 'zelia@unica.local' })
  const whole = (await platform.get('/userTenants?limit=200&count=true')).body
  expect(whole.count).toBe(whole.items.length)
  expect(new Set(whole.items.map((row: { tenantId: number }) => row.tenantId))).toEqual(
    new Set([one.tenantId, two.tenantId]),
  )
  expect(JSON.stringify(whole)).not.toContain('passwordHash')

  const pages: { id: string }[] = []
  for (let cursor = ''; ; ) {
    const page = (await platform.get(`/userTenants?limit=2&cursor=${cursor}`)).body
    pages.push(...page.items)
    if (!page.nextCursor) break
    cursor = page.nextCursor
  }
  expect(pages).toEqual(whole.items)

  for (const search of ['zelia', 'unica.local']) {
    expect((await platform.get(`/userTenants?searchParam=${search}`)).body.items).toMatchObject([
      { name: 'Zélia Única', tenant: { id: two.tenantId, name: `Empresa ${two.tenantId}` } },
    ])
  }
  expect((await platform.get(`/userTenants?searchParam=empresa ${one.tenantId}`)).body.items).toHaveLength(3)
  expect((await platform.get(`/userTenants?tenantId=${two.tenantId}&profile=admin`)).body.items).toMatchObject([
    { id: two.admin.id },
  ])
})

test('a person is created in the named company, and can log in; both records tell it', async () => {
  const tenant = await seedTenant()
  const email = 'nova@empresa.local'
  const body = { tenantId: tenant.tenantId, name: 'Nova', email, profile: 'super', password: sealed('uma senha boa') }
  const { status, body: created } = await platform.post('/userTenants', { ...body, isSupport: true })
  expect(status).toBe(201)
  expect(created).toMatchObject({ tenantId: tenant.tenantId, name: 'Nova', profile: 'super', isSupport: true })
  expect((await login(email, 'uma senha boa')).json()).toMatchObject({ tenantId: tenant.tenantId, isSupport: true })

  expect((await as(tenant.admin).get('/audit?entity=user')).body.items[0]).toMatchObject({
    action: 'create',
    entityId: created.id,
    isImpersonated: true,
    after: { name: 'Nova' },
  })
  const record = await lastPlatformAudit()
  expect(record).toMatchObject({
    userId: superadmin.id,
    subjectTenantId: tenant.tenantId,
    action: 'user.create',
    details: { userId: created.id },
  })
  expect(JSON.stringify(record)).not.toContain('senha')

  expect((await platform.post('/userTenants', body)).body.error).toBe('ERR_DUPLICATED_EMAIL')
  expect((await platform.post('/userTenants', { ...body, password: 'uma senha boa' })).body.error).toBe(
    'ERR_PASSWORD_PLAIN',
  )
  for (const wrong of [{ tenantId: 99_999 }, { tenantId: 0 }, { tenantId: undefined }, { profile: 'superadmin' }]) {
    expect((await platform.post('/userTenants', { ...body, email: 'x@y.local', ...wrong })).status).toBe(422)
  }
})

test('the seats of the company hold for the platform too', async () => {
  const tenant = await seedTenant()
  await withPlatform('test', ({ db }) =>
    db.update(schema.tenants).set({ maxUsers: 4 }).where(eq(schema.tenants.id, tenant.tenantId)),
  )
  const create = (email: string) =>
    platform.post('/userTenants', {
      tenantId: tenant.tenantId,
      name: 'Nova',
      email,
      profile: 'user',
      password: sealed('uma senha boa'),
    })
  const two = await Promise.all([create('um@lugar.local'), create('dois@lugar.local')])
  expect(two.map((reply) => reply.status).sort()).toEqual([201, 409])
})

test('support, block and a new password are given and end the sessions they should', async () => {
  const { tenantId, agent, admin } = await seedTenant()
  const put = (body: object) => platform.put(`/userTenants/${agent.id}`, { tenantId, ...body })

  expect((await put({ isSupport: true })).body).toMatchObject({ isSupport: true, version: 2 })
  expect((await as(agent).get('/auth/me')).body.isSupport).toBe(true)
  expect(await put({ name: 'Outro', version: 1 })).toMatchObject({
    status: 409,
    body: { error: 'ERR_CONFLICT', details: { current: { isSupport: true, tenantId } } },
  })

  expect((await put({ password: sealed('senha trocada') })).status).toBe(200)
  expect((await as(agent).get('/auth/me')).status).toBe(401)
  expect((await login(agent.email, 'senha trocada')).statusCode).toBe(200)
  expect((await lastPlatformAudit())?.action).toBe('user.update+password')

  expect((await put({ isBlocked: true })).status).toBe(200)
  expect((await login(agent.email, 'senha trocada')).statusCode).not.toBe(200)
  expect((await platform.put(`/userTenants/${admin.id}`, { tenantId, isBlocked: true })).body.error).toBe(
    'ERR_LAST_ADMIN',
  )
})

test('a row is found in the named company only; the platform’s own people are out of reach', async () => {
  const [tenant, other] = [await seedTenant(), await seedTenant()]
  const wrong = { tenantId: other.tenantId }
  expect((await platform.put(`/userTenants/${tenant.agent.id}`, { ...wrong, name: 'X' })).status).toBe(404)
  expect((await platform.delete(`/userTenants/${tenant.agent.id}`, wrong)).status).toBe(404)
  expect((await platform.delete(`/userTenants/${superadmin.id}`, { tenantId: 0 })).status).toBe(422)
  expect((await platform.delete(`/userTenants/${tenant.agent.id}`, {})).status).toBe(422)
  expect((await platform.delete(`/userTenants/${v7()}`, wrong)).status).toBe(404)
  for (const caller of [tenant.admin, tenant.supervisor]) {
    expect((await as(caller).get('/userTenants')).status).toBe(403)
    expect((await as(caller).put(`/userTenants/${tenant.agent.id}`, { ...wrong, isSupport: true })).status).toBe(403)
  }
})

test('whoever is deleted leaves, and their open conversations wait for somebody else', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const { tenantId, agent } = tenant
  const ticketId = await createTicket(tenant, { userId: agent.id, queue: 'Vendas' })
  expect((await platform.delete(`/userTenants/${agent.id}`, { tenantId })).status).toBe(204)
  expect((await as(agent).get('/auth/me')).status).toBe(401)
  const [ticket] = await withTenant(tenantId, ({ db }) =>
    db.select().from(schema.tickets).where(eq(schema.tickets.id, ticketId)),
  )
  expect(ticket).toMatchObject({ status: 'pending', userId: null })
  const rest = (await platform.get(`/userTenants?tenantId=${tenantId}`)).body.items
  expect(rest.map((row: { id: string }) => row.id)).not.toContain(agent.id)
  expect(await lastPlatformAudit()).toMatchObject({ action: 'user.delete', subjectTenantId: tenantId })
  expect((await as(tenant.admin).get('/audit?entity=user')).body.items[0]).toMatchObject({ action: 'delete' })
})

test('the platform hands the conversations of who leaves to a colleague of theirs, and to nobody else', async () => {
  const [tenant, other] = [await seedTenant({ queues: ['Vendas'] }), await seedTenant()]
  const ticketId = await createTicket(tenant, { queue: 'Vendas', status: 'open', userId: tenant.agent.id })
  const path = `/userTenants/${tenant.agent.id}`
  const work = await platform.get(`${path}/work?tenantId=${tenant.tenantId}`)
  expect(work.body).toMatchObject({ tickets: 1 })
  expect(work.body.people.map((one: { id: string }) => one.id).sort()).toEqual(
    [tenant.admin.id, tenant.supervisor.id].sort(),
  )
  expect((await platform.get(`${path}/work?tenantId=${other.tenantId}`)).status).toBe(404)
  expect((await as(tenant.admin).get(`${path}/work?tenantId=${tenant.tenantId}`)).status).toBe(403)

  const { tenantId } = tenant
  expect((await platform.delete(path, { tenantId, handOverTo: other.agent.id })).body.details).toMatchObject([
    { path: 'handOverTo' },
  ])
  expect((await platform.delete(path, { tenantId, handOverTo: tenant.supervisor.id })).status).toBe(204)
  expect((await as(tenant.admin).get(`/tickets/${ticketId}`)).body).toMatchObject({
    status: 'open',
    userId: tenant.supervisor.id,
  })
})
