import { eq, sql } from 'drizzle-orm'
import { io } from 'socket.io-client'
import { afterEach, expect, test, vi } from 'vitest'
import { startTestApp, type TestUser } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, app, seedTenant, createTicket, createUser, invalidateDirectory, withTenant, withPlatform, schema } = kit
const { url } = await kit.listen()
const { createJobs } = await import('./jobs.loop.ts')

const conversation = async (messages = 450) => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const ticketId = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id })
  const { tenantId } = tenant
  await withTenant(tenantId, async (tx) => {
    const [ticket] = await tx.db.select().from(schema.tickets).where(eq(schema.tickets.id, ticketId))
    if (!ticket) throw new Error('no ticket')
    const { contactId, connectionId } = ticket
    await tx.db.insert(schema.messages).values(
      Array.from({ length: messages }, (_, n) => ({
        ...{ tenantId, ticketId, contactId, connectionId, fromMe: false, type: 'text' as const },
        ...{ body: `linha ${n}`, status: 'received' as const, timestamp: new Date() },
      })),
    )
  })
  return { ...tenant, ticketId }
}
const ask = async (user: TestUser, ticketId: string, format = 'text') => {
  const { status, body } = await as(user).post(`/exportMessages/${ticketId}`, { format })
  expect(status).toBe(202)
  return body as { id: string; total: number }
}
const jobOf = async (user: TestUser, id: string) => (await as(user).get(`/bulkJobs/${id}`)).body
const fetchResult = (user: TestUser, id: string) =>
  app.inject({ url: `/api/bulkJobs/${id}/result`, headers: { authorization: `Bearer ${user.token}` } })
/** A worker of its own, which goes on by itself until its test ends. */
const workers: ReturnType<typeof createJobs>[] = []
afterEach(async () => {
  await Promise.all(workers.splice(0).map((one) => one.finish()))
})
const work = async () => {
  const jobs = createJobs()
  workers.push(jobs)
  const go = async (): Promise<void> => {
    while ((await jobs.run(() => void go())).did);
  }
  await go()
  return jobs
}
const until = (check: () => Promise<unknown>) => vi.waitFor(check, { timeout: 10_000, interval: 50 })

test('a conversation becomes a file while its progress is told, for whoever asked and may still see it', async () => {
  const { agent, admin, tenantId, ticketId } = await conversation()
  const socket = io(url, { transports: ['websocket'], forceNew: true, auth: { token: admin.token } })
  const told: { id: string; state: string; done: number }[] = []
  socket.on('job.updated', (job) => told.push(job))
  await until(async () => expect(socket.connected).toBe(true))
  const { id, total } = await ask(agent, ticketId)
  expect(total).toBe(450)
  await work()
  await until(async () => expect(await jobOf(agent, id)).toMatchObject({ state: 'done', done: 450, hasResult: true }))
  const file = await fetchResult(agent, id)
  expect(file.headers['content-disposition']).toMatch(/filename="conversa-.+\.txt"/)
  expect(file.body).toContain('linha 449')
  await until(async () => expect(told.filter((one) => one.id === id).at(-1)).toMatchObject({ state: 'done' }))
  socket.disconnect()
  expect((await as(admin).get('/audit?entity=ticket')).body.items).toMatchObject([{ action: 'ticket.exported' }])

  expect((await fetchResult(admin, id)).statusCode).toBe(404) // hers to see, not hers to have
  const [other] = [await seedTenant()]
  expect((await fetchResult(other.admin, id)).statusCode).toBe(404)
  await withTenant(tenantId, (tx) => tx.db.update(schema.tickets).set({ userId: admin.id, queueId: null }))
  expect((await fetchResult(agent, id)).statusCode).toBe(404)
})

test('a process that dies over a file leaves it to another, which begins anew; thrice, and it is given up', async () => {
  const { agent, tenantId, ticketId } = await conversation(3)
  const { id } = await ask(agent, ticketId)
  const die = (begun: string) =>
    withTenant(tenantId, (tx) =>
      tx.db
        .update(schema.bulkJobs)
        .set({ state: 'running', cursor: begun, claimedAt: sql`now() - interval '10 seconds'` })
        .where(eq(schema.bulkJobs.id, id)),
    )
  await die('1')
  await (await work()).finish()
  expect(await jobOf(agent, id)).toMatchObject({ state: 'running' }) // somebody may still have it
  await withTenant(tenantId, (tx) =>
    tx.db.update(schema.bulkJobs).set({ claimedAt: sql`now() - interval '31 seconds'` }),
  )
  await work()
  await until(async () => expect(await jobOf(agent, id)).toMatchObject({ state: 'done', done: 3 }))

  const again = await ask(agent, ticketId)
  await withTenant(tenantId, (tx) =>
    tx.db
      .update(schema.bulkJobs)
      .set({ state: 'running', cursor: '3', claimedAt: sql`now() - interval '31 seconds'` })
      .where(eq(schema.bulkJobs.id, again.id)),
  )
  await work()
  await until(async () => expect(await jobOf(agent, again.id)).toMatchObject({ state: 'failed', hasResult: false }))
})

