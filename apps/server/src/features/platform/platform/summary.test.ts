import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { app, as, createConnection, createUser, invalidateDirectory, schema, seedTenant, withPlatform } =
  await startTestApp()

test('the superadmin sees the installation in figures; nobody else does', async () => {
  await withPlatform('test', ({ db }) => db.insert(schema.tenants).values({ id: 0, name: 'Plataforma' }))
  const superadmin = await createUser(0, { profile: 'superadmin' })
  const [tenant, suspended] = [await seedTenant(), await seedTenant()]
  await createConnection(tenant)
  await withPlatform('test', ({ db }) =>
    db.update(schema.tenants).set({ status: 'suspended' }).where(eq(schema.tenants.id, suspended.tenantId)),
  )
  invalidateDirectory(suspended.tenantId)

  const { status, body } = await as(superadmin).get('/platform/summary')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    licence: { state: 'none' },
    companies: { active: 1, inactive: 1 },
    users: 6, // the platform's own person is not counted
    connections: { total: 1, connected: 1 },
    storage: { kind: 'folder', files: 0, bytes: 0 },
    health: { inbound: { waiting: 0, oldestS: 0 }, outbound: { waiting: 0, oldestS: 0 } },
  })
  expect(body.databaseBytes).toBeGreaterThan(1_000_000)
  expect((await as(tenant.admin).get('/platform/summary')).status).toBe(403)
  expect((await as(undefined).get('/platform/summary')).status).toBe(401)
})

test('figures for the machine’s own watcher are not handed on by a proxy that stands on it', async () => {
  expect((await app.inject({ url: '/metrics' })).body).toContain('balcao_statements_total')
  for (const from of [{ headers: { 'x-forwarded-for': '8.8.8.8' } }, { remoteAddress: '8.8.8.8' }])
    expect((await app.inject({ url: '/metrics', ...from })).statusCode).toBe(404)
})
