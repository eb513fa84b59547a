import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { type OutboxEvent, onCommittedEvents } from '../../../kit/outbox.ts'
import { createJobs } from '../../core/jobs/jobs.loop.ts'
import { runStep } from '../../core/jobs/run-step.ts'
import { sweepJobs } from '../../core/jobs/sweep.ts'

const { run: runJobs } = createJobs()

const kit = await startTestApp()
const { as, seedTenant, createUser, createContact, createConnection, createTicket, schema, withTenant } = kit

const events: OutboxEvent[] = []
onCommittedEvents((committed) => events.push(...committed))
type Tenant = Awaited<ReturnType<typeof seedTenant>>
const many = (tenant: Tenant, count: number, more: Parameters<typeof createTicket>[1] = {}) =>
  Promise.all(Array.from({ length: count }, () => createTicket(tenant, { queue: 'Vendas', ...more })))
const ticketsOf = (tenant: Tenant) => withTenant(tenant.tenantId, ({ db }) => db.select().from(schema.tickets))
const finish = async () => {
  while ((await runJobs()).did);
}
const jobOf = async (user: { token: string }, id: string) => (await as(user).get(`/bulkJobs/${id}`)).body
const countOf = async (tenant: Tenant, status: string) =>
  (await ticketsOf(tenant)).filter((one) => one.status === status).length

test('all that is open in a queue is closed, step by step, and whoever asked watches', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], settings: { forceReason: true } })
  await as(tenant.admin).post('/reasons', { name: 'Venda' })
  await many(tenant, 60, { userId: tenant.agent.id })
  await many(tenant, 3)
  await many(tenant, 2, { userId: tenant.agent.id, queue: 'Suporte' })
  const me = as(tenant.supervisor)
  const count = await me.get(`/bulkJobs/count?kind=closeTickets&status=open&queueId=${tenant.queues.Vendas}`)
  expect(count.body).toEqual({ count: 60 })
  const asked = await me.post('/closeAllOpen', { queueId: tenant.queues.Vendas })
  expect(asked).toMatchObject({ status: 202, body: { kind: 'closeTickets', state: 'pending', total: 60, done: 0 } })
  await finish()
  expect(await jobOf(tenant.supervisor, asked.body.id)).toMatchObject({ state: 'done', total: 60, done: 60, failed: 0 })
  expect([await countOf(tenant, 'closed'), await countOf(tenant, 'open'), await countOf(tenant, 'pending')]).toEqual([
    60, 2, 3,
  ])
  const told = events.filter((event) => (event.payload as { id?: string }).id === asked.body.id)
  expect(told.map((event) => (event.payload as { done: number }).done)).toEqual([0, 25, 50, 60, 60])
  const whom = { kind: 'permission', can: 'jobs.supervise', userId: tenant.supervisor.id }
  expect(told.map(({ audience }) => audience)).toEqual(told.map(() => whom))
  const listed = (await me.get('/bulkJobs')).body.items
  expect(listed).toHaveLength(1)
  expect((await as(tenant.admin).get('/bulkJobs')).body.items).toEqual([])
  expect((await as(tenant.admin).get('/audit?entity=bulkJob')).body.items[0]).toMatchObject({
    action: 'bulk.closeTickets',
  })
})

test('a runner that dies in the middle leaves whole steps; another goes on, and nothing is done twice', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  await many(tenant, 80, { userId: tenant.agent.id })
  const { id } = (await as(tenant.admin).post('/closeAllOpen', {})).body
  await runStep(tenant.tenantId, id)
  // A step that is killed before its commit has never been.
  await withTenant(tenant.tenantId, async (tx) => {
    await tx.db.select().from(schema.bulkJobs).where(eq(schema.bulkJobs.id, id)).for('update')
    expect(await runStep(tenant.tenantId, id)).toBe(false) // somebody has it
    throw new Error('killed')
  }).catch(() => {})
  expect(await jobOf(tenant.admin, id)).toMatchObject({ state: 'running', done: 25 })

  const first = await startTestWorkers('jobs')
  await first.stop()
  const second = await startTestWorkers('jobs')
  await expect.poll(async () => (await jobOf(tenant.admin, id)).state, { timeout: 10_000 }).toBe('done')
  await second.stop()
  expect(await jobOf(tenant.admin, id)).toMatchObject({ done: 80, failed: 0, total: 80 })
  const logs = await withTenant(tenant.tenantId, ({ db }) => db.select().from(schema.ticketLogs))
  expect(logs.filter((log) => log.type === 'closed')).toHaveLength(80)
})

