import { ticketsOfInbox } from '@balcao/contract/conversations/ticket-row.ts'
import { and, desc, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { startWaba, until } from './test-waba.ts'

const kit = await startTestApp()
const { as, seedTenant, createContact, createTicket, createUser, withTenant, schema } = kit
const { findConnection } = await import('../../channels/connections/context.ts')
const { receiveStatuses } = await import('../../intake/inbound/receive-statuses.ts')

const tenant = await seedTenant()
const { agent, admin } = tenant
const { sim, connectionId } = await startWaba(kit, tenant)
sim.policy.hasWindow = false
sim.setWebhook(undefined)
beforeAll(async () => (await startTestWorkers('sender', 'sender rescue')).stop)

let number = 5511900000000
const openTicket = async () => {
  const contactId = await createContact(tenant, { name: 'Maria Souza', number: String(number++) })
  const id = await createTicket(tenant, { contactId, connectionId, userId: agent.id })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.tickets).set({ lastInboundAt: new Date() }).where(eq(schema.tickets.id, id)),
  )
  return id
}
/** The provider refuses it for good, or takes it and says nothing. */
const sendIn = async (ticketId: string, how: 'refused' | 'unanswered', writer = agent) => {
  const id = v7()
  const match = (one: { body: unknown }) => JSON.stringify(one.body).includes(id)
  sim.faults.next(
    how === 'refused'
      ? { status: 400, body: { error: { code: 131026, message: 'x' } }, match }
      : { afterAccepting: true, match },
  )
  expect(await as(writer).post(`/messages/${ticketId}`, { id, body: `Olá ${id}` })).toMatchObject({ status: 200 })
  return id
}
const ticketOf = async (id: string) => (await as(admin).get(`/tickets/${id}`)).body
const messageOf = (id: string) =>
  withTenant(tenant.tenantId, async (tx) => {
    const [row] = await tx.db.select().from(schema.messages).where(eq(schema.messages.id, id))
    return row
  })
const becomes = (ticketId: string, notSent: string | null) =>
  until(async () => (await ticketOf(ticketId)).notSent === notSent, 8_000)
const eventsOf = (name: 'ticket.notice' | 'ticket.updated') =>
  withTenant(tenant.tenantId, (tx) =>
    tx.db
      .select()
      .from(schema.outbox)
      .where(and(eq(schema.outbox.tenantId, tenant.tenantId), eq(schema.outbox.name, name)))
      .orderBy(desc(schema.outbox.seq)),
  )

test('what was not sent shows on its conversation, is told, and rings for its writer', async () => {
  const ticketId = await openTicket()
  const id = await sendIn(ticketId, 'refused')
  await becomes(ticketId, 'failed')
  const [notice] = await eventsOf('ticket.notice')
  const text = expect.stringMatching(/^A mensagem para Maria Souza não foi enviada\. Não /)
  expect(notice).toMatchObject({
    payload: { ticketId, kind: 'notSent', messageId: id, text },
    audience: { kind: 'users', userIds: [agent.id] },
  })
  const [updated] = await eventsOf('ticket.updated')
  expect(updated?.payload).toMatchObject({ id: ticketId, notSent: 'failed' })
})

test('the row says what was not sent, whatever was said after it: in the list, on the wall and live', async () => {
  const ticketId = await openTicket()
  const refused = await sendIn(ticketId, 'refused')
  await becomes(ticketId, 'failed')
  const later = v7()
  expect((await as(agent).post(`/messages/${ticketId}`, { id: later, body: 'E mais isto' })).status).toBe(200)
  await until(async () => (await messageOf(later))?.status === 'sent')

  const shown = { notSent: 'failed', notSentMessage: `Olá ${refused}`, notSentMessageType: 'text' }
  const [updated] = await eventsOf('ticket.updated')
  expect(updated?.payload).toMatchObject({ id: ticketId, ...shown })
  const row = { id: ticketId, lastMessage: 'E mais isto', ...shown }
  const { items } = (await as(agent).get('/tickets?isNotSent=true')).body
  expect(items).toContainEqual(expect.objectContaining(row))
  const short = (await as(agent).get('/tickets?isNotSent=true&view=inbox')).body
  expect(ticketsOfInbox(short)).toContainEqual(expect.objectContaining(row))
  const { cards } = (await as(admin).get('/wall')).body
  expect(cards[`user:${agent.id}`].items).toContainEqual(expect.objectContaining(row))

  // The later of two; given up, the one before again; none is left of neither.
  const second = await sendIn(ticketId, 'refused')
  await until(async () => (await ticketOf(ticketId)).notSentMessage === `Olá ${second}`, 8_000)
  await as(agent).delete('/messages', { id: second })
  expect(await ticketOf(ticketId)).toMatchObject(shown)
  await as(agent).delete('/messages', { id: refused })
  expect(await ticketOf(ticketId)).toMatchObject({ notSent: null, notSentMessage: null, notSentMessageType: null })
})

test('the worst counts; sent again or given up, on a channel that cannot take back too, it is no longer marked', async () => {
  const ticketId = await openTicket()
  const doubtful = await sendIn(ticketId, 'unanswered')
  await becomes(ticketId, 'uncertain')
  const refused = await sendIn(ticketId, 'refused')
  await becomes(ticketId, 'failed')
  expect(await ticketOf(ticketId)).toMatchObject({ notSentMessage: `Olá ${refused}` })
  expect((await as(agent).delete('/messages', { id: refused })).status).toBe(200)
  const left = { notSent: 'uncertain', notSentMessage: `Olá ${doubtful}` }
  expect(await ticketOf(ticketId)).toMatchObject({ ...left, lastMessage: 'Mensagem apagada' })
  expect((await as(agent).post(`/messages/${doubtful}/resend`)).status).toBe(200)
  expect((await ticketOf(ticketId)).notSent).toBeNull()
})

test('what the provider refuses later rings too; when its writer has gone, for whose conversation it is', async () => {
  const ticketId = await openTicket()
  const gone = await createUser(tenant.tenantId)
  const [ticket] = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.tickets).where(eq(schema.tickets.id, ticketId)),
  )
  if (!ticket) throw new Error('no ticket')
  const id = v7()
  await withTenant(tenant.tenantId, async (tx) => {
    const row = { tenantId: tenant.tenantId, id, ticketId, contactId: ticket.contactId, connectionId, userId: gone.id }
    const sent = { fromMe: true, type: 'text', body: 'Oi', status: 'sent', providerId: id } as const
    await tx.db.insert(schema.messages).values({ ...row, ...sent, timestamp: new Date() })
    await tx.db.update(schema.users).set({ isBlocked: true }).where(eq(schema.users.id, gone.id))
  })
  kit.invalidateDirectory(tenant.tenantId)
  const connection = await findConnection(connectionId)
  if (!connection) throw new Error('no connection')
  await receiveStatuses(connection, [{ kind: 'status', providerId: id, status: 'failed' }])
  expect((await ticketOf(ticketId)).notSent).toBe('failed')
  expect((await eventsOf('ticket.notice'))[0]).toMatchObject({
    payload: { messageId: id },
    audience: { userIds: [agent.id] },
  })
})

test('the pending calls give up and send again for the conversations too', async () => {
  const ticketId = await openTicket()
  await sendIn(ticketId, 'refused')
  await becomes(ticketId, 'failed')
  expect(await as(admin).post('/pending/resolvePending', { whatsappId: connectionId, action: 'drop' })).toMatchObject({
    status: 200,
  })
  expect((await ticketOf(ticketId)).notSent).toBeNull()
})
