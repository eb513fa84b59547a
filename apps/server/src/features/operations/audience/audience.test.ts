import type { ConnectionOptions } from '@balcao/contract/channels/options.ts'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { type OutboxEvent, onCommittedEvents } from '../../../kit/outbox.ts'

const kit = await startTestApp()
const { as, seedTenant, createConnection, createContact, createTicket, withTenant, withPlatform, schema } = kit
const { feedAudience } = await import('./audience.loop.ts')
const { forgetConnections } = await import('../../channels/connections/context.ts')

beforeEach(() =>
  withPlatform('test', async (tx) => {
    await tx.db.delete(schema.audience)
    await tx.db.delete(schema.messages)
  }),
)

const seed = async (options: ConnectionOptions = {}, many = 100) => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant)
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.connections).set({ options }).where(eq(schema.connections.id, connectionId)),
  )
  forgetConnections()
  const contactIds: string[] = []
  for (let n = 0; n < Math.min(many, 60); n += 1) contactIds.push(await createContact(tenant, { name: `Cliente ${n}` }))
  const rows = Array.from({ length: many }, (_, n) => ({
    tenantId: tenant.tenantId,
    connectionId,
    contactId: contactIds[n % contactIds.length] ?? '',
    body: `Oi, {{firstName}}! ${n}`,
    purpose: 'marketing' as const,
    rule: 'Campanha',
    createdBy: tenant.admin.id,
  }))
  await withTenant(tenant.tenantId, (tx) => tx.db.insert(schema.audience).values(rows))
  const queued = () =>
    withTenant(tenant.tenantId, (tx) => tx.db.$count(schema.messages, eq(schema.messages.status, 'queued')))
  const rowsOf = () => withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.audience))
  const pace = (sentToday: number, day = sql`(now() at time zone 'America/Sao_Paulo')::date`) =>
    withTenant(tenant.tenantId, (tx) =>
      tx.db
        .insert(schema.connectionPace)
        .values({ tenantId: tenant.tenantId, connectionId, sentToday, sentOn: day as unknown as string })
        .onConflictDoUpdate({
          target: [schema.connectionPace.tenantId, schema.connectionPace.connectionId],
          set: { sentToday, sentOn: day as unknown as string },
        }),
    )
  return { tenant, connectionId, contactIds, queued, rowsOf, pace }
}
/** The wall clock of the company, so many hours from now. */
const clock = (hours: number) =>
  new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo', hour: '2-digit', minute: '2-digit' }).format(
    new Date(Date.now() + hours * 3_600_000),
  )

test('a connection is fed a few seconds ahead of its pace, and no more until those have left', async () => {
  const { queued, rowsOf, tenant } = await seed({ restSeconds: 1 })
  const told: OutboxEvent[] = []
  const stop = onCommittedEvents((events) => told.push(...events))
  await feedAudience()
  stop()
  expect(await queued()).toBe(5)
  // Whoever has a list of them on screen hears of the round, not of each.
  expect(told.filter(({ name }) => name === 'audience.changed').map(({ payload }) => payload)).toEqual([
    { rules: ['Campanha'] },
  ])
  await feedAudience()
  expect(await queued()).toBe(5)
  await withTenant(tenant.tenantId, (tx) => tx.db.update(schema.messages).set({ status: 'sent' }))
  await feedAudience()
  expect(await queued()).toBe(5)
  const written = (await rowsOf()).filter(({ state }) => state === 'written')
  expect(written).toHaveLength(10)
  const sent = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.messages))
  expect(sent.find(({ body }) => body === 'Oi, Cliente! 0')).toMatchObject({ sendType: 'campaign', fromMe: true })
})

test('two processes feed a connection no more than one', async () => {
  const { queued } = await seed({ restSeconds: 1 })
  await Promise.all([feedAudience(), feedAudience(), feedAudience()])
  expect(await queued()).toBe(5)
})

