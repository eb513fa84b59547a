import { eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, createTicket, schema, withTenant } = await startTestApp()

test('the first steps of a company are ticked as they are done, and are its administrators’ alone', async () => {
  const tenant = await seedTenant()
  const { tenantId, admin } = tenant
  const read = async () => (await as(admin).get('/dashboard/first-steps')).body
  const nothing = { channel: false, queue: false, team: true, answered: false, channelId: null, webchat: null }
  expect(await read()).toEqual(nothing)

  const queueId = (await as(admin).post('/queue', { name: 'Vendas', color: '#0b7a75' })).body.id
  await withTenant(tenantId, (tx) => tx.db.insert(schema.queueMembers).values({ tenantId, queueId, userId: admin.id }))
  expect(await read()).toMatchObject({ queue: false }) // it has people, and no channel leads there

  const chat = await as(admin).post('/whatsapp', { kind: 'webchat', name: 'Site', config: {}, queueId: null })
  const { id, channelKey } = chat.body
  expect(await read()).toMatchObject({ channel: false, queue: false, channelId: id, webchat: { id, channelKey } })
  await as(admin).put(`/whatsapp/${id}`, { config: { domains: ['loja.com.br'] } })
  expect(await read()).toMatchObject({ channel: true, queue: false })
  await as(admin).put(`/whatsapp/${id}`, { queueId })
  expect(await read()).toMatchObject({ queue: true })

  const ticketId = await createTicket(tenant, {})
  await withTenant(tenantId, (tx) =>
    tx.db.update(schema.tickets).set({ firstAnsweredAt: new Date() }).where(eq(schema.tickets.id, ticketId)),
  )
  expect(await read()).toMatchObject({ answered: true })
  for (const colleague of [tenant.agent, tenant.supervisor])
    expect((await as(colleague).get('/dashboard/first-steps')).status).toBe(403)
})

test('who works alone says so, and the team is no step any more', async () => {
  const { tenantId, admin, ...colleagues } = await seedTenant()
  const others = [colleagues.agent.id, colleagues.supervisor.id]
  await withTenant(tenantId, (tx) =>
    tx.db.update(schema.users).set({ deletedAt: new Date() }).where(inArray(schema.users.id, others)),
  )
  const read = async () => (await as(admin).get('/dashboard/first-steps')).body.team
  expect(await read()).toBe(false)
  expect((await as(admin).put('/settings', { worksAlone: true })).status).toBe(200)
  expect(await read()).toBe(true)
})
