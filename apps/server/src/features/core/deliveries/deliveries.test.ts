import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { startReceiver } from '@balcao/simulators/test-receiver.ts'
import { asc, eq, ne, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterEach, expect, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import type { ConsumerKind, Delivery, Outcome } from './consumer-kinds.ts'

const { as, seedTenant, createTicket, withTenant, withPlatform, schema } = await startTestApp()
const { emit } = await import('../../../kit/outbox.ts')
const { registerConsumers } = await import('./consumer-kinds.ts')
const { createDeliverer } = await import('./deliveries.loop.ts')

/** A machine of the tests: says what it is told to, and remembers the order of what it heard. */
const heard: { consumerId: string; word: unknown }[] = []
let answer: (delivery: Delivery) => Outcome | Promise<Outcome> = () => ({ is: 'delivered' })
const troubles: (string | null)[] = []
const machine: ConsumerKind = {
  kind: 'test',
  pausesS: [10, 60],
  livesS: 3_600,
  isKept: true,
  deliver: async (delivery) => {
    heard.push({ consumerId: delivery.consumerId, word: Object(delivery.payload).keys?.[0] })
    return answer(delivery)
  },
  onState: async (_, trouble) => void troubles.push(trouble),
}
registerConsumers([machine])
afterEach(async () => {
  answer = () => ({ is: 'delivered' })
  heard.length = 0
  troubles.length = 0
  await withPlatform('test', (tx) => tx.db.delete(schema.consumers))
})

const company = async () => {
  const tenant = await seedTenant()
  const hear = async (more: Partial<typeof schema.consumers.$inferInsert> = {}) => {
    const id = v7()
    await withTenant(tenant.tenantId, (tx) =>
      tx.db
        .insert(schema.consumers)
        .values({ tenantId: tenant.tenantId, id, kind: 'test', topics: ['settings.updated'], ...more }),
    )
    return id
  }
  return { ...tenant, hear }
}
const say = async (tenantId: number, word: string) => {
  await withTenant(tenantId, (tx) =>
    emit(tx, 'settings.updated', { keys: [word] }, { kind: 'permission', can: 'settings.write' }),
  )
  await pause(1) // moments are kept to the millisecond, rounded: it may be due half of one later
}
/** What is not delivered. */
const rows = (tenantId: number) =>
  withTenant(tenantId, (tx) =>
    tx.db
      .select()
      .from(schema.deliveries)
      .where(ne(schema.deliveries.state, 'delivered'))
      .orderBy(asc(schema.deliveries.seq)),
  )
const consumerOf = async (tenantId: number) =>
  (await withTenant(tenantId, (tx) => tx.db.select().from(schema.consumers)))[0]
const letTimePass = (tenantId: number, seconds: number) =>
  withTenant(tenantId, async (tx) => {
    await tx.db.update(schema.deliveries).set({ dueAt: sql`due_at - make_interval(secs => ${seconds})` })
    await tx.db.update(schema.consumers).set({ restsUntil: sql`rests_until - make_interval(secs => ${seconds})` })
  })
const rounds = async (deliverer = createDeliverer(), times = 1) => {
  for (let n = 0; n < times; n++) {
    await deliverer.run(() => {})
    await deliverer.finish()
  }
}

test('an event is copied for who asked for it, with its change or not at all; elsewhere nothing is written', async () => {
  const [one, other] = [await company(), await company()]
  await one.hear()
  await one.hear({ topics: ['ticket.created'] })
  await one.hear({ userId: one.agent.id })
  await say(one.tenantId, 'um')
  await say(other.tenantId, 'de outra')
  await withTenant(one.tenantId, async (tx) => {
    await emit(tx, 'settings.updated', { keys: ['desfeito'] }, { kind: 'permission', can: 'settings.write' })
    throw new Error('undone')
  }).catch(() => {})
  expect(await rows(one.tenantId)).toMatchObject([{ topic: 'settings.updated', payload: { keys: ['um'] } }])
  expect(await rows(other.tenantId)).toEqual([])
  await withTenant(one.tenantId, (tx) =>
    emit(tx, 'settings.updated', { keys: ['a ela'] }, { kind: 'users', userIds: [one.admin.id, one.agent.id] }),
  )
  expect(await rows(one.tenantId)).toHaveLength(3)
  await Promise.all([rounds(), rounds(), rounds()])
  await rounds()
  expect(heard.map(({ word }) => word).sort()).toEqual(['a ela', 'a ela', 'um'])
  expect(await rows(one.tenantId)).toEqual([])
})

test('of one lane in order, each after the one before it; what cannot be delivered dies in sight and holds nothing up', async () => {
  const { tenantId, hear } = await company()
  await hear()
  for (const word of ['um', 'dois', 'três']) await say(tenantId, word)
  answer = ({ payload }) =>
    Object(payload).keys[0] === 'um' ? { is: 'failed', error: 'Não atende.' } : { is: 'delivered' }
  const deliverer = createDeliverer()
  const pauses: number[] = []
  for (let attempt = 1; attempt <= 3; attempt++) {
    await rounds(deliverer, attempt === 3 ? 1 : 2)
    expect(heard.map(({ word }) => word)).toEqual(Array(attempt).fill('um'))
    pauses.push(((await rows(tenantId))[0]?.dueAt.getTime() ?? 0) - Date.now())
    await letTimePass(tenantId, 70)
  }
  expect(pauses[1]).toBeGreaterThan((pauses[0] ?? 0) + 30_000)
  expect((await rows(tenantId))[0]).toMatchObject({ state: 'dead', attempts: 3, error: 'Não atende.' })
  expect(troubles).toContain('Não atende.')
  await rounds(deliverer, 3)
  expect(heard.map(({ word }) => word).slice(3)).toEqual(['dois', 'três'])
  expect(troubles.at(-1)).toBeNull()
  expect(await consumerOf(tenantId)).toMatchObject({ failures: 0, error: null })
})

test('a worker that dies after its claim leaves it to the next, under the same id', async () => {
  const { tenantId, hear } = await company()
  await hear()
  await say(tenantId, 'um')
  const ids: string[] = []
  answer = ({ id }) => {
    ids.push(id)
    return ids.length === 1 ? new Promise(() => {}) : { is: 'delivered' } // the first never comes back
  }
  await createDeliverer().run(() => {})
  await vi.waitFor(() => expect(ids).toHaveLength(1))
  await rounds()
  expect(ids).toHaveLength(1)
  await letTimePass(tenantId, 61)
  await rounds()
  expect(ids).toEqual([ids[0], ids[0]])
  expect(await rows(tenantId)).toEqual([])
})

test('whoever is removed meanwhile is told nothing more; whoever says it is gone is told nothing until it is tried', async () => {
  const { tenantId, hear } = await company()
  const id = await hear()
  await say(tenantId, 'um')
  let release = (_: Outcome) => {}
  answer = () => new Promise<Outcome>((resolve) => (release = resolve))
  const deliverer = createDeliverer()
  await deliverer.run(() => {})
  await vi.waitFor(() => expect(heard).toHaveLength(1))
  await withTenant(tenantId, (tx) => tx.db.delete(schema.consumers).where(eq(schema.consumers.id, id)))
  await say(tenantId, 'dois')
  release({ is: 'failed', error: 'tarde' })
  await deliverer.finish()
  expect(await rows(tenantId)).toEqual([])

  await hear()
  await say(tenantId, 'três')
  answer = () => ({ is: 'gone' })
  await rounds()
  expect(await consumerOf(tenantId)).toMatchObject({ state: 'stopped', error: expect.any(String) })
  await say(tenantId, 'quatro')
  expect(await rows(tenantId)).toHaveLength(1)
})

test('an event of a consumer that is being removed at that moment commits all the same', async () => {
  const { tenantId, hear } = await company()
  const id = await hear()
  let said: Promise<void> | undefined
  await withTenant(tenantId, async (tx) => {
    await tx.db.delete(schema.consumers).where(eq(schema.consumers.id, id))
    said = say(tenantId, 'um')
    await tx.db.execute(sql`select pg_sleep(0.2)`)
  })
  await said
  expect(await rows(tenantId)).toEqual([])
})

test('a slow target holds up neither another company nor another target', async () => {
  const [slow, quick] = [await company(), await company()]
  const slowIds = await Promise.all(Array.from({ length: 8 }, () => slow.hear()))
  const besides = await slow.hear({ topics: ['support.changed'] })
  await quick.hear()
  for (let n = 0; n < 30; n++) await say(slow.tenantId, `s${n}`)
  let release = () => {}
  const blocked = new Promise<Outcome>((resolve) => (release = () => resolve({ is: 'delivered' })))
  answer = ({ consumerId }) => (slowIds.includes(consumerId) ? blocked : { is: 'delivered' })
  const deliverer = createDeliverer()
  await deliverer.run(() => {})
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(0))
  await say(quick.tenantId, 'depressa')
  await withTenant(slow.tenantId, (tx) =>
    emit(tx, 'support.changed', {}, { kind: 'permission', can: 'settings.write' }),
  )
  await deliverer.run(() => {})
  await vi.waitFor(() => expect(heard.map(({ word }) => word)).toContain('depressa'))
  await vi.waitFor(() => expect(heard.map(({ consumerId }) => consumerId)).toContain(besides))
  expect(await rows(quick.tenantId).then((all) => all.filter(({ attempts }) => attempts === 0))).toEqual([])
  release()
  await deliverer.finish()
})

