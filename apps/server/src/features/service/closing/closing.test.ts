import type { TenantSettings } from '@balcao/contract/people/settings.ts'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createConnection, createContact, createTicket, withTenant, schema } = kit
const { ingest } = await import('../../intake/inbound/inbound.service.ts')
const { closeIdle } = await import('./auto-close.ts')
const { runDueTurns } = await import('../../conversations/turns/turns.loop.ts')

const seedCompany = async (settings: Partial<TenantSettings> = {}, kind: 'webchat' | 'waba' = 'webchat') => {
  const tenant = await seedTenant({ queues: ['Vendas'], settings })
  const { tenantId, agent } = tenant
  const connectionId = await createConnection(tenant, { kind, config: { allowAnyDomain: true } })
  const setConnection = (patch: { farewellMessage?: string; sendEvaluation?: boolean }) =>
    withTenant(tenantId, (tx) =>
      tx.db.update(schema.connections).set(patch).where(eq(schema.connections.id, connectionId)),
    )
  const ticketOf = async (more: Partial<typeof schema.tickets.$inferInsert> = {}, isOpen = true) => {
    const contactId = await createContact(tenant, { name: 'Maria Lima' })
    const id = await createTicket(tenant, {
      queue: 'Vendas',
      connectionId,
      contactId,
      ...(isOpen ? { userId: agent.id } : {}),
    })
    await withTenant(tenantId, (tx) =>
      tx.db
        .update(schema.tickets)
        .set({ unreadMessages: 0, ...more })
        .where(eq(schema.tickets.id, id)),
    )
    return id
  }
  const find = (id: string) =>
    withTenant(tenantId, async (tx) => {
      const [row] = await tx.db.select().from(schema.tickets).where(eq(schema.tickets.id, id))
      return row
    })
  const messagesOf = (id: string) =>
    withTenant(tenantId, (tx) =>
      tx.db.select().from(schema.messages).where(eq(schema.messages.ticketId, id)).orderBy(schema.messages.seq),
    )
  const logsOf = (id: string) =>
    withTenant(tenantId, async (tx) => {
      const rows = await tx.db.select().from(schema.ticketLogs).where(eq(schema.ticketLogs.ticketId, id))
      return rows.map((row) => row.type)
    })
  const close = (id: string, more: object = {}) => as(agent).put(`/tickets/${id}`, { status: 'closed', ...more })
  return { ...tenant, connectionId, setConnection, ticketOf, find, messagesOf, logsOf, close }
}

test('a connection keeps its own farewell and whether it asks for grades; a change of the name touches neither', async () => {
  const { admin } = await seedTenant()
  const made = await as(admin).post('/whatsapp', {
    kind: 'webchat',
    name: 'Site',
    config: { allowAnyDomain: true },
    farewellMessage: 'Até logo, {{firstName}}!',
    sendEvaluation: true,
  })
  expect(made).toMatchObject({
    status: 201,
    body: { farewellMessage: 'Até logo, {{firstName}}!', sendEvaluation: true },
  })
  expect((await as(admin).put(`/whatsapp/${made.body.id}`, { name: 'Loja' })).body).toMatchObject({
    name: 'Loja',
    farewellMessage: 'Até logo, {{firstName}}!',
    sendEvaluation: true,
  })
  const off = await as(admin).put(`/whatsapp/${made.body.id}`, { farewellMessage: '', sendEvaluation: false })
  expect(off.body).toMatchObject({ farewellMessage: '', sendEvaluation: false })
  const wrong = await as(admin).put(`/whatsapp/${made.body.id}`, { farewellMessage: 'Oi {{nome}}' })
  expect(wrong).toMatchObject({ status: 422, body: { details: [{ path: 'farewellMessage' }] } })
})

test('the connection says goodbye when a person closes, unless they chose another message or none', async () => {
  const company = await seedCompany()
  await company.setConnection({ farewellMessage: 'Até logo, {{firstName}}! {{protocol}}' })
  const library = await as(company.admin).post('/farewellPrivateMessage', { name: 'Outra', message: 'Tchau!' })
  const [own, chosen, none, forced] = [
    await company.ticketOf(),
    await company.ticketOf(),
    await company.ticketOf(),
    await company.ticketOf(),
  ]
  await company.close(own)
  await company.close(chosen, { farewellId: library.body.id })
  await company.close(none, { farewellId: null })
  await as(company.admin).put(`/ticketsForce/${forced}`, {})
  const said = async (id: string) =>
    (await company.messagesOf(id)).filter((one) => one.type === 'text').map((one) => [one.sendType, one.body])
  const { protocol } = (await company.find(own)) ?? {}
  expect(await said(own)).toEqual([['farewell', `Até logo, Maria! ${protocol}`]])
  expect(await said(chosen)).toEqual([['farewell', 'Tchau!']])
  expect(await said(none)).toEqual([])
  expect(await said(forced)).toEqual([])
})

test('what goes by itself never holds a closing up: outside the window, and in a group, nothing is said', async () => {
  const company = await seedCompany({}, 'waba')
  await company.setConnection({ farewellMessage: 'Até logo!', sendEvaluation: true })
  const outside = await company.ticketOf({ lastInboundAt: new Date(Date.now() - 25 * 3_600_000) })
  const group = await company.ticketOf({ lastInboundAt: new Date(), isGroup: true })
  for (const id of [outside, group]) {
    expect((await company.close(id)).body.status).toBe('closed')
    expect((await company.messagesOf(id)).map((one) => one.type)).toEqual(['system'])
  }
  const inside = await company.ticketOf({ lastInboundAt: new Date() })
  await company.close(inside)
  expect((await company.messagesOf(inside)).map((one) => one.sendType)).toEqual(['farewell', 'rating', 'chat'])
})