test('canceled while it is made, it ends within moments and leaves no file; a process that ends gives it back', async () => {
  const { agent, ticketId } = await conversation(2_000)
  const { id } = await ask(agent, ticketId, 'pdf')
  expect((await as(agent).post(`/bulkJobs/${id}/pause`)).status).toBe(409)
  const jobs = await work()
  await until(async () => expect(await jobOf(agent, id)).toMatchObject({ state: 'running', canPause: false }))
  await as(agent).post(`/bulkJobs/${id}/cancel`)
  const beganAt = Date.now()
  await jobs.finish()
  expect(Date.now() - beganAt).toBeLessThan(5_000)
  expect(await jobOf(agent, id)).toMatchObject({ state: 'canceled', hasResult: false })

  const second = await ask(agent, ticketId, 'pdf')
  await (await work()).finish()
  expect(await jobOf(agent, second.id)).toMatchObject({ state: 'pending' })
  await as(agent).post(`/bulkJobs/${second.id}/cancel`)
})

test('the list is one’s own; the company’s for who looks after it, who may end them, on record', async () => {
  const { agent, supervisor, admin, ticketId } = await conversation(1)
  const first = await ask(agent, ticketId)
  const second = await ask(agent, ticketId)
  const mine = (await as(agent).get('/bulkJobs?limit=1')).body
  expect(mine.items).toMatchObject([{ id: second.id, userId: agent.id, subject: expect.any(String) }])
  expect((await as(agent).get(`/bulkJobs?cursor=${mine.nextCursor}`)).body.items).toMatchObject([{ id: first.id }])
  expect((await as(agent).get('/bulkJobs?scope=all')).status).toBe(403)
  expect((await as(supervisor).get(`/bulkJobs/${first.id}`)).status).toBe(404)
  expect((await as(admin).get('/bulkJobs')).body.items).toEqual([])
  expect((await as(admin).get('/bulkJobs?scope=all')).body.items).toHaveLength(2)
  expect((await as((await seedTenant()).admin).get('/bulkJobs?scope=all')).body.items).toEqual([])
  expect((await as(admin).post(`/bulkJobs/${first.id}/cancel`)).body).toMatchObject({ state: 'canceled' })
  expect((await as(admin).get('/audit?entity=bulkJob')).body.items).toMatchObject([
    { action: 'job.canceled', user: { id: admin.id }, after: { name: expect.stringContaining('Exportar conversa') } },
  ])
})

test('the audit becomes a file as long as it is', async () => {
  const { admin, agent } = await conversation(1)
  await as(admin).post('/tags', { name: 'Nova', color: '#112233' })
  expect((await as(agent).post('/audit/export', {})).status).toBe(403)
  const { status, body } = await as(admin).post('/audit/export', { entity: ['tag'] })
  expect(status).toBe(202)
  await work()
  await until(async () => expect(await jobOf(admin, body.id)).toMatchObject({ state: 'done', done: 1, total: 1 }))
  expect((await fetchResult(admin, body.id)).body).toContain('Nova')
})

test('ratings become a file, of the conversations whoever asked sees; the record of the platform does for its people', async () => {
  const { admin, agent } = await conversation(1)
  expect((await as(agent).post('/ticketEvaluations/export', {})).status).toBe(403)
  const asked = await as(admin).post('/ticketEvaluations/export', { grades: [5] })
  expect(asked).toMatchObject({ status: 202, body: { kind: 'exportRatings', total: 0 } })
  expect((await as(admin).get('/audit?entity=rating')).body.items).toMatchObject([{ action: 'rating.exported' }])

  await withPlatform('test', ({ db }) =>
    db.insert(schema.tenants).values({ id: 0, name: 'Plataforma' }).onConflictDoNothing(),
  )
  const superadmin = await createUser(0, { profile: 'superadmin', name: 'Sofia Reis' })
  invalidateDirectory(0)
  await as(superadmin).put(`/tenants/${admin.tenantId}`, { maxUsers: 77 })
  expect((await as(admin).post('/tenantsAudit/export', {})).status).toBe(403)
  const ours = await as(superadmin).post('/tenantsAudit/export', { tenantId: admin.tenantId })
  expect(ours.status).toBe(202)
  await work()
  await until(async () => expect(await jobOf(admin, asked.body.id)).toMatchObject({ state: 'done' }))
  expect((await fetchResult(admin, asked.body.id)).body).toContain('Protocolo;Contato')
  await until(async () => expect(await jobOf(superadmin, ours.body.id)).toMatchObject({ state: 'done' }))
  expect((await fetchResult(superadmin, ours.body.id)).body).toContain('Limite de usuários: ')
  expect((await fetchResult(admin, ours.body.id)).statusCode).toBe(404)
})
