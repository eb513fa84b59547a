import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { type OutboxEvent, onCommittedEvents } from '../../../kit/outbox.ts'

const { as, seedTenant, createConnection, createContact, createTicket, schema, withTenant } = await startTestApp()

const events: OutboxEvent[] = []
onCommittedEvents((committed) => events.push(...committed))

type Tenant = Awaited<ReturnType<typeof seedTenant>>
const seedCompany = async (settings: { forceReason?: boolean; signed?: boolean } = {}) => {
  const tenant = await seedTenant({ queues: ['Vendas'], settings })
  const reason = await as(tenant.admin).post('/reasons', { name: 'Venda concluída' })
  const message = '{{greeting}}, {{firstName}}! Seu protocolo é {{protocol}}. {{user}}'
  const farewell = await as(tenant.admin).post('/farewellPrivateMessage', { name: 'Padrão', message })
  expect([reason.status, farewell.status]).toEqual([201, 201])
  return { ...tenant, reasonId: String(reason.body.id), farewellId: String(farewell.body.id) }
}
const ticketOf = (tenant: Tenant, more: object = {}) =>
  createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, ...more })
const closing = { status: 'closed' }
const field = (path: string, message: string) => ({
  status: 422,
  body: { error: 'ERR_VALIDATION', details: [{ path, message }] },
})
const messagesOf = async (tenant: Tenant, ticketId: string) =>
  withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.messages).where(eq(schema.messages.ticketId, ticketId)).orderBy(schema.messages.seq),
  )

test('where the company asks for a reason, closing waits for one; the history keeps its name', async () => {
  const tenant = await seedCompany({ forceReason: true })
  const { agent, reasonId } = tenant
  const id = await ticketOf(tenant)
  const missing = field('reasonId', 'Escolha o motivo do encerramento.')
  expect(await as(agent).put(`/tickets/${id}`, closing)).toMatchObject(missing)
  expect(await as(agent).put(`/tickets/${id}`, { ...closing, reasonId: null })).toMatchObject(missing)
  expect((await as(agent).get(`/tickets/${id}`)).body.status).toBe('open')

  const closed = await as(agent).put(`/tickets/${id}`, { ...closing, reasonId })
  expect(closed).toMatchObject({
    status: 200,
    body: { status: 'closed', reason: { id: reasonId, name: 'Venda concluída' } },
  })
  const [log] = (await as(agent).get(`/tickets/${id}/logs`)).body.items
  expect(log).toMatchObject({ type: 'closed', note: 'Venda concluída' })
  expect(await messagesOf(tenant, id)).toMatchObject([
    { type: 'system', body: 'Ana Souza encerrou o atendimento. Motivo: Venda concluída' },
  ])
  const listed = await as(agent).get('/tickets?status=closed&showAll=true')
  expect(listed.body.items[0].reason).toEqual({ id: reasonId, name: 'Venda concluída' })
})

test('a company without a reason to choose is not held back by the setting', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'], settings: { forceReason: true } })
  const id = await ticketOf(tenant)
  expect((await as(tenant.agent).put(`/tickets/${id}`, closing)).status).toBe(200)
})

test('a reason that is not there, is inactive or is of another company closes nothing', async () => {
  const [tenant, other] = [await seedCompany(), await seedCompany()]
  const { agent, admin, reasonId } = tenant
  const id = await ticketOf(tenant)
  const close = (more: object) => as(agent).put(`/tickets/${id}`, { ...closing, ...more })
  expect(await close({ reasonId: v7() })).toMatchObject(field('reasonId', 'Motivo não encontrado.'))
  expect(await close({ reasonId: other.reasonId })).toMatchObject(field('reasonId', 'Motivo não encontrado.'))
  const unknown = field('farewellId', 'Mensagem de fechamento não encontrada.')
  expect(await close({ farewellId: other.farewellId })).toMatchObject(unknown)
  await as(admin).put(`/reasons/${reasonId}`, { isActive: false })
  expect(await close({ reasonId })).toMatchObject(field('reasonId', 'Este motivo está inativo.'))
  const early = field('reasonId', 'Só é possível escolher ao encerrar o atendimento.')
  expect(await as(agent).put(`/tickets/${id}`, { unreadMessages: 0, reasonId })).toMatchObject(early)
  expect((await as(agent).get(`/tickets/${id}`)).body).toMatchObject({ status: 'open', reason: null })
})

test('a reason deleted a moment ago in another process is told as such', async () => {
  const tenant = await seedCompany()
  const id = await ticketOf(tenant)
  await as(tenant.agent).get(`/tickets/${id}`)
  await withTenant(tenant.tenantId, ({ db }) => db.delete(schema.reasons).where(eq(schema.reasons.id, tenant.reasonId)))
  const reply = await as(tenant.agent).put(`/tickets/${id}`, { ...closing, reasonId: tenant.reasonId })
  expect(reply).toMatchObject(field('reasonId', 'O que foi escolhido não existe mais. Escolha de novo.'))
})

test('a reason that closed something is not deleted', async () => {
  const tenant = await seedCompany()
  const id = await ticketOf(tenant)
  await as(tenant.agent).put(`/tickets/${id}`, { ...closing, reasonId: tenant.reasonId })
  expect(await as(tenant.admin).delete(`/reasons/${tenant.reasonId}`)).toMatchObject({
    status: 409,
    body: { error: 'ERR_REASON_IN_USE' },
  })
})

