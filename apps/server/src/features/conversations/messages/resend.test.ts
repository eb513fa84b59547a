import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, createContact, createConnection, createTicket, withTenant, schema } = await startTestApp()
const { showAnswering } = await import('./message-actions.ts')
const { forgetConnections } = await import('../../channels/connections/context.ts')

/** An open conversation with a message of its agent that did not arrive. */
const failed = async (
  kind: 'webchat' | 'waba' = 'webchat',
  more: Partial<typeof schema.messages.$inferInsert> = {},
) => {
  const tenant = await seedTenant()
  const { tenantId, agent } = tenant
  const connectionId = await createConnection(tenant, { kind })
  const contactId = await createContact(tenant, { number: '5511977771111' })
  const ticketId = await createTicket(tenant, { userId: agent.id, contactId, connectionId, unreadMessages: 3 })
  const add = async () => {
    const id = v7()
    const row = { tenantId, id, ticketId, contactId, connectionId, userId: agent.id, timestamp: new Date() }
    await withTenant(tenantId, (tx) =>
      tx.db
        .insert(schema.messages)
        .values({ ...row, fromMe: true, type: 'text', body: 'x', status: 'failed', ...more }),
    )
    return id
  }
  const read = (id: string) =>
    withTenant(tenantId, async (tx) => {
      const [row] = await tx.db.select().from(schema.messages).where(eq(schema.messages.id, id))
      return row
    })
  const heard = (at: Date) =>
    withTenant(tenantId, (tx) =>
      tx.db.update(schema.tickets).set({ lastInboundAt: at }).where(eq(schema.tickets.id, ticketId)),
    )
  const resend = (id: string) => as(agent).post(`/messages/${id}/resend`)
  const retry = () => as(tenant.admin).post('/pending/resolvePending', { whatsappId: connectionId, action: 'retry' })
  return { ...tenant, connectionId, ticketId, id: await add(), add, read, heard, resend, retry }
}
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

test('outside the 24 h window free text is not sent once more either; a template is', async () => {
  const { id, read, heard, resend, retry } = await failed('waba')
  await heard(hoursAgo(24))
  expect((await resend(id)).body.error).toBe('ERR_WINDOW_CLOSED')
  expect((await retry()).body).toEqual({ done: 0, left: 1, hasMore: false })
  expect((await read(id))?.status).toBe('failed')
  await heard(hoursAgo(23))
  expect((await resend(id)).status).toBe(200)
  expect((await read(id))?.status).toBe('queued')

  const template = await failed('waba', { type: 'template' })
  expect((await template.resend(template.id)).status).toBe(200)
})

test('what was taken back is not sent once more, also when both are asked at the same moment', async () => {
  const { agent, id, add, read, resend, retry } = await failed()
  expect((await as(agent).delete('/messages', { id })).status).toBe(200)
  expect((await resend(id)).body.error).toBe('ERR_MESSAGE_NOT_RESENDABLE')
  expect((await retry()).body.done).toBe(0)

  for (let round = 0; round < 10; round += 1) {
    const next = await add()
    const [gone] = await Promise.all([as(agent).delete('/messages', { id: next }), resend(next)])
    expect(await read(next)).toMatchObject(
      gone.status === 200 ? { isDeleted: true, status: 'failed' } : { isDeleted: false, status: 'queued' },
    )
  }
})

test('reading, and what the team keeps for itself, needs no channel', async () => {
  const { agent, tenantId, ticketId, connectionId } = await failed()
  const note = v7()
  await as(agent).post(`/messages/${ticketId}`, { id: note, type: 'note', body: 'Ligar amanhã' })
  await withTenant(tenantId, (tx) =>
    tx.db.update(schema.connections).set({ deletedAt: new Date() }).where(eq(schema.connections.id, connectionId)),
  )
  forgetConnections()
  expect((await as(agent).post(`/messages/${ticketId}/read`)).status).toBe(204)
  expect((await as(agent).get(`/tickets/${ticketId}`)).body.unreadMessages).toBe(0)
  expect((await as(agent).post(`/messages/${ticketId}/typing`)).status).toBe(204)
  await showAnswering(tenantId, ticketId, { name: 'Aurora', isTyping: true })
  expect((await as(agent).patch(`/messages/${note}`, { body: 'Ligar hoje' })).body.body).toBe('Ligar hoje')
  expect((await as(agent).delete('/messages', { id: note })).body.isDeleted).toBe(true)
})
