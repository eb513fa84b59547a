import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createUser, createTicket, withPlatform, schema } = kit
const { eq, and } = await import('drizzle-orm')

const told = (tenantId: number, name: 'ticket.notice' | 'ticket.marked') =>
  withPlatform('test', async ({ db }) => {
    const { outbox } = schema
    const where = and(eq(outbox.tenantId, tenantId), eq(outbox.name, name))
    const rows = await db.select().from(outbox).where(where).orderBy(outbox.seq)
    return rows.map(({ payload, audience }) => ({ payload, audience }))
  })

test('a mark is one’s own, what is left out stays, and other windows hear of it', async () => {
  const tenant = await seedTenant()
  const ticketId = await createTicket(tenant)
  const mark = (body: object) => as(tenant.agent).put(`/tickets/${ticketId}/marks`, body)

  expect((await mark({ isPinned: true })).body).toEqual({ ticketId, isPinned: true, isFollowed: false })
  expect((await mark({ isFollowed: true })).body).toEqual({ ticketId, isPinned: true, isFollowed: true })
  expect((await as(tenant.agent).get('/ticketMarks')).body).toEqual({
    items: [{ ticketId, isPinned: true, isFollowed: true }],
  })
  expect((await as(tenant.admin).get('/ticketMarks')).body.items).toEqual([])
  await mark({ isPinned: false, isFollowed: false })
  expect((await as(tenant.agent).get('/ticketMarks')).body.items).toEqual([])
  expect((await told(tenant.tenantId, 'ticket.marked')).at(-1)).toEqual({
    payload: { ticketId, isPinned: false, isFollowed: false },
    audience: { kind: 'user', userId: tenant.agent.id },
  })
  expect((await mark({ isPinned: 'x' })).status).toBe(422)
  expect((await mark({ other: true })).status).toBe(422)
})

test('what one may not see cannot be marked', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'], agentIn: [] })
  const hidden = await createTicket(tenant, { queue: 'Vendas' })
  for (const id of [hidden, v7(), await createTicket(await seedTenant())])
    expect((await as(tenant.agent).put(`/tickets/${id}/marks`, { isPinned: true })).status).toBe(404)
})

test('twenty pins at most; a closed one gives its place back', async () => {
  const tenant = await seedTenant()
  const ids: string[] = []
  for (let n = 0; n < 21; n += 1) ids.push(await createTicket(tenant))
  const pin = (id: string | undefined) => as(tenant.agent).put(`/tickets/${id}/marks`, { isPinned: true })
  for (const id of ids.slice(0, 20)) expect((await pin(id)).status).toBe(200)
  expect((await pin(ids[20])).body).toMatchObject({ error: 'ERR_TOO_MANY_PINS' })
  expect((await pin(ids[0])).status).toBe(200)
  expect((await as(tenant.agent).put(`/tickets/${ids[20]}/marks`, { isFollowed: true })).status).toBe(200)
  await as(tenant.agent).put(`/tickets/${ids[3]}`, { status: 'closed' })
  expect((await pin(ids[20])).status).toBe(200)
})

test('followers hear when it changes hands, ends and begins again; not who did it, nor who is handed it', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'] })
  const { tenantId, admin, supervisor, agent } = tenant
  const blind = await createUser(tenantId, { queueIds: [tenant.queues.Vendas ?? ''] })
  const ticketId = await createTicket(tenant, { queue: 'Vendas', userId: supervisor.id })
  for (const person of [admin, supervisor, agent, blind])
    expect((await as(person).put(`/tickets/${ticketId}/marks`, { isFollowed: true })).status).toBe(200)
  const change = (body: object) => as(supervisor).put(`/tickets/${ticketId}`, body)

  await change({ priority: 'high' })
  await change({ unreadMessages: 1 })
  await change({ queueId: tenant.queues.Suporte, userId: agent.id, isTransference: true })
  await as(agent).put(`/tickets/${ticketId}`, { status: 'closed' })
  await change({ status: 'open' })

  const notices = await told(tenantId, 'ticket.notice')
  expect(notices.map((one) => one.payload)).toMatchObject([
    { ticketId, kind: 'followed', text: 'Bruna Lima transferiu o atendimento de João da Silva para Ana Souza.' },
    { text: 'Ana Souza encerrou o atendimento de João da Silva.' },
    { text: 'Bruna Lima reabriu o atendimento de João da Silva.' },
  ])
  const heard = notices.map(({ audience }) => (audience.kind === 'users' ? audience.userIds.toSorted() : []))
  // The agent is handed it, then closes it; `blind` is not in the queue it went to.
  expect(heard).toEqual([[admin.id], [admin.id, supervisor.id].toSorted(), [admin.id, agent.id].toSorted()])
})