test('T47: companies whose targets are all slow leave places for the others, and give them back', async () => {
  const slow = await Promise.all(Array.from({ length: 8 }, () => company()))
  const quick = await company()
  await quick.hear()
  const slowIds = new Map<string, number>()
  for (const { tenantId, hear } of slow) {
    for (let n = 0; n < 8; n++) slowIds.set(await hear(), tenantId)
    await say(tenantId, 'devagar')
  }
  let release = () => {}
  const blocked = new Promise<Outcome>((resolve) => (release = () => resolve({ is: 'delivered' })))
  answer = ({ consumerId }) => (slowIds.has(consumerId) ? blocked : { is: 'delivered' })
  const deliverer = createDeliverer()
  for (let n = 0; n < 5; n++) await deliverer.run(() => {})
  const held = Map.groupBy(heard, ({ consumerId }) => slowIds.get(consumerId))
  expect(held.size).toBe(8)
  for (const those of held.values()) expect(those.length).toBe(5)

  for (const word of ['um', 'dois', 'três']) {
    await say(quick.tenantId, word)
    await deliverer.run(() => {})
    await vi.waitFor(() => expect(heard.at(-1)?.word).toBe(word))
    await vi.waitFor(async () => expect(await rows(quick.tenantId)).toEqual([]))
  }
  release()
  await deliverer.finish()
  await rounds(deliverer, 2)
  for (const { tenantId } of slow) expect(await rows(tenantId)).toEqual([])
})