test('two runners at once share the work of several jobs and do each conversation once', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'] })
  await many(tenant, 60, { userId: tenant.agent.id })
  await many(tenant, 60, { queue: 'Suporte' })
  await as(tenant.admin).post('/closeAllOpen', {})
  await as(tenant.admin).post('/closeAllPending', {})
  for (let busy = true; busy; ) busy = (await Promise.all([runJobs(), runJobs()])).some(({ did }) => did > 0)
  await finish()
  const jobs = (await as(tenant.admin).get('/bulkJobs')).body.items
  expect(jobs).toMatchObject([
    { state: 'done', done: 60 },
    { state: 'done', done: 60 },
  ])
  const logs = await withTenant(tenant.tenantId, ({ db }) => db.select().from(schema.ticketLogs))
  expect(logs.filter((log) => log.type === 'closed')).toHaveLength(120)
})

test('a job is cancelled by whoever asked, after the step under way; what was done stays done', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  await many(tenant, 40)
  const { id } = (await as(tenant.admin).post('/closeAllPending', {})).body
  await runStep(tenant.tenantId, id)
  expect(await as(tenant.supervisor).post(`/bulkJobs/${id}/cancel`)).toMatchObject({ status: 404 })
  expect((await as(tenant.admin).post(`/bulkJobs/${id}/cancel`)).body).toMatchObject({ state: 'canceled', done: 25 })
  await finish()
  expect(await countOf(tenant, 'closed')).toBe(25)
  expect((await as(tenant.admin).post(`/bulkJobs/${id}/cancel`)).body.state).toBe('canceled')
})

test('a job is paused and goes on where it stood; who asked alone may do so', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  await many(tenant, 40)
  const { id } = (await as(tenant.admin).post('/closeAllPending', {})).body
  await runStep(tenant.tenantId, id)
  expect(await as(tenant.supervisor).post(`/bulkJobs/${id}/pause`)).toMatchObject({ status: 404 })
  expect((await as(tenant.admin).post(`/bulkJobs/${id}/pause`)).body).toMatchObject({ state: 'paused', done: 25 })
  await finish()
  expect(await countOf(tenant, 'closed')).toBe(25)
  expect((await as(tenant.admin).post(`/bulkJobs/${id}/resume`)).body).toMatchObject({ state: 'pending', done: 25 })
  await finish()
  expect(await jobOf(tenant.admin, id)).toMatchObject({ state: 'done', done: 40, total: 40 })
  expect((await as(tenant.admin).post(`/bulkJobs/${id}/resume`)).body.state).toBe('done')
})

test('contacts become a file, page by page, for whoever asked and still may', async () => {
  const tenant = await seedTenant()
  const number = (n: number) => `55119${String(70000000 + n)}`
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.insert(schema.contacts).values(
      Array.from({ length: 2_300 }, (_, n) => ({
        ...{ tenantId: tenant.tenantId, id: v7(), number: number(n) },
        name: `Cliente ${String(n).padStart(4, '0')}`,
      })),
    ),
  )
  expect(await as(tenant.agent).post('/contacts/export')).toMatchObject({ status: 403 })
  const asked = await as(tenant.admin).post('/contacts/export', { sort: 'name' })
  expect(asked).toMatchObject({ status: 202, body: { kind: 'exportContacts', total: 2_300, hasResult: false } })
  const { id } = asked.body
  const file = (user: { token: string }) => as(user).get(`/bulkJobs/${id}/result`)
  expect(await file(tenant.admin)).toMatchObject({ status: 404 })
  await runStep(tenant.tenantId, id)
  await finish()
  expect(await jobOf(tenant.admin, id)).toMatchObject({ state: 'done', done: 2_300, hasResult: true })
  const lines = String((await file(tenant.admin)).body)
    .trim()
    .split('\r\n')
  expect(lines).toHaveLength(2_301)
  expect(lines[0]).toMatch(/^\uFEFF?Nome;Telefone/)
  expect(new Set(lines.slice(1).map((line) => line.split(';')[0])).size).toBe(2_300)
  expect(await file(tenant.supervisor)).toMatchObject({ status: 404 })
  expect((await as(tenant.admin).get('/audit?entity=contact')).body.items[0]).toMatchObject({
    action: 'contact.exported',
  })

  const weekAgo = new Date(Date.now() - 8 * 24 * 3_600_000)
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.bulkJobs).set({ finishedAt: weekAgo }).where(eq(schema.bulkJobs.id, id)),
  )
  await sweepJobs()
  expect(await jobOf(tenant.admin, id)).toMatchObject({ hasResult: false })
  expect(await file(tenant.admin)).toMatchObject({ status: 404 })
})