test('the closing message is queued once, before the end, and does not open the ticket again', async () => {
  const tenant = await seedCompany({ signed: true })
  const { agent, reasonId, farewellId } = tenant
  const contactId = await createContact(tenant, { name: 'Júlia Prado' })
  const id = await ticketOf(tenant, { contactId })
  const { protocol } = (await as(agent).get(`/tickets/${id}`)).body
  events.length = 0
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => as(agent).put(`/tickets/${id}`, { ...closing, reasonId, farewellId })),
  )
  expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 409, 409, 409, 409])

  const [sent, line, ...rest] = await messagesOf(tenant, id)
  expect(rest).toEqual([])
  expect(sent).toMatchObject({ type: 'text', status: 'queued', fromMe: true, userId: agent.id })
  expect(sent?.body).toMatch(
    new RegExp(`^(Olá|Bom dia|Boa tarde|Boa noite), Júlia! Seu protocolo é ${protocol}\\. Ana Souza$`),
  )
  expect(line?.type).toBe('system')
  expect(events.map((event) => event.name)).toEqual(['message.created', 'ticket.updated', 'message.created'])
  const after = (await as(agent).get(`/tickets/${id}`)).body
  expect(after).toMatchObject({ status: 'closed', answered: true, waitingSince: null, unreadMessages: 0 })
  expect(after.lastMessage).toContain('Seu protocolo')
  expect(replies.find((reply) => reply.status === 200)?.body.version).toBe(after.version)
})

test('a waiting customer is told too; a text that comes out empty is not sent', async () => {
  const tenant = await seedCompany()
  const { agent, farewellId } = tenant
  const waiting = await createTicket(tenant, { queue: 'Vendas' })
  expect((await as(agent).put(`/tickets/${waiting}`, { ...closing, farewellId })).status).toBe(200)
  expect((await messagesOf(tenant, waiting)).map((row) => row.type)).toEqual(['text', 'system'])

  const empty = await as(tenant.admin).post('/farewellPrivateMessage', { name: 'Vazia', message: '{{email}}' })
  const id = await ticketOf(tenant)
  const reply = await as(agent).put(`/tickets/${id}`, { ...closing, farewellId: empty.body.id })
  expect(reply).toMatchObject({ status: 422, body: { details: [{ path: 'farewellId' }] } })
  expect(await messagesOf(tenant, id)).toEqual([])
})

test('outside the 24 hours of WhatsApp the message is refused whole; without it the ticket closes', async () => {
  const tenant = await seedCompany()
  const { agent, reasonId, farewellId } = tenant
  const connectionId = await createConnection(tenant, { kind: 'waba' })
  const id = await ticketOf(tenant, { connectionId })
  const message = 'A janela de 24 horas do WhatsApp terminou. Encerre sem mensagem de fechamento.'
  expect(await as(agent).put(`/tickets/${id}`, { ...closing, reasonId, farewellId })).toMatchObject({
    status: 409,
    body: { error: 'ERR_WINDOW_CLOSED', message, details: [{ path: 'farewellId', message }] },
  })
  expect(await messagesOf(tenant, id)).toEqual([])
  expect((await as(agent).get(`/tickets/${id}`)).body).toMatchObject({ status: 'open', reason: null })
  expect((await as(agent).put(`/tickets/${id}`, { ...closing, reasonId })).status).toBe(200)

  const fresh = await ticketOf(tenant, { connectionId })
  await withTenant(tenant.tenantId, ({ db }) =>
    db.update(schema.tickets).set({ lastInboundAt: new Date() }).where(eq(schema.tickets.id, fresh)),
  )
  expect((await as(agent).put(`/tickets/${fresh}`, { ...closing, farewellId })).status).toBe(200)
})

test('supervisors and administrators close without a reason, agents do not', async () => {
  const tenant = await seedCompany({ forceReason: true })
  const other = await seedCompany()
  for (const [by, status] of [
    [tenant.agent, 403],
    [tenant.supervisor, 200],
    [tenant.admin, 200],
    [other.admin, 404],
  ] as const) {
    const id = await ticketOf(tenant)
    const reply = await as(by).put(`/ticketsForce/${id}`, { status: 'closed' })
    expect(reply.status).toBe(status)
    if (status !== 200) continue
    expect(reply.body).toMatchObject({ status: 'closed', reason: null, userId: tenant.agent.id })
    const [log] = (await as(by).get(`/tickets/${id}/logs`)).body.items
    expect(log).toMatchObject({ type: 'closed', note: 'Sem motivo', user: { id: by.id } })
    expect((await as(by).put(`/ticketsForce/${id}`)).body.error).toBe('ERR_INVALID_TRANSITION')
  }
})

test('opened again, a conversation has no reason', async () => {
  const tenant = await seedCompany()
  const { agent, reasonId } = tenant
  const id = await ticketOf(tenant)
  await as(agent).put(`/tickets/${id}`, { ...closing, reasonId })
  const reopened = await as(agent).put(`/tickets/${id}`, { status: 'open', userId: agent.id })
  expect(reopened.body).toMatchObject({ status: 'open', reason: null })
  expect((await as(agent).put(`/tickets/${id}`, closing)).body).toMatchObject({ status: 'closed', reason: null })
})
