import { monitorHistory, platformMonitor } from '@balcao/contract/platform/monitor.ts'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { tidyUp } from '../../../jobs/housekeeping.ts'
import { nodeName } from './machine.ts'
import { sampleNode } from './samples.loop.ts'

const { as, createUser, schema, seedTenant, withPlatform } = await startTestApp()

test('who runs the platform sees each process, the database and the queues, now and over time; nobody else does', async () => {
  await withPlatform('test', ({ db }) =>
    db.insert(schema.tenants).values({ id: 0, name: 'Plataforma' }).onConflictDoNothing(),
  )
  const superadmin = await createUser(0, { profile: 'superadmin' })
  const tenant = await seedTenant()
  await sampleNode()
  await sampleNode() // within the same minute it is the same row
  const machine = platformMonitor.parse((await as(superadmin).get('/platform/monitor')).body).nodes[0]?.machine
  if (!machine) throw new Error('This process is one of them')
  await withPlatform('test', ({ db }) =>
    db.insert(schema.nodeSamples).values([
      {
        at: new Date(Date.now() - 60_000),
        node: 'outra:3000',
        machine,
        slowest: [{ name: 'lenta', calls: 2, totalMs: 9e6, maxMs: 8e6 }],
      },
      { at: new Date(Date.now() - 20 * 60_000), node: 'parada:3000', machine, slowest: [] },
      { at: new Date(Date.now() - 8 * 86_400_000), node: 'velha:3000', machine, slowest: [] },
    ]),
  )

  const now = platformMonitor.parse((await as(superadmin).get('/platform/monitor')).body)
  expect(now.node).toBe(nodeName)
  expect(now.nodes.map(({ node }) => node).sort()).toEqual([nodeName, 'outra:3000'].sort())
  expect(machine.memoryTotal).toBeGreaterThan(machine.memoryUsed)
  expect(machine.rss).toBeGreaterThan(10_000_000)
  expect(now.installation).toMatchObject({ queues: { journal: { waiting: expect.any(Number) } } })
  expect(now.installation.databaseBytes).toBeGreaterThan(1_000_000)
  expect(now.installation.connections).toBeGreaterThan(0)
  expect(now.slowest[0]).toMatchObject({ name: 'lenta', calls: 2, maxMs: 8e6 })
  expect(now.slowest.length).toBeGreaterThan(1) // this process names its own
  expect(now.tables).toHaveLength(8)

  const history = async (period: string) =>
    monitorHistory.parse((await as(superadmin).get(`/platform/monitor/history?period=${period}`)).body)
  const hour = await history('1h')
  expect(hour.stepS).toBe(60)
  expect(hour.nodes.filter(({ node }) => node === nodeName).length).toBeGreaterThanOrEqual(1)
  expect(hour.nodes.some(({ node }) => node === 'parada:3000')).toBe(true)
  expect(hour.installation[0]?.queues.mail).toEqual({ waiting: expect.any(Number), oldestS: expect.any(Number) })
  await tidyUp()
  const week = await history('7d')
  expect(week.nodes.some(({ node }) => node === 'velha:3000')).toBe(false)

  expect((await as(tenant.admin).get('/platform/monitor')).status).toBe(403)
  expect((await as(tenant.admin).get('/platform/monitor/history')).status).toBe(403)
})
