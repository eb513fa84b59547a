import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { type OutboxEvent, onCommittedEvents } from '../../../kit/outbox.ts'
import { ingest } from '../../intake/inbound/inbound.service.ts'
import { type OldMessage, oldTicketOf, writeHistory } from './write-history.ts'

const { as, seedTenant, createConnection, createTicket, schema, withTenant } = await startTestApp()
const events: OutboxEvent[] = []
onCommittedEvents((committed) => events.push(...committed))

const old = (n: number, more: Partial<OldMessage> = {}): OldMessage => ({
  providerId: `velha-${n}`,
  fromMe: n % 2 === 1,
  type: 'text',
  body: `antiga ${n}`,
  timestamp: new Date(Date.UTC(2024, 0, 1, 12, n)),
  ...more,
})

test('old messages stand at their time before all live ones, and nobody hears of them', async () => {
  const tenant = await seedTenant({ settings: { slaTargets: [] } })
  const connectionId = await createConnection(tenant)
  await ingest(tenant.tenantId, connectionId, [
    {
      kind: 'message',
      providerId: '5:1',
      from: { identities: [{ kind: 'telegram', value: '5' }], name: 'Rita' },
      fromMe: false,
      timestamp: new Date(),
      content: { type: 'text', body: 'ao vivo' },
    },
  ])
  const [live] = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.tickets))
  const contactId = live?.contactId ?? ''
  events.length = 0
  const write = (messages: OldMessage[]) =>
    withTenant(tenant.tenantId, (tx) => writeHistory(tx, { connectionId, conversations: [{ contactId, messages }] }))

  const ticketId = oldTicketOf(connectionId, contactId)
  expect(await write([4, 3].map((n) => old(n)))).toBe(2)
  // Older pages may come later, and what came already comes again.
  expect(await write([1, 2, 3].map((n) => old(n)))).toBe(2)
  expect(await write([1, 2, 3, 4].map((n) => old(n)))).toBe(0)
  expect(events).toEqual([])

  const all = await as(tenant.admin).get(`/messagesContact/${contactId}`)
  expect(all.status).toBe(200)
  expect(all.body.items.map((one: { body: string }) => one.body)).toEqual([
    'antiga 1',
    'antiga 2',
    'antiga 3',
    'antiga 4',
    'ao vivo',
  ])
  const ticket = (await as(tenant.admin).get(`/tickets/${ticketId}`)).body
  expect(ticket).toMatchObject({
    status: 'closed',
    unreadMessages: 0,
    waitingSince: null,
    slaDueAt: null,
    lastMessage: 'antiga 4',
    createdAt: old(1).timestamp.toISOString(),
    closedAt: old(4).timestamp.toISOString(),
    updatedAt: old(4).timestamp.toISOString(),
  })
  expect((await as(tenant.admin).get(`/tickets/${live?.id}`)).body).toMatchObject({
    status: 'pending',
    unreadMessages: 1,
  })
  expect((await as(tenant.admin).get(`/messages/${ticketId}?limit=2`)).body.items).toMatchObject([
    { body: 'antiga 3', createdAt: old(3).timestamp.toISOString() },
    { body: 'antiga 4' },
  ])
})

test('two of one moment keep both, and their order', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant)
  const contact = await as(tenant.admin).post('/contacts', { name: 'Rita', number: '5511987654321' })
  const at = new Date(Date.UTC(2024, 0, 1))
  const contactId = contact.body.id
  const messages = [old(1, { timestamp: at }), old(2, { timestamp: at })]
  await withTenant(tenant.tenantId, (tx) =>
    writeHistory(tx, { connectionId, conversations: [{ contactId, messages }] }),
  )
  const ticketId = oldTicketOf(connectionId, contactId)
  const { items } = (await as(tenant.admin).get(`/messages/${ticketId}`)).body
  expect(items.map((one: { body: string }) => one.body)).toEqual(['antiga 1', 'antiga 2'])
})

test('those that are wanted open wait in their queue without a deadline; whoever is written with already keeps theirs', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const connectionId = await createConnection(tenant)
  const people = await Promise.all(
    ['5511987654321', '5511987654322'].map((number) => as(tenant.admin).post('/contacts', { name: 'Rita', number })),
  )
  const [quiet, busy] = people.map(({ body }) => body.id)
  await createTicket(tenant, { contactId: busy, connectionId })
  const queueId = tenant.queues.Vendas
  await withTenant(tenant.tenantId, (tx) =>
    writeHistory(tx, {
      connectionId,
      queueId,
      isOpen: true,
      conversations: [
        { contactId: quiet, messages: [old(1)] },
        { contactId: busy, messages: [old(2)] },
      ],
    }),
  )
  const read = async (contactId: string) =>
    (await as(tenant.admin).get(`/tickets/${oldTicketOf(connectionId, contactId)}`)).body
  expect(await read(quiet)).toMatchObject({
    status: 'pending',
    queueId,
    unreadMessages: 0,
    waitingSince: null,
    slaDueAt: null,
    closedAt: null,
  })
  expect(await read(busy)).toMatchObject({ status: 'closed' })
})