test('the day’s most counts all that was sent, and tomorrow begins anew; an answer of the team never waits', async () => {
  const { tenant, connectionId, contactIds, queued, pace } = await seed({ dailyMost: 10 })
  await pace(8)
  await feedAudience()
  expect(await queued()).toBe(2)
  await withTenant(tenant.tenantId, (tx) => tx.db.update(schema.messages).set({ status: 'sent' }))
  await pace(10)
  await feedAudience()
  expect(await queued()).toBe(0)
  const contactId = contactIds[59] ?? ''
  const ticketId = await createTicket(tenant, { contactId, connectionId, userId: tenant.admin.id })
  expect((await as(tenant.admin).post(`/messages/${ticketId}`, { body: 'Já vejo isso.' })).status).toBe(200)
  expect(await queued()).toBe(1)
  await pace(10, sql`(now() at time zone 'America/Sao_Paulo')::date - 1`)
  await feedAudience()
  expect(await queued()).toBe(10)
})

test('a new number may half as much more each day', async () => {
  const { tenant, queued } = await seed({ warmUpFirst: 4 })
  await feedAudience()
  expect(await queued()).toBe(4)
  await withTenant(tenant.tenantId, async (tx) => {
    await tx.db.delete(schema.messages)
    await tx.db.update(schema.connections).set({ createdAt: sql`now() - interval '2 days'` })
  })
  await feedAudience()
  expect(await queued()).toBe(9)
})

test('nothing leaves for many in the quiet hours, also those over midnight', async () => {
  const quiet = await seed({ quietFrom: clock(-1), quietUntil: clock(1) })
  await feedAudience()
  expect(await quiet.queued()).toBe(0)
  const loud = await seed({ quietFrom: clock(1), quietUntil: clock(-1) })
  await feedAudience()
  expect(await quiet.queued()).toBe(0)
  expect(await loud.queued()).toBeGreaterThan(0)
})

test('who cannot be written to is told apart and holds nobody; a no to campaigns is kept', async () => {
  const { tenant, connectionId, contactIds, rowsOf } = await seed({}, 3)
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .insert(schema.contactIdentities)
      .values({ tenantId: tx.tenantId, kind: 'webchat', value: 'v1', contactId: contactIds[0] ?? '' }),
  )
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.insert(schema.consents).values({
      tenantId: tx.tenantId,
      identityKind: 'webchat',
      identityValue: 'v1',
      channel: 'webchat',
      purpose: 'marketing',
      isGiven: false,
      source: 'word',
      proof: 'SAIR',
      author: { kind: 'contact', id: null, name: '' },
    }),
  )
  await feedAudience()
  const rows = await rowsOf()
  expect(rows.filter(({ state }) => state === 'written')).toHaveLength(2)
  expect(rows.find(({ state }) => state === 'failed')?.error).toBeTruthy()
  // The channel went: what still waits says so.
  await withTenant(tenant.tenantId, async (tx) => {
    await tx.db.update(schema.audience).set({ state: 'waiting', messageId: null })
    await tx.db.delete(schema.messages)
    await tx.db.update(schema.connections).set({ deletedAt: new Date() }).where(eq(schema.connections.id, connectionId))
  })
  forgetConnections()
  await feedAudience()
  expect((await rowsOf()).map(({ error }) => error)).toEqual(Array(3).fill('O canal desta mensagem foi excluído.'))
})

test('a birthday greeting waits in the audience, and the list of the day says how it fared', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant, {
    kind: 'telegram',
    config: { botToken: '7000000001:AAtoken-de-teste-0123456789' },
  })
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(new Date())
  const { body: ana } = await as(tenant.admin).post('/contacts', { name: 'Ana', birthdayDate: `2000${today.slice(4)}` })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .insert(schema.contactIdentities)
      .values({ tenantId: tx.tenantId, kind: 'telegram', value: '1', contactId: ana.id }),
  )
  const list = async () => (await as(tenant.admin).get('/contactsBirthday')).body.items
  const send = { whatsappId: connectionId, message: 'Parabéns, {{firstName}}!' }
  expect((await as(tenant.admin).post('/messages/sendBirthday', send)).body.sent).toBe(1)
  expect(await list()).toMatchObject([{ isGreeted: true, isWaiting: true, problem: null }])
  await feedAudience()
  expect(await list()).toMatchObject([{ isGreeted: true, isWaiting: false, problem: null }])
  const [message] = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.messages))
  expect(message).toMatchObject({ body: 'Parabéns, Ana!', status: 'queued' })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.audience).set({ state: 'failed', error: 'Sem janela.' }),
  )
  expect(await list()).toMatchObject([{ isWaiting: false, problem: 'Sem janela.' }])
})
