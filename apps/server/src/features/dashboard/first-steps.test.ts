import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/kit.ts'

const { as, seedTenant, createTicket, schema, withTenant } = await startTestApp()

test('the first steps of a company are ticked as they are done, and are its administrators’ alone', async () => {
  const tenant = await seedTenant()
  const { tenantId, admin } = tenant
  const read = async () => (await as(admin).get('/dashboard/first-steps')).body
  expect(await read()).toEqual({ channel: false, queue: false, team: true, answered: false, webchatId: null })

  const chat = await as(admin).post('/whatsapp', { kind: 'webchat', name: 'Site', config: {} })
  expect(await read()).toMatchObject({ channel: false, webchatId: chat.body.id })
  await as(admin).put(`/whatsapp/${chat.body.id}`, { config: { domains: ['loja.com.br'] } })
  expect(await read()).toMatchObject({ channel: true })

  const queueId = (await as(admin).post('/queue', { name: 'Vendas', color: '#0b7a75' })).body.id
  expect(await read()).toMatchObject({ queue: false })
  await withTenant(tenantId, (tx) => tx.db.insert(schema.queueMembers).values({ tenantId, queueId, userId: admin.id }))
  expect(await read()).toMatchObject({ queue: true })

  const ticketId = await createTicket(tenant, {})
  await withTenant(tenantId, (tx) =>
    tx.db.update(schema.tickets).set({ firstAnsweredAt: new Date() }).where(eq(schema.tickets.id, ticketId)),
  )
  expect(await read()).toMatchObject({ answered: true })
  for (const colleague of [tenant.agent, tenant.supervisor])
    expect((await as(colleague).get('/dashboard/first-steps')).status).toBe(403)
})
