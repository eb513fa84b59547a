import type { Line } from '@balcao/simulators/handset.ts'
import { startMessengerSimulator } from '@balcao/simulators/meta.ts'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import type { InboundMessage, Sender } from '../../../channels/adapter.ts'
import { startWaba, until } from '../../conversations/messages/test-waba.ts'

const kit = await startTestApp()
const { as, app, seedTenant, createConnection, createContact, createTicket, withTenant, schema } = kit
const { findConnection } = await import('../../channels/connections/context.ts')
const { receiveReadUntil, receiveStatuses } = await import('./receive-statuses.ts')
const { ingest, settleInbound } = await import('./inbound.service.ts')
await app.listen({ host: '127.0.0.1', port: 0 })
beforeAll(async () => (await startTestWorkers('sender')).stop)

const messageOf = (tenantId: number, id: string) =>
  withTenant(tenantId, async (tx) => {
    const [row] = await tx.db.select().from(schema.messages).where(eq(schema.messages.id, id))
    return row
  })
const keptOf = (tenantId: number) => withTenant(tenantId, (tx) => tx.db.select().from(schema.earlyStatuses))
const openConnection = async (id: string) => {
  const connection = await findConnection(id)
  if (!connection) throw new Error('no connection')
  return connection
}
/** An answer that the provider gives when told to. */
const slow = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { answersAfter: promise, answer: resolve }
}

let pages = process.pid * 100
const seedPage = async () => {
  pages += 1
  const tenant = await seedTenant()
  const { tenantId, admin } = tenant
  const pageId = `30${pages}`
  const secrets = { appSecret: `segredo-${pageId}-do-app`, verifyToken: `palavra-${pageId}` }
  const keys = { ...secrets, accessToken: `token-da-pagina-${pageId}-0123456789` }
  const sim = await startMessengerSimulator({ ...keys, accountId: pageId, delivery: { retryDelaysMs: [] } })
  afterAll(() => sim.close())
  const config = { ...keys, pageId, humanAgent: true, apiVersion: 'v25.0', baseUrl: sim.url }
  const connectionId = await createConnection(tenant, { kind: 'messenger', externalId: pageId, config })
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  sim.setWebhook(`http://127.0.0.1:${port}/hooks/messenger/${connectionId}`)
  const ana = sim.customer({ name: 'Ana Souza' })
  await ana.sendText('oi')
  const settled = async () => {
    await sim.idle()
    await settleInbound()
  }
  await settled()
  const ticketId = await withTenant(tenantId, async (tx) => (await tx.db.select().from(schema.tickets))[0]?.id)
  await as(admin).put(`/tickets/${ticketId}`, { status: 'open' })
  /** It is taken by the provider, whose answer waits. */
  const sendSlowly = async (body: string, fault: object) => {
    sim.faults.next({ match: ({ body: sent }) => JSON.stringify(sent).includes(body), ...fault })
    const id = v7()
    expect((await as(admin).post(`/messages/${ticketId}`, { id, body })).status).toBe(200)
    await until(async () => (await messageOf(tenantId, id))?.status === 'sending')
    return id
  }
  const there = (body: string) =>
    until(async (): Promise<Line | undefined> => ana.inbox.find((line: Line) => line.text === body))
  const becomes = (id: string, status: string) => until(async () => (await messageOf(tenantId, id))?.status === status)
  const from: Sender = { identities: [{ kind: 'messenger', value: `${pageId}:${ana.id}` }] }
  return { tenantId, admin, sim, connectionId, ana, from, settled, sendSlowly, there, becomes }
}

test('read before the provider had answered, our message is read once it has (T44)', async () => {
  const { tenantId, ana, settled, sendSlowly, there, becomes } = await seedPage()
  const { answer, ...fault } = slow()
  const id = await sendSlowly('Bom dia, Ana', fault)
  await there('Bom dia, Ana')
  await ana.read()
  await settleInbound()
  expect(await messageOf(tenantId, id)).toMatchObject({ status: 'sending' })
  answer()
  await becomes(id, 'read')
  await settled()
  expect(await messageOf(tenantId, id)).toMatchObject({ status: 'read', providerId: expect.stringMatching(/^m_/) })
  expect(await keptOf(tenantId)).toEqual([])
})

