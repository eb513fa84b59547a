import type { TenantSettings } from '@balcao/contract/people/settings.ts'
import { eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createConnection, createContact, createTicket, withTenant, schema } = kit
const { ingest } = await import('../../intake/inbound/inbound.service.ts')
const { sayDueGoodbyes } = await import('../../service/closing/goodbyes.loop.ts')

const seedCompany = async (settings: Partial<TenantSettings> = {}) => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'], settings })
  const { tenantId, agent } = tenant
  const connectionId = await createConnection(tenant, { kind: 'webchat', config: { allowAnyDomain: true } })
  await withTenant(tenantId, (tx) =>
    tx.db
      .update(schema.connections)
      .set({ farewellMessage: 'Até logo!', sendEvaluation: true })
      .where(eq(schema.connections.id, connectionId)),
  )
  const ticketOf = async (more: Partial<typeof schema.tickets.$inferInsert> = {}) => {
    const contactId = await createContact(tenant, { name: 'Maria Lima' })
    const id = await createTicket(tenant, { queue: 'Vendas', connectionId, contactId, userId: agent.id })
    const waitingSince = new Date('2026-01-05T12:00:00Z')
    await withTenant(tenantId, (tx) =>
      tx.db
        .update(schema.tickets)
        .set({ unreadMessages: 2, waitingSince, lastInboundAt: waitingSince, startedAt: waitingSince, ...more })
        .where(eq(schema.tickets.id, id)),
    )
    return { id, contactId }
  }
  const find = (id: string) =>
    withTenant(tenantId, async (tx) => {
      const [row] = await tx.db.select().from(schema.tickets).where(eq(schema.tickets.id, id))
      if (!row) throw new Error('No such ticket')
      return row
    })
  const messagesOf = async (id: string) => {
    const rows = await withTenant(tenantId, (tx) =>
      tx.db.select().from(schema.messages).where(eq(schema.messages.ticketId, id)).orderBy(schema.messages.seq),
    )
    return rows.map((one) => (one.type === 'system' ? 'line' : one.sendType))
  }
  const timeIsOver = async () => {
    await withTenant(tenantId, (tx) =>
      tx.db.update(schema.ticketUndos).set({ dueAt: sql`now() - interval '1 second'` }),
    )
    await Promise.all([sayDueGoodbyes(), sayDueGoodbyes()])
  }
  const put = (id: string, patch: object) => as(agent).put(`/tickets/${id}`, { isUndoable: true, ...patch })
  const undo = (id: string, who = agent) => as(who).post(`/tickets/${id}/undo`, {})
  return { ...tenant, connectionId, ticketOf, find, messagesOf, timeIsOver, put, undo }
}

test('the customer hears of a closing only when it can no longer be taken back, and once', async () => {
  const company = await seedCompany()
  const { id } = await company.ticketOf()
  expect((await company.put(id, { status: 'closed' })).body.status).toBe('closed')
  await sayDueGoodbyes()
  expect(await company.messagesOf(id)).toEqual(['line'])
  await company.timeIsOver()
  expect(await company.messagesOf(id)).toEqual(['line', 'farewell', 'rating'])
  expect(await company.find(id)).toMatchObject({ status: 'closed' })
  expect((await company.undo(id)).body.error).toBe('ERR_UNDO_OVER')
})

test('taken back, a closing leaves the ticket as it was and the customer hears nothing', async () => {
  const company = await seedCompany()
  const { id } = await company.ticketOf()
  const before = await company.find(id)
  await company.put(id, { status: 'closed', value: 5_000 })
  expect(await company.find(id)).toMatchObject({ status: 'closed', waitingSince: null, unreadMessages: 0 })

  const back = await company.undo(id)
  expect(back).toMatchObject({ status: 200, body: { status: 'open', userId: company.agent.id } })
  const { version: _now, lastMessageAt: _at, ...after } = await company.find(id)
  expect(before).toMatchObject(after)
  await company.timeIsOver()
  expect(await company.messagesOf(id)).toEqual(['line', 'line'])
  expect((await company.undo(id)).body.error).toBe('ERR_UNDO_OVER')
})

test('nobody but who did it takes it back, and not from another company', async () => {
  const company = await seedCompany()
  const { id } = await company.ticketOf()
  await company.put(id, { status: 'closed' })
  expect((await company.undo(id, company.admin)).body.error).toBe('ERR_UNDO_OVER')
  const other = await seedTenant()
  expect((await as(other.admin).post(`/tickets/${id}/undo`, {})).status).toBeGreaterThanOrEqual(400)
  expect((await company.find(id)).status).toBe('closed')
})

test('a transfer is taken back from a queue one does not see, unless somebody went on with it', async () => {
  const company = await seedCompany()
  const [seen, taken] = [await company.ticketOf(), await company.ticketOf()]
  const there = { queueId: company.queues.Suporte, isTransference: true }
  await company.put(seen.id, there)
  expect((await company.find(seen.id)).userId).toBeNull()
  expect((await as(company.agent).get(`/tickets/${seen.id}`)).status).toBe(404)
  expect((await company.undo(seen.id)).body).toMatchObject({ status: 'open', queueId: company.queues.Vendas })
  expect(await company.find(seen.id)).toMatchObject({ userId: company.agent.id, unreadMessages: 2 })

  await company.put(taken.id, there)
  await as(company.admin).put(`/tickets/${taken.id}`, { status: 'open' })
  const late = await company.undo(taken.id)
  expect(late).toMatchObject({ status: 409, body: { error: 'ERR_UNDO_OVER' } })
  expect(late.body.message).toContain(company.admin.name)
  expect((await company.find(taken.id)).userId).toBe(company.admin.id)
})

test('a customer who writes before the goodbye begins anew: it cannot be taken back, and nobody says goodbye', async () => {
  const company = await seedCompany()
  const who = v7()
  const say = (body: string) =>
    ingest(company.tenantId, company.connectionId, [
      {
        kind: 'message' as const,
        providerId: `m:${v7()}`,
        from: { identities: [{ kind: 'webchat' as const, value: who }] as const },
        fromMe: false,
        timestamp: new Date(),
        content: { type: 'text' as const, body },
      },
    ])
  const all = () =>
    withTenant(company.tenantId, (tx) => tx.db.select().from(schema.tickets).orderBy(schema.tickets.createdAt))
  await say('Oi')
  const id = (await all())[0]?.id ?? ''
  await as(company.admin).put(`/tickets/${id}`, { status: 'open', userId: company.agent.id })
  await as(company.admin).put(`/tickets/${id}`, { queueId: company.queues.Vendas })
  await company.put(id, { status: 'closed' })
  await say('Só mais uma coisa')
  expect((await all()).map((one) => one.status)).toEqual(['closed', 'pending'])
  const late = await company.undo(id)
  expect(late).toMatchObject({ status: 409, body: { error: 'ERR_UNDO_OVER' } })
  expect(late.body.message).toContain('novo atendimento')
  await company.timeIsOver()
  expect(await company.messagesOf(id)).not.toContain('farewell')
})

test('reopened by somebody before the time is over, nobody is said goodbye', async () => {
  const company = await seedCompany()
  const { id } = await company.ticketOf()
  await company.put(id, { status: 'closed' })
  await as(company.admin).put(`/tickets/${id}`, { status: 'open' })
  await company.timeIsOver()
  expect(await company.messagesOf(id)).not.toContain('farewell')
  expect((await company.find(id)).status).toBe('open')
})