test('conversations of a channel move to another; who cannot be moved is counted', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const [from, to] = [
    await createConnection(tenant, { kind: 'waba' }),
    await createConnection(tenant, { kind: 'waba', name: 'Novo' }),
  ]
  const reachable = await createContact(tenant, { number: '5511987650201' })
  const served = await createContact(tenant, { number: '5511987650202' })
  const moved = await createTicket(tenant, { contactId: reachable, connectionId: from, queue: 'Vendas' })
  await createTicket(tenant, { connectionId: from }) // no phone
  await createTicket(tenant, { contactId: served, connectionId: from })
  await createTicket(tenant, { contactId: served, connectionId: to })
  const me = as(tenant.admin)
  const move = (body: object) => me.put('/ticketsChannel', { whatsappId: from, newWhatsappId: to, ...body })
  expect(await move({ tenantId: tenant.tenantId + 1 })).toMatchObject({ status: 422 })
  expect(await move({ newChannel: 'telegram' })).toMatchObject({ status: 422 })
  expect(await move({ newWhatsappId: from })).toMatchObject({ status: 422 })
  expect(await move({ newWhatsappId: v7() })).toMatchObject({ status: 404 })
  const { id } = (await move({ channel: 'waba', processAll: true, limit: 10 })).body
  await finish()
  expect(await jobOf(tenant.admin, id)).toMatchObject({ state: 'done', total: 3, done: 1, failed: 2 })
  const reasons = (await me.get(`/bulkJobs/${id}/refusals`)).body as { reason: string; count: number }[]
  expect(reasons.map(({ count }) => count)).toEqual([1, 1])
  expect(reasons.map(({ reason }) => reason).join()).toContain('atendimento')
  expect((await me.get(`/tickets/${moved}`)).body).toMatchObject({ whatsappId: to, whatsapp: { name: 'Novo' } })
})

test('a queue is emptied into another: whoever attends goes on attending, unless somebody is named', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'] })
  const [open] = await many(tenant, 1, { userId: tenant.agent.id })
  const [waiting] = await many(tenant, 1)
  const me = as(tenant.admin)
  const transfer = (body: object) =>
    me.post('/ticketsTransferBetweenQueues', {
      sourceQueueId: tenant.queues.Vendas,
      destinationQueueId: tenant.queues.Suporte,
      ...body,
    })
  expect(await transfer({ destinationQueueId: tenant.queues.Vendas })).toMatchObject({ status: 422 })
  expect(await transfer({ sourceQueueId: v7() })).toMatchObject({ status: 422 })
  expect(await transfer({ userId: v7() })).toMatchObject({ status: 422 })
  await transfer({})
  await finish()
  const inSupport = { queueId: tenant.queues.Suporte }
  expect((await me.get(`/tickets/${open}`)).body).toMatchObject({
    ...inSupport,
    status: 'open',
    userId: tenant.agent.id,
  })
  expect((await me.get(`/tickets/${waiting}`)).body).toMatchObject({ ...inSupport, status: 'pending', userId: null })
  const colleague = await createUser(tenant.tenantId)
  const back = { sourceQueueId: tenant.queues.Suporte, destinationQueueId: tenant.queues.Vendas, userId: colleague.id }
  await transfer(back)
  await finish()
  expect((await me.get(`/tickets/${waiting}`)).body).toMatchObject({ status: 'open', userId: colleague.id })
})