test('what they had read by then says nothing of what left later, nor of what was refused and sent again', async () => {
  const { tenantId, admin, sim, connectionId, from, settled, sendSlowly, becomes } = await seedPage()
  sim.setWebhook(undefined)
  const connection = await openConnection(connectionId)
  const readUntil = (at: Date) => receiveReadUntil(connection, { kind: 'readUntil', from, at })
  const before = new Date()
  const late = slow()
  const later = await sendSlowly('saiu depois', late)
  await readUntil(before)
  expect(await keptOf(tenantId)).toEqual([])
  late.answer()
  await becomes(later, 'sent')

  const { answer, ...refusal } = slow()
  const error = { status: 400, body: { error: { code: 100, message: 'x' } } }
  const id = await sendSlowly('recusada', { ...refusal, ...error })
  await readUntil(new Date())
  await readUntil(new Date())
  expect(await keptOf(tenantId)).toMatchObject([{ providerId: id, status: 'read' }])
  answer()
  await becomes(id, 'failed')
  expect(await keptOf(tenantId)).toEqual([])
  expect((await as(admin).post(`/messages/${id}/resend`)).status).toBe(200)
  await becomes(id, 'sent')
  await settled()
  expect(await messageOf(tenantId, later)).toMatchObject({ status: 'read' }) // by the second of the two
})

test('a refusal that comes before the answer, by the provider’s id, marks the address too', async () => {
  const { tenantId, connectionId, sim, sendSlowly, there, becomes } = await seedPage()
  sim.setWebhook(undefined)
  const { answer, ...fault } = slow()
  const id = await sendSlowly('não chega', fault)
  const { id: providerId } = await there('não chega')
  const refused = { kind: 'status', providerId, status: 'failed', error: 'Não recebe.', isUnreachable: true } as const
  await receiveStatuses(await openConnection(connectionId), [refused])
  answer()
  await becomes(id, 'failed')
  expect(await messageOf(tenantId, id)).toMatchObject({ error: 'Não recebe.', providerId })
  const known = await withTenant(tenantId, (tx) => tx.db.select().from(schema.contactIdentities))
  expect(known).toMatchObject([{ kind: 'messenger', unreachableReason: 'Não recebe.' }])
})

test('a refusal that comes before the answer, by our own id, keeps its reason and rings once', async () => {
  const tenant = await seedTenant()
  const { tenantId, agent } = tenant
  const { sim, connectionId } = await startWaba(kit, tenant)
  sim.setWebhook(undefined)
  sim.policy.hasWindow = false
  const contactId = await createContact(tenant, { number: '5511977770044' })
  const ticketId = await createTicket(tenant, { contactId, connectionId, userId: agent.id })
  await withTenant(tenantId, (tx) => tx.db.update(schema.tickets).set({ lastInboundAt: new Date() }))
  const id = v7()
  const { answer, ...fault } = slow()
  sim.faults.next({ match: ({ body }) => JSON.stringify(body).includes(id), ...fault })
  expect((await as(agent).post(`/messages/${ticketId}`, { id, body: 'Olá' })).status).toBe(200)
  await until(async () => (await messageOf(tenantId, id))?.status === 'sending')
  const told = { kind: 'status', providerId: 'wamid.dela', messageId: id } as const
  await receiveStatuses(await openConnection(connectionId), [{ ...told, status: 'failed', error: 'Sem WhatsApp.' }])
  answer()
  await until(async () => (await messageOf(tenantId, id))?.claimedBy === null)
  expect(await messageOf(tenantId, id)).toMatchObject({ status: 'failed', error: 'Sem WhatsApp.' })
  const notices = await withTenant(tenantId, (tx) =>
    tx.db.select().from(schema.outbox).where(eq(schema.outbox.name, 'ticket.notice')),
  )
  expect(notices).toHaveLength(1)
})

test('receipts that come before our message is told back hold: of what is uncertain, and of what was written on the phone', async () => {
  const { tenantId, connectionId, sim, from, sendSlowly, there, becomes } = await seedPage()
  sim.setWebhook(undefined)
  const { answer, ...fault } = slow()
  const lost = await sendSlowly('resposta perdida', { ...fault, afterAccepting: true })
  const { id: providerId } = await there('resposta perdida')
  answer()
  await becomes(lost, 'uncertain')
  const read = (of: string) => ({ kind: 'status', providerId: of, status: 'read' }) as const
  const said = { kind: 'message', from, fromMe: true, timestamp: new Date() } as const
  const echo = (of: string, body: string): InboundMessage => ({
    ...said,
    providerId: of,
    content: { type: 'text', body },
  })
  await receiveStatuses(await openConnection(connectionId), [read(providerId), read('m_do_telefone')])
  await ingest(tenantId, connectionId, [echo(providerId, 'resposta perdida'), echo('m_do_telefone', 'pelo telefone')])
  expect(await messageOf(tenantId, lost)).toMatchObject({ status: 'read', providerId, error: null })
  const ours = await withTenant(tenantId, (tx) =>
    tx.db.select().from(schema.messages).where(eq(schema.messages.providerId, 'm_do_telefone')),
  )
  expect(ours).toMatchObject([{ body: 'pelo telefone', status: 'read' }])
  expect(await keptOf(tenantId)).toEqual([])
})
