import { startEvolutionSimulator } from '@balcao/simulators/evolution.ts'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { numberChecks } from '../../../db/schema/operations/number-checks.ts'

const { as, seedTenant, createConnection, createContact, schema, withTenant } = await startTestApp()
const { createJobs } = await import('../../core/jobs/jobs.loop.ts')
const globalKey = 'chave-global-de-teste-0123456789'
const simulator = await startEvolutionSimulator({ globalKey, delivery: { retryDelaysMs: [] } })
afterAll(() => simulator.close())

test('a channel is asked which numbers exist; what it says is kept, told as a file, and leaves people out of every campaign', async () => {
  const tenant = await seedTenant()
  const me = as(tenant.admin)
  const config = { baseUrl: simulator.url, apiKey: globalKey }
  const { id: connectionId } = (await me.post('/whatsapp', { kind: 'evolution', name: 'Loja', config })).body
  const [name = ''] = simulator.instances.keys()
  await simulator.scan(name)
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.connections).set({ status: 'CONNECTED' }).where(eq(schema.connections.id, connectionId)),
  )
  simulator.customer({ phone: '5511987670001', name: 'Ana' })
  await createContact(tenant, { name: 'Ana Lima', number: '5511987670001' })
  await createContact(tenant, { name: 'Ninguém Silva', number: '5511987670002' })
  const audience = { include: [{ kind: 'everybody' }] }
  const { id } = (await me.post('/campaigns', { name: 'Natal', connectionIds: [connectionId], audience })).body
  const job = await me.post(`/campaigns/${id}/checkNumbers`, { connectionId })
  expect(job).toMatchObject({ status: 202, body: { kind: 'checkCampaignNumbers', subject: 'Natal' } })
  const jobs = createJobs()
  await new Promise<void>((resolve) => void jobs.run(resolve))
  expect((await me.get(`/bulkJobs/${job.body.id}`)).body).toMatchObject({ error: null, state: 'done', done: 2 })
  const kept = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(numberChecks))
  expect(kept.map(({ number, isThere }) => [number, isThere]).toSorted()).toEqual([
    ['5511987670001', true],
    ['5511987670002', false],
  ])
  const file = await me.get(`/bulkJobs/${job.body.id}/result`)
  expect(String(file.body)).toContain('5511987670002;Não')
  expect((await me.post(`/campaigns/${id}/rehearsal`)).body).toMatchObject({
    ...{ found: 2, reached: 1, skipped: [{ reason: 'notOnChannel', count: 1 }] },
  })
  const site = await createConnection(tenant)
  expect((await me.post(`/campaigns/${id}/checkNumbers`, { connectionId: site })).body.details).toMatchObject([
    { path: 'connectionId' },
  ])
})