test('everything one sees is marked as read, by either call of the spec', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const [seen] = await many(tenant, 1, { unreadMessages: 4 })
  const [unseen] = await many(tenant, 1, { queue: 'Suporte', unreadMessages: 2 })
  expect((await as(tenant.agent).get('/ticketsMarkAllUnread')).status).toBe(403)
  const inSales = `queueId=${tenant.queues.Vendas}`
  expect((await as(tenant.supervisor).get(`/ticketsMarkAllUnread?${inSales}`)).body).toMatchObject({
    kind: 'markRead',
    total: 1,
  })
  await finish()
  const unread = async (id = '') => (await as(tenant.admin).get(`/tickets/${id}`)).body.unreadMessages
  expect([await unread(seen), await unread(unseen)]).toEqual([0, 2])
  const filtered = await as(tenant.admin).put('/ticketsUpdateAllUnreadMessages', { queueId: tenant.queues.Vendas })
  expect(filtered.body.total).toBe(0)
  await as(tenant.admin).put('/ticketsUpdateAllUnreadMessages')
  await finish()
  expect(await unread(unseen)).toBe(0)
  const logs = await withTenant(tenant.tenantId, ({ db }) => db.select().from(schema.ticketLogs))
  expect(logs).toEqual([])
})

test('agents cannot ask for what moves many; another company’s places are not found', async () => {
  const [tenant, other] = [await seedTenant({ queues: ['Vendas'] }), await seedTenant({ queues: ['Vendas'] })]
  for (const path of ['/closeAllOpen', '/closeAllPending'])
    expect(await as(tenant.agent).post(path)).toMatchObject({ status: 403 })
  const contactId = await createContact(other)
  expect(await as(tenant.agent).post('/closeAllContactTickets', { contactId })).toMatchObject({ status: 403 })
  expect(await as(tenant.admin).post('/closeAllContactTickets', { contactId })).toMatchObject({ status: 404 })
  expect(await as(tenant.admin).post('/closeAllOpen', { queueId: other.queues.Vendas })).toMatchObject({ status: 422 })
  const { id } = (await as(other.admin).post('/closeAllOpen', {})).body
  expect(await as(tenant.admin).get(`/bulkJobs/${id}`)).toMatchObject({ status: 404 })
})

test('who has lost their access no longer acts through a job', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  await many(tenant, 2)
  const { id } = (await as(tenant.supervisor).post('/closeAllPending', {})).body
  await withTenant(tenant.tenantId, ({ db }) =>
    db.update(schema.users).set({ isBlocked: true }).where(eq(schema.users.id, tenant.supervisor.id)),
  )
  kit.invalidateDirectory(tenant.tenantId)
  await finish()
  const [row] = await withTenant(tenant.tenantId, ({ db }) =>
    db.select().from(schema.bulkJobs).where(eq(schema.bulkJobs.id, id)),
  )
  expect(row).toMatchObject({ state: 'failed', done: 0 })
  expect(await countOf(tenant, 'pending')).toBe(2)
})

test('all conversations of a contact are closed', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const contactId = await createContact(tenant)
  for (let n = 0; n < 3; n += 1) await createTicket(tenant, { contactId })
  await createTicket(tenant, {})
  const { total } = (await as(tenant.admin).post('/closeAllContactTickets', { contactId })).body
  await finish()
  expect([total, await countOf(tenant, 'closed'), await countOf(tenant, 'pending')]).toEqual([3, 3, 1])
})

test('jobs that ended more than thirty days ago are swept away, what is under way never', async () => {
  const { tenantId, admin } = await seedTenant()
  const long = new Date(Date.now() - 31 * 86_400_000)
  const job = { tenantId, kind: 'markRead' as const, params: {}, userId: admin.id, createdAt: long }
  await withTenant(tenantId, ({ db }) =>
    db.insert(schema.bulkJobs).values([
      { ...job, state: 'done', finishedAt: long },
      { ...job, state: 'canceled', finishedAt: long },
      { ...job, state: 'failed', finishedAt: new Date() },
      { ...job, state: 'running' },
    ]),
  )
  await sweepJobs()
  const left = await withTenant(tenantId, ({ db }) => db.select().from(schema.bulkJobs))
  expect(left.map((one) => one.state).sort()).toEqual(['failed', 'running'])
  await withTenant(tenantId, ({ db }) => db.delete(schema.bulkJobs))
})
