import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test, vi } from 'vitest'
import { startTestApp, type TestUser } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { app, as, createUser, createConnection, seedTenant, withPlatform, withTenant, schema } = kit
const { createJobs } = await import('../../core/jobs/jobs.loop.ts')
await withPlatform('test', (tx) => tx.db.insert(schema.tenants).values({ id: 0, name: 'Plataforma' }))
const root = await createUser(0, { profile: 'superadmin' })

/** The file of an export, line by line. */
const exported = async (user: TestUser, path: `/${string}`, body = {}) => {
  const asked = await as(user).post(path, body)
  expect(asked.status).toBe(202)
  const jobs = createJobs()
  await jobs.run(() => {})
  await vi.waitFor(async () =>
    expect((await as(user).get(`/bulkJobs/${asked.body.id}`)).body).toMatchObject({ state: 'done' }),
  )
  await jobs.finish()
  const url = `/api/bulkJobs/${asked.body.id}/result`
  const file = await app.inject({ url, headers: { authorization: `Bearer ${user.token}` } })
  return { job: asked.body, lines: file.body.trim().split('\r\n') }
}
const audited = async (user: TestUser) => (await as(user).get('/audit?entity=connection')).body.items

test('channels become a file as the filters show them, and the company reads who took it', async () => {
  const { tenantId, admin, agent } = await seedTenant({ queues: ['Vendas'] })
  await createConnection({ tenantId }, { kind: 'telegram', name: 'Bot; da loja' })
  await createConnection({ tenantId }, { kind: 'waba', name: 'Vendas' })
  expect(await as(agent).post('/whatsapp/export', {})).toMatchObject({ status: 403 })
  const all = await exported(admin, '/whatsapp/export')
  expect(all.job).toMatchObject({ kind: 'exportConnections', total: 2 })
  expect(all.lines[0]).toMatch(/^Canal;Tipo;Situação;O que houve;Desde;Número;/)
  expect(all.lines.slice(1).map((line) => line.split(';Telegram')[0])).toContain('"Bot; da loja"')
  const some = await exported(admin, '/whatsapp/export', { kind: ['waba'] })
  expect(some.lines.slice(1)).toEqual([expect.stringMatching(/^Vendas;WhatsApp/)])
  expect(await audited(admin)).toMatchObject([
    { action: 'connection.exported', after: { isFiltered: true } },
    { action: 'connection.exported', after: { isFiltered: false } },
  ])
})

test('what goes through each proxy becomes a file; one that nothing uses is a line too', async () => {
  const { tenantId, admin, agent } = await seedTenant()
  const connectionId = await createConnection({ tenantId }, { kind: 'telegram', name: 'Bot' })
  const proxy = (id: string, name: string) =>
    ({ tenantId, id, family: 'proxy', kind: 'proxy', name, config: {} }) as const
  const [used, idle] = [v7(), v7()]
  await withTenant(tenantId, async ({ db }) => {
    await db.insert(schema.integrations).values([proxy(used, 'Saída A'), proxy(idle, 'Saída B')])
    await db.update(schema.connections).set({ proxyId: used }).where(eq(schema.connections.id, connectionId))
  })
  expect(await as(agent).post('/proxy-stats/export', {})).toMatchObject({ status: 403 })
  const { lines } = await exported(admin, '/proxy-stats/export')
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^Saída A;Ainda sem teste;;Bot;.*;0$/),
    'Saída B;Ainda sem teste;;;;',
  ])
  expect(await audited(admin)).toMatchObject([{ action: 'proxy.exported' }])
})

test('a channel’s diary becomes a file without what its provider wrote, in the states and days that were asked', async () => {
  const one = await seedTenant()
  const stranger = await seedTenant()
  const { tenantId, admin } = one
  const connectionId = await createConnection(one, { kind: 'telegram', name: 'Bot' })
  const row = { tenantId, connectionId, payload: { message: 'segredo do cliente' } }
  await withTenant(tenantId, ({ db }) =>
    db.insert(schema.journal).values([
      { ...row, id: v7(), eventKey: 'a', state: 'done' },
      { ...row, id: v7(), eventKey: 'b', state: 'failed', error: 'Não deu.' },
    ]),
  )
  const path = `/whatsapp/${connectionId}/journal/export` as const
  expect(await as(stranger.admin).post(path, {})).toMatchObject({ status: 404 })
  const { job, lines } = await exported(admin, path, { state: ['failed'] })
  expect(job).toMatchObject({ kind: 'exportJournal', subject: 'Bot', total: 1 })
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/;Falhou;Não deu\.;/)
  expect(lines.join()).not.toContain('segredo')
  expect(await audited(admin)).toMatchObject([{ action: 'journal.exported', entityId: connectionId }])
})

test('every company’s channels become a file for whoever runs the platform alone, with whose each is', async () => {
  const one = await seedTenant()
  await createConnection(one, { kind: 'telegram', name: 'Bot do posto' })
  expect(await as(one.admin).post('/tenantConnections/export', {})).toMatchObject({ status: 403 })
  const { lines } = await exported(root, '/tenantConnections/export', { tenantId: one.tenantId })
  expect(lines[0]).toMatch(/^Empresa;Canal;/)
  expect(lines.slice(1)).toEqual([expect.stringContaining(';Bot do posto;Telegram;')])
})
