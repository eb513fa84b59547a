import type { ConnectionOptions } from '@balcao/contract/channels/options.ts'
import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { seedTenant, createContact, createConnection, createTicket, withTenant, schema } = kit
const { platformRows } = await import('../../../db/database.ts')
const { claimQueued } = await import('./sender.queries.ts')
const { oneByOne } = await import('./pace.ts')

type Company = Awaited<ReturnType<typeof seedTenant>>
type Taken = { tenantId: number; id: string; connectionId: string; body: string; restsForMs: number }
const paces = JSON.stringify({ webchat: { perSecond: 100, burst: 5 }, waba: { perSecond: 40, burst: 20 } })
const claim = (room = 100, given = paces) => platformRows<Taken>(claimQueued, [v7(), [], room, given, 'nobody', false])

/** Conversations of one connection, each with so many messages that wait. */
const queue = async (company: Company, { conversations = 1, each = 1, connectionId = '' } = {}) => {
  const { tenantId } = company
  const channel = connectionId || (await createConnection(company))
  for (let n = 0; n < conversations; n += 1) {
    const contactId = await createContact(company)
    const ticketId = await createTicket(company, { contactId, connectionId: channel })
    const rows = Array.from({ length: each }, (_, place) => ({
      ...{ tenantId, ticketId, contactId, connectionId: channel, fromMe: true, timestamp: new Date() },
      ...{ type: 'text' as const, status: 'queued' as const, body: `${n}.${place}` },
    }))
    await withTenant(tenantId, (tx) => tx.db.insert(schema.messages).values(rows))
  }
  return channel
}
const setPace = (tenantId: number, connectionId: string, pace: Partial<typeof schema.connectionPace.$inferInsert>) =>
  withTenant(tenantId, (tx) =>
    tx.db
      .insert(schema.connectionPace)
      .values({ tenantId, connectionId, ...pace })
      .onConflictDoUpdate({ target: [schema.connectionPace.tenantId, schema.connectionPace.connectionId], set: pace }),
  )
const setOptions = (tenantId: number, connectionId: string, options: ConnectionOptions) =>
  withTenant(tenantId, (tx) =>
    tx.db.update(schema.connections).set({ options }).where(eq(schema.connections.id, connectionId)),
  )
const sendingOf = async (tenantId: number, connectionId: string) =>
  withTenant(tenantId, (tx) =>
    tx.db.$count(
      schema.messages,
      and(eq(schema.messages.connectionId, connectionId), eq(schema.messages.status, 'sending')),
    ),
  )
const clear = () => kit.withPlatform('test', (tx) => tx.db.delete(schema.messages))

test('a connection gives its first few, then rests; nothing taken waits for its turn', async () => {
  const company = await seedTenant()
  const connectionId = await queue(company, { conversations: 12 })
  const first = await claim()
  expect(first.map(({ body }) => body)).toEqual(['0.0', '1.0', '2.0', '3.0', '4.0'])
  expect(first[0]?.restsForMs).toBeGreaterThan(20)
  expect(first[0]?.restsForMs).toBeLessThanOrEqual(51)
  expect(await sendingOf(company.tenantId, connectionId)).toBe(5)
  await setPace(company.tenantId, connectionId, { nextAt: new Date(Date.now() + 60_000) })
  expect(await claim()).toEqual([])
  await setPace(company.tenantId, connectionId, { nextAt: new Date(Date.now() - 1) })
  expect((await claim()).map(({ body }) => body)).toEqual(['5.0', '6.0', '7.0', '8.0', '9.0'])
  await clear()
})

test('a rest of its own, that varies, is kept by all processes together', async () => {
  const company = await seedTenant()
  const connectionId = await queue(company, { conversations: 30 })
  await setOptions(company.tenantId, connectionId, { restSeconds: 8, restVaries: 50 })
  const taken = (await Promise.all(Array.from({ length: 6 }, () => claim()))).flat()
  expect(taken).toHaveLength(1)
  expect(taken[0]?.restsForMs).toBeGreaterThan(3_900)
  expect(taken[0]?.restsForMs).toBeLessThanOrEqual(12_000)
  await clear()
})

test('companies take turns, whoever has queued more or earlier', async () => {
  const [many, few] = [await seedTenant(), await seedTenant()]
  for (let n = 0; n < 4; n += 1) await queue(many, { conversations: 5 })
  await queue(few, { conversations: 2 })
  const taken = await claim(4)
  expect(taken.filter(({ tenantId }) => tenantId === few.tenantId)).toHaveLength(2)
  expect(new Set(taken.map(({ connectionId }) => connectionId)).size).toBeGreaterThan(1)
  await clear()
})

test('one conversation goes on in its order: the next is not taken while the one before it is on its way', async () => {
  const company = await seedTenant()
  const connectionId = await queue(company, { each: 3 })
  expect((await claim()).map(({ body }) => body)).toEqual(['0.0'])
  await setPace(company.tenantId, connectionId, { nextAt: new Date(0) })
  expect(await claim()).toEqual([])
  await withTenant(company.tenantId, (tx) =>
    tx.db.update(schema.messages).set({ status: 'sent' }).where(eq(schema.messages.status, 'sending')),
  )
  expect((await claim()).map(({ body }) => body)).toEqual(['0.1'])
  await clear()
})