test('the value is kept in cents when a conversation is closed', async () => {
  const company = await seedCompany()
  const id = await company.ticketOf()
  expect((await company.close(id, { value: 123_456 })).body).toMatchObject({ status: 'closed', value: 123_456 })
  expect(await company.logsOf(id)).toEqual(expect.arrayContaining(['value', 'closed']))
})

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

test('the clock closes conversations the customer has left, after saying so, once whatever the number of processes', async () => {
  const company = await seedCompany({
    autoClose: true,
    autoCloseTime: 60,
    autoCloseMessage: 'Até mais, {{firstName}}!',
  })
  await company.setConnection({ farewellMessage: 'não é desta vez' })
  const idle = await company.ticketOf({ lastMessageAt: hoursAgo(2), lastInboundAt: hoursAgo(3) })
  const others = {
    fresh: await company.ticketOf({ lastMessageAt: hoursAgo(0.5) }),
    waiting: await company.ticketOf({ lastMessageAt: hoursAgo(5), waitingSince: hoursAgo(5), answered: false }),
    paused: await company.ticketOf({ lastMessageAt: hoursAgo(5), pausedAt: hoursAgo(4) }),
    group: await company.ticketOf({ lastMessageAt: hoursAgo(5), isGroup: true }),
    pending: await company.ticketOf({ lastMessageAt: hoursAgo(5) }, false),
  }
  const calm = await seedCompany({ autoCloseTime: 60 })
  const off = await calm.ticketOf({ lastMessageAt: hoursAgo(50) })

  await Promise.all([closeIdle(), closeIdle(), closeIdle()])
  await closeIdle()
  expect(await company.find(idle)).toMatchObject({ status: 'closed', userId: company.agent.id })
  const lines = (await company.messagesOf(idle)).map((one) => [one.type, one.body])
  expect(lines).toEqual([
    ['text', 'Até mais, Maria!'],
    ['system', 'Encerrado por falta de resposta: 1 hora sem mensagens.'],
  ])
  expect(await company.logsOf(idle)).toEqual(['autoClose'])
  for (const id of Object.values(others)) expect((await company.find(id))?.status).not.toBe('closed')
  expect((await calm.find(off))?.status).toBe('open')
})

test('what we began and nobody answered is closed without a word', async () => {
  const company = await seedCompany({ autoClose: true, autoCloseTime: 60, autoCloseMessage: 'Até mais!' })
  const begun = await company.ticketOf({ status: 'open', lastMessageAt: hoursAgo(2) }, false)
  await closeIdle()
  expect((await company.find(begun))?.status).toBe('closed')
  expect((await company.messagesOf(begun)).map((one) => one.type)).toEqual(['system'])
})

test('a company with much to close does not keep the others waiting', async () => {
  const [busy, small] = [
    await seedCompany({ autoClose: true, autoCloseTime: 60 }),
    await seedCompany({ autoClose: true, autoCloseTime: 60 }),
  ]
  const many = await Promise.all(Array.from({ length: 60 }, () => busy.ticketOf({ lastMessageAt: hoursAgo(2) })))
  const one = await small.ticketOf({ lastMessageAt: hoursAgo(2) })
  expect(await closeIdle()).toMatchObject({ isMore: true })
  expect((await small.find(one))?.status).toBe('closed')
  await closeIdle()
  expect(new Set(await Promise.all(many.map(async (id) => (await busy.find(id))?.status)))).toEqual(new Set(['closed']))
})

test('the customer’s word for the end closes their conversation, asks for a grade, and opens none when said again', async () => {
  const company = await seedCompany({ closeKeywords: ['Encerrar', 'sair'] })
  await company.setConnection({ sendEvaluation: true, farewellMessage: 'não é de pessoa' })
  await withTenant(company.tenantId, (tx) =>
    tx.db
      .update(schema.connections)
      .set({ queueId: company.queues.Vendas })
      .where(eq(schema.connections.tenantId, company.tenantId)),
  )
  const who = v7()
  const say = async (...bodies: string[]) => {
    await ingest(
      company.tenantId,
      company.connectionId,
      bodies.map((body) => ({
        kind: 'message' as const,
        providerId: `m:${v7()}`,
        from: { identities: [{ kind: 'webchat' as const, value: who }] as const },
        fromMe: false,
        timestamp: new Date(),
        content: { type: 'text' as const, body },
      })),
    )
    await runDueTurns()
  }
  const all = () =>
    withTenant(company.tenantId, (tx) => tx.db.select().from(schema.tickets).orderBy(schema.tickets.createdAt))
  await say('Quero sair de férias')
  await say('sair', 'não, espere')
  const [ticket] = await all()
  expect(ticket?.status).toBe('pending')
  await as(company.agent).put(`/tickets/${ticket?.id}`, { status: 'open', userId: company.agent.id })
  await say('Encerrar!')
  expect(await all()).toMatchObject([{ status: 'closed', unreadMessages: 0 }])
  expect(await company.logsOf(ticket?.id ?? '')).toContain('customerClose')
  expect((await company.messagesOf(ticket?.id ?? '')).map((one) => one.sendType)).toContain('rating')

  await say('5')
  await say('SAIR')
  expect(await all()).toHaveLength(1)
  expect((await company.messagesOf(ticket?.id ?? '')).map((one) => one.body)).toContain('SAIR')
})
