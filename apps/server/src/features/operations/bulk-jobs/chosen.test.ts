import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { createJobs } from '../../core/jobs/jobs.loop.ts'

const { run: runJobs } = createJobs()

const { as, seedTenant, createTicket, schema, withTenant } = await startTestApp()

const finish = async () => {
  while ((await runJobs()).did);
}

test('the conversations an agent chose are changed, and no others: not what is hidden, not of another company', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const me = as(tenant.agent)
  const mine = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, unreadMessages: 2 })
  const other = await createTicket(tenant, { queue: 'Vendas', unreadMessages: 3 })
  const left = await createTicket(tenant, { queue: 'Vendas', unreadMessages: 1 })
  const hidden = await createTicket(tenant, { queue: 'Suporte', unreadMessages: 1 })
  const strange = await createTicket(await seedTenant())
  const unread = async (id: string) => (await as(tenant.admin).get(`/tickets/${id}`)).body.unreadMessages

  const asked = await me.post('/bulkJobs', { kind: 'markRead', ticketIds: [mine, other, hidden, strange] })
  expect(asked).toMatchObject({ status: 202, body: { kind: 'markRead', total: 2 } })
  await finish()
  expect([await unread(mine), await unread(other), await unread(left), await unread(hidden)]).toEqual([0, 0, 1, 1])

  for (const ticketIds of [[hidden], [strange], [v7()]])
    expect((await me.post('/bulkJobs', { kind: 'markRead', ticketIds })).status).toBe(404)
  expect((await me.post('/bulkJobs', { kind: 'markRead', ticketIds: [] })).status).toBe(422)
  expect((await me.post('/bulkJobs', { kind: 'moveChannel', ticketIds: [mine] })).status).toBe(422)
})

test('closing takes the reason the company asks for, transferring a queue, tagging keeps the tags there are', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], settings: { forceReason: true } })
  const me = as(tenant.agent)
  const reasonId = (await as(tenant.admin).post('/reasons', { name: 'Venda' })).body.id
  const [one, two] = [v7(), v7()]
  await withTenant(tenant.tenantId, ({ db }) =>
    db.insert(schema.tags).values([
      { tenantId: tenant.tenantId, id: one, name: 'Um', color: '#111111' },
      { tenantId: tenant.tenantId, id: two, name: 'Dois', color: '#222222' },
    ]),
  )
  const ticketId = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id })
  const ticketIds = [ticketId]
  const ticket = async () => (await as(tenant.admin).get(`/tickets/${ticketId}`)).body
  await me.put(`/tickets/${ticketId}`, { tagIds: [one] })

  await me.post('/bulkJobs', { kind: 'tagTickets', ticketIds, tagIds: [two] })
  await finish()
  expect((await ticket()).tags.map((tag: { name: string }) => tag.name)).toEqual(['Dois', 'Um'])
  await me.post('/bulkJobs', { kind: 'transferQueue', ticketIds, destinationQueueId: tenant.queues.Suporte })
  await finish()
  expect(await ticket()).toMatchObject({ queueId: tenant.queues.Suporte, userId: tenant.agent.id })

  expect((await me.post('/bulkJobs', { kind: 'closeTickets', ticketIds })).body.details).toMatchObject([
    { path: 'reasonId' },
  ])
  for (const body of [
    { kind: 'closeTickets', reasonId: v7() },
    { kind: 'tagTickets', tagIds: [v7()] },
    { kind: 'transferQueue', destinationQueueId: v7() },
  ])
    expect((await me.post('/bulkJobs', { ...body, ticketIds })).status).toBe(422)
  await me.post('/bulkJobs', { kind: 'closeTickets', ticketIds, reasonId })
  await finish()
  expect(await ticket()).toMatchObject({ status: 'closed', reason: { id: reasonId } })
})