test('one person is written to no oftener than the connection says; others do not wait for them', async () => {
  const company = await seedTenant()
  const connectionId = await queue(company, { each: 2 })
  await setOptions(company.tenantId, connectionId, { pairSeconds: 60 })
  expect((await claim()).map(({ body }) => body)).toEqual(['0.0'])
  await withTenant(company.tenantId, (tx) =>
    tx.db.update(schema.messages).set({ status: 'sent' }).where(eq(schema.messages.status, 'sending')),
  )
  await setPace(company.tenantId, connectionId, { nextAt: new Date(0) })
  expect(await claim()).toEqual([])
  await withTenant(company.tenantId, (tx) =>
    tx.db
      .update(schema.messages)
      .set({ claimedAt: new Date(Date.now() - 61_000) })
      .where(eq(schema.messages.status, 'sent')),
  )
  expect((await claim()).map(({ body }) => body)).toEqual(['0.1'])
  const [pace] = await withTenant(company.tenantId, (tx) => tx.db.select().from(schema.connectionPace))
  expect(pace?.sentToday).toBe(2)
  await clear()
})

test('what people say goes before what goes to many by the same connection, and not before what they said earlier', async () => {
  const company = await seedTenant()
  const connectionId = await queue(company, { conversations: 8 })
  await withTenant(company.tenantId, (tx) => tx.db.update(schema.messages).set({ sendType: 'campaign' }))
  const contactId = await createContact(company)
  const ticketId = await createTicket(company, { contactId, connectionId })
  const said = ['Bom dia', 'Tudo bem?'].map((body) => ({
    ...{ tenantId: company.tenantId, ticketId, contactId, connectionId, fromMe: true, timestamp: new Date() },
    ...{ type: 'text' as const, status: 'queued' as const, body },
  }))
  await withTenant(company.tenantId, (tx) => tx.db.insert(schema.messages).values(said))
  expect((await claim()).map(({ body }) => body).sort()).toEqual(['0.0', '1.0', '2.0', '3.0', 'Bom dia'])
  await clear()
})

test('of what goes to many no more is taken than leaves in a tenth of a second, and it leaves one by one', async () => {
  const company = await seedTenant()
  const fast = JSON.stringify({ webchat: { perSecond: 50, burst: 20 } })
  await queue(company, { conversations: 12 })
  await withTenant(company.tenantId, (tx) => tx.db.update(schema.messages).set({ sendType: 'campaign' }))
  expect(await claim(100, fast)).toHaveLength(5)
  await clear()

  const [many, person] = [
    { connectionId: 'a', isOfMany: true, restsForMs: 100 },
    { connectionId: 'a', isOfMany: false, restsForMs: 100 },
  ]
  const other = { ...many, connectionId: 'b', restsForMs: -3 }
  expect(oneByOne([person, many, many, other, many, other]).map(([, inMs]) => inMs)).toEqual([0, 25, 50, 75, 0, 0])
})

test('a claim that comes a little late makes up for it; who was idle begins anew', async () => {
  const company = await seedTenant()
  const connectionId = await queue(company, { conversations: 10 })
  const slow = JSON.stringify({ webchat: { perSecond: 0.1, burst: 5 } })
  const restMs = 50_000
  const claimLate = async (lateMs: number) => {
    const due = new Date(Date.now() - lateMs)
    await setPace(company.tenantId, connectionId, { nextAt: due })
    expect(await claim(100, slow)).toHaveLength(5)
    const [pace] = await withTenant(company.tenantId, (tx) => tx.db.select().from(schema.connectionPace))
    const next = pace?.nextAt?.getTime() ?? 0
    return { afterDue: next - due.getTime(), afterNow: next - (pace?.lastSentAt?.getTime() ?? 0) }
  }
  expect((await claimLate(20_000)).afterDue).toBe(restMs)
  expect((await claimLate(60_000)).afterNow).toBe(restMs)
  await clear()
})

test('a stopped connection gives nothing; its card counts what waits, what left and what failed', async () => {
  const company = await seedTenant()
  const connectionId = await queue(company, { conversations: 3 })
  const set = (stoppedAt: Date | null) =>
    withTenant(company.tenantId, (tx) =>
      tx.db.update(schema.connections).set({ stoppedAt }).where(eq(schema.connections.id, connectionId)),
    )
  await set(new Date())
  expect(await claim()).toEqual([])
  await set(null)
  expect(await claim(2)).toHaveLength(2)
  await withTenant(company.tenantId, (tx) =>
    tx.db.update(schema.messages).set({ status: 'failed' }).where(eq(schema.messages.status, 'sending')),
  )
  const [card] = (await kit.as(company.admin).get('/whatsapp/work')).body
  expect(card).toMatchObject({ id: connectionId, waiting: 1, failedToday: 2, sentToday: 2, inHand: 0, risks: [] })
  expect(card.lastSentAt).not.toBeNull()
  await clear()
})
