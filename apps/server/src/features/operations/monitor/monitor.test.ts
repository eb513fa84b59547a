import { monitor } from '@balcao/contract/operations/monitor.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, createTicket, schema, withTenant, invalidateDirectory, statementCount } = await startTestApp()
const minutes = (n: number) => new Date(Date.now() + n * 60_000)

test('the monitor counts queues, people, deadlines and the day, for all queues or for some, in one round trip', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'] })
  const { tenantId, queues, agent, admin } = tenant
  const change = (id: string, values: Partial<typeof schema.tickets.$inferInsert>) =>
    withTenant(tenantId, ({ db }) => db.update(schema.tickets).set(values).where(eq(schema.tickets.id, id)))
  const late = await createTicket(tenant, { queue: 'Vendas', userId: agent.id })
  const soon = await createTicket(tenant, { queue: 'Vendas' })
  const paused = await createTicket(tenant, { queue: 'Suporte', userId: agent.id })
  const loose = await createTicket(tenant)
  const kept = await createTicket(tenant, { queue: 'Suporte', status: 'closed' })
  await change(late, { waitingSince: minutes(-20), slaFirstDueAt: minutes(-5), slaFirstBreachedAt: minutes(-5) })
  await change(soon, { waitingSince: minutes(-13) })
  await change(paused, { waitingSince: minutes(-50), pausedAt: new Date(), slaFirstDueAt: minutes(-1) })
  await change(loose, { waitingSince: minutes(-1) })
  await change(kept, { closedAt: new Date(), slaResolveDueAt: minutes(30) })
  await withTenant(tenantId, ({ db }) =>
    db.update(schema.users).set({ isOnline: true, capacity: 4 }).where(eq(schema.users.id, agent.id)),
  )
  invalidateDirectory(tenantId)

  await as(admin).get('/monitor')
  const before = statementCount()
  const all = monitor.parse((await as(admin).get('/monitor')).body)
  expect(statementCount() - before).toBeLessThanOrEqual(2) // one is the directory's, now and then
  expect(all.now).toMatchObject({ waiting: 2, open: 2, late: 1, atRisk: 1 })
  expect(Date.parse(all.now.waitingSince ?? '')).toBeCloseTo(minutes(-20).getTime(), -4)
  expect(all.queues).toMatchObject([
    { name: 'Suporte', waiting: 0, open: 1, late: 0, waitingSince: null },
    { name: 'Vendas', waiting: 1, open: 1, late: 1, atRisk: 1 },
    { id: null, name: 'Sem fila', waiting: 1 },
  ])
  expect(all.agents.find(({ id }) => id === agent.id)).toMatchObject({ isOnline: true, capacity: 4, open: 2, late: 1 })
  expect(all.today).toMatchObject({ created: 5, closed: 1 })
  expect(all.today.byHour).toHaveLength(24)
  expect(all.deadlines).toEqual({ met: 1, missed: 1 })

  const some = monitor.parse((await as(admin).get(`/monitor?queuesIds=${queues.Suporte}`)).body)
  expect(some.queues.map(({ name }) => name)).toEqual(['Suporte'])
  expect(some.now).toMatchObject({ waiting: 0, open: 1, late: 0, atRisk: 0, waitingSince: null })
  expect(some.today).toMatchObject({ created: 2, closed: 1 })
  expect(some.deadlines).toEqual({ met: 1, missed: 0 })
  expect((await as(agent).get('/monitor')).status).toBe(403)
})

test('a promise counts on the day it is kept or its time passes, whenever the conversation began', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const { tenantId, admin } = tenant
  const days = (n: number) => minutes(n * 24 * 60)
  const promise = async (values: Partial<typeof schema.tickets.$inferInsert>) => {
    const id = await createTicket(tenant, { queue: 'Vendas', status: values.closedAt ? 'closed' : 'pending' })
    await withTenant(tenantId, ({ db }) => db.update(schema.tickets).set(values).where(eq(schema.tickets.id, id)))
  }
  const now = minutes(0)
  // Kept today: written on Friday, answered and closed today.
  await promise({ createdAt: days(-3), slaFirstDueAt: minutes(30), firstAnsweredAt: now })
  await promise({ createdAt: days(-3), slaResolveDueAt: minutes(30), closedAt: now })
  // Passed today: nobody closed it yet; it was answered, but late.
  await promise({ createdAt: days(-3), slaResolveDueAt: now, slaResolveBreachedAt: now })
  await promise({ createdAt: days(-3), slaFirstDueAt: now, slaFirstBreachedAt: now, firstAnsweredAt: now })
  // Of other days: kept and passed then, or still ahead.
  await promise({ createdAt: days(-3), slaFirstDueAt: days(-2), firstAnsweredAt: days(-2) })
  await promise({ createdAt: days(-3), slaFirstDueAt: days(-2), slaFirstBreachedAt: days(-2), closedAt: now })
  await promise({ slaFirstDueAt: days(1), slaResolveDueAt: days(2) })
  // Put away, or closed before anything was due.
  await promise({ slaFirstDueAt: now, pausedAt: now })
  await promise({ slaFirstDueAt: minutes(1), closedAt: now })

  const read = monitor.parse((await as(admin).get('/monitor')).body)
  expect(read.deadlines).toEqual({ met: 2, missed: 2 })
})