test('a system of the company hears of messages, signed, in order; a refused one shows, and is sent anew on request', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const { admin, agent, tenantId } = tenant
  const receiver = await startReceiver()
  const secret = 'segredo-de-vinte-e-quatro-letras'
  const made = await as(admin).post('/integrations', {
    kind: 'webhook',
    name: 'ERP',
    config: { url: receiver.url, secret, messages: false, tickets: true },
  })
  expect(made).toMatchObject({ status: 201, body: { family: 'events', config: { secret: true } } })
  const path = `/integrations/${made.body.id}`
  expect((await as(admin).post(`${path}/test`)).body.ok).toBe(true)
  const ticketId = await createTicket(tenant, { queue: 'Vendas' })
  receiver.received.length = 0
  await as(agent).put(`/tickets/${ticketId}`, { status: 'open', userId: agent.id })
  await rounds()
  const [call] = receiver.received
  if (!call) throw new Error('not told')
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = call.headers
  expect(signature).toBe(`v1,${createHmac('sha256', secret).update(`${id}.${at}.${call.raw}`).digest('base64')}`)
  expect(call.body).toMatchObject({ id, type: 'ticket.updated', data: { id: ticketId, status: 'open' } })

  receiver.answers.push(...Array(9).fill(500))
  await as(agent).put(`/tickets/${ticketId}`, { queueId: null })
  for (let n = 0; n < 9; n++) {
    await rounds()
    await letTimePass(tenantId, 5 * 3_600)
  }
  expect((await as(admin).get(path)).body).toMatchObject({ state: 'broken', stateText: 'O endereço respondeu 500.' })
  const waits = (await as(admin).get(`${path}/undelivered`)).body
  expect(waits).toEqual({ waiting: 0, waitsSince: null, dead: 1, lastError: 'O endereço respondeu 500.' })
  const [dead, told] = (await as(admin).get(`${path}/deliveries`)).body.items
  expect(dead).toMatchObject({ topic: 'ticket.updated', state: 'dead', attempts: 9, status: 500, dueAt: null })
  expect(told).toMatchObject({ state: 'delivered', attempts: 1, status: 200, error: null })
  const whole = (await as(admin).get(`${path}/deliveries/${told.id}`)).body
  expect(whole).toMatchObject({ deliveryId: id, url: receiver.url, body: call.raw, answer: { status: 200, body: '' } })

  expect((await as(admin).post(`${path}/deliveries/retry`)).body).toMatchObject({ waiting: 1, dead: 0 })
  await rounds(createDeliverer(), 4)
  expect((await as(admin).get(`${path}/undelivered`)).body).toMatchObject({ waiting: 0, dead: 0 })
  expect((await as(admin).post(`${path}/deliveries/${told.id}/retry`)).body).toMatchObject({ state: 'waiting' })
  await rounds(createDeliverer(), 2)
  expect(receiver.received.at(-1)).toMatchObject({ raw: call.raw, headers: { 'webhook-id': id } })
  expect((await as(admin).get('/audit?entity=integration')).body.items[0]).toMatchObject({
    action: 'integration.retried',
    after: { name: 'ERP', count: 1 },
  })
  const stranger = (await seedTenant()).admin
  for (const where of ['deliveries', 'undelivered', `deliveries/${told.id}`]) {
    expect((await as(agent).get(`${path}/${where}`)).status).toBe(403)
    expect((await as(stranger).get(`${path}/${where}`)).status).toBe(404)
  }
  expect((await as(stranger).post(`${path}/deliveries/${told.id}/retry`)).status).toBe(404)
  const pages = [(await as(admin).get(`${path}/deliveries?limit=1`)).body]
  pages.push((await as(admin).get(`${path}/deliveries?limit=1&cursor=${pages[0].nextCursor}`)).body)
  expect(pages.flatMap(({ items }) => items)).toMatchObject([{ id: dead.id }, { id: told.id }])
  expect((await as(admin).get(`${path}/deliveries?state=dead`)).body.items).toEqual([])

  receiver.answers.push(410)
  await as(agent).put(`/tickets/${ticketId}`, { status: 'pending', userId: null })
  await rounds()
  expect((await as(admin).get(path)).body).toMatchObject({
    state: 'broken',
    stateText: expect.stringContaining('não existe'),
  })
  await as(admin).post(`${path}/test`)
  expect(await consumerOf(tenantId)).toMatchObject({ state: 'active' })
  await as(admin).delete(path)
  expect(await withTenant(tenantId, (tx) => tx.db.select().from(schema.deliveries))).toEqual([])
  await receiver.close()
})
