import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { startWaba } from './test-waba.ts'

const kit = await startTestApp()
const { app, as, seedTenant, createContact, createTicket, withTenant, schema } = kit

const secret = 'cliente-mau-pagador'
const tenant = await seedTenant({ queues: ['Vendas'] })
const { sim, connectionId } = await startWaba(kit, tenant)
sim.setWebhook(undefined)
sim.policy.hasWindow = false // ours is asked here
const open = async (number: string) => {
  const contactId = await createContact(tenant, { number })
  const ticketId = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, contactId, connectionId })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.tickets).set({ lastInboundAt: new Date() }).where(eq(schema.tickets.id, ticketId)),
  )
  return { contactId, ticketId }
}

test('a note reaches the customer by no path there is', async () => {
  const { ticketId, contactId } = await open('5511977776666')
  const other = await open('5511977775555')
  const id = v7()
  const agent = as(tenant.agent)
  expect((await agent.post(`/messages/${ticketId}`, { id, type: 'note', body: secret })).status).toBe(200)
  const sender = await startTestWorkers('sender')

  // By the paths that are known to carry messages…
  const refused = [
    await agent.post(`/messages/${id}/resend`),
    await agent.post('/forward-messages', { requestId: v7(), messages: [id], contact: [other.contactId] }),
    await agent.post('/forward-other-channel-messages', {
      requestId: v7(),
      messages: [id],
      contact: [other.contactId],
      channelId: connectionId,
    }),
    await agent.post(`/messages/${ticketId}`, { id: v7(), body: 'resposta', quotedId: id }),
    await agent.post(`/messages/${ticketId}`, { id, body: 'o mesmo id, agora como texto' }),
  ]
  expect(refused.map((reply) => reply.status >= 400 || reply.body.type === 'note')).toEqual(refused.map(() => true))
  expect((await agent.patch(`/messages/${id}`, { body: `${secret} mesmo` })).status).toBe(200)
  await agent.post('/messages/reactionMessage', { messageId: id, emoji: '👍' })
  const macro = await agent.post('/macros', { name: 'Nota', actions: [{ kind: 'note', body: secret }] })
  expect((await agent.post(`/macros/${macro.body.id}/run`, { ticketId, runId: v7() })).body.refused).toBeNull()
  expect((await agent.put(`/tickets/${ticketId}`, { note: secret, userId: tenant.admin.id })).status).toBe(200)

  // …and by every route that writes, with the note in the place of whatever it asks for.
  const names = {
    requestId: v7(),
    contact: [other.contactId],
    messages: [id],
    messageIds: [id],
    messageId: id,
    id,
    ticketId,
    contactId,
    contacts: [other.contactId],
  }
  for (const { method, url, can } of app.inventory) {
    if (!can || method === 'GET' || /auth|tenants|backup|delete/i.test(url) || method === 'DELETE') continue
    const path = url
      .replace(/:(\w+)|\*/g, (_whole, name) => (name === 'ticketId' ? ticketId : id))
      .replace(/^\/api/, '')
    await as(tenant.admin).send(method, path, names)
  }

  // A message written after all of it leaves; nothing before it did.
  await agent.put(`/tickets/${ticketId}`, { userId: tenant.agent.id })
  const last = await as(tenant.admin).post(`/messages/${ticketId}`, { id: v7(), body: 'fim', sign: false })
  expect(last.status).toBe(200)
  await expect.poll(() => JSON.stringify(sim.requests)).toContain('fim')
  await sender.stop()
  expect(JSON.stringify(sim.requests)).not.toContain(secret)
  const rows = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.messages))
  const copies = rows.filter((row) => row.body.includes(secret))
  expect(copies.length).toBeGreaterThan(1)
  expect(copies.map((row) => [row.type, row.status])).toEqual(copies.map(() => ['note', 'received']))

  // What the customer may look at says nothing of it either.
  const link = await agent.post(`/ticketProtocols/${ticketId}/links`)
  expect(link.status).toBe(201)
  const token = String(link.body.url).split('/').at(-1)
  for (const path of ['', '/transcript?format=text', '/transcript?format=html']) {
    const page = await kit.call('GET', `/protocol/${token}${path}`)
    expect(page.status).toBe(200)
    const told = typeof page.body === 'string' ? page.body : JSON.stringify(page.body)
    if (path) expect(told).toContain('fim')
    expect(told).not.toContain(secret)
  }
})

test('a line that only the team reads cannot be quoted either', async () => {
  const { ticketId } = await open('5511977773333')
  await as(tenant.agent).put(`/tickets/${ticketId}`, { queueId: null })
  const page = await as(tenant.agent).get(`/messages/${ticketId}`)
  const line = page.body.items.find((one: { type: string }) => one.type === 'system')
  expect(line.body).toContain('retirou o atendimento da fila')
  const reply = await as(tenant.admin).post(`/messages/${ticketId}`, { id: v7(), body: 'veja', quotedId: line.id })
  expect(reply).toMatchObject({ status: 422, body: { details: [{ path: 'quotedId' }] } })
})

test('the database itself lets no note into the queue', async () => {
  const { ticketId, contactId } = await open('5511977774444')
  const queued = withTenant(tenant.tenantId, (tx) =>
    tx.db.insert(schema.messages).values({
      tenantId: tenant.tenantId,
      ticketId,
      contactId,
      connectionId,
      fromMe: true,
      type: 'note',
      body: 'x',
      status: 'queued',
      timestamp: new Date(),
    }),
  )
  await expect(queued).rejects.toMatchObject({ cause: { constraint: 'messages_note_stays' } })
})
