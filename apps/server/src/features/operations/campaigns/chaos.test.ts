import { blankNode, type FlowNode } from '@balcao/contract/automation/flows/graph.ts'
import { campaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import { and, eq, sql } from 'drizzle-orm'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { campaignRecipients, campaigns } from '../../../db/schema/operations/campaigns.ts'
import { forgetConnections } from '../../channels/connections/context.ts'
import { startWaba, until } from '../../conversations/messages/test-waba.ts'

const kit = await startTestApp()
const { as, seedTenant, createContact, withTenant, schema, invalidateDirectory } = kit
const { lookAfterCampaigns } = await import('./campaigns.loop.ts')
const { wakeSender } = await import('../../conversations/messages/sender.ts')
const { feedCampaigns } = await import('./feed.loop.ts')
const { brakeBaseOf } = await import('./brake.ts')

const tenant = await seedTenant({ queues: ['Vendas'] })
const me = as(tenant.admin)
const { sim, connectionId } = await startWaba(kit, tenant)
sim.policy.hasWindow = false
const always = { from: '00:00', until: '00:00', days: [0, 1, 2, 3, 4, 5, 6], skipHolidays: false }
const text = (body: string, more: object = {}) => ({
  ...campaignStep.parse({ variants: [{ content: { parts: [{ kind: 'text', body }] } }] }),
  ...more,
})
const inTenant = <T>(work: Parameters<typeof withTenant<T>>[1]) => withTenant(tenant.tenantId, work)

beforeAll(async () => {
  await inTenant((tx) =>
    tx.db
      .update(schema.connections)
      .set({ abilities: sql`abilities || '{"windowHours": null, "personWindowHours": null}'` })
      .where(eq(schema.connections.id, connectionId)),
  )
  forgetConnections()
  return (await startTestWorkers('sender', 'inbound rescue', 'turns')).stop
})
afterEach(() => vi.useRealTimers())

let phone = 30_000_000
const people = async (many: number) => {
  const contactIds: string[] = []
  for (let n = 0; n < many; n += 1) {
    phone += 1
    contactIds.push(await createContact(tenant, { name: 'Rita Lima', number: `55119${phone}` }))
  }
  return contactIds
}
const run = async (contactIds: string[], given: object = {}) => {
  const { body: made } = await me.post('/campaigns', {
    ...{ name: 'Queda', connectionIds: [connectionId], window: always, steps: [text('Oi, {{primeiro_nome}}!')] },
    ...{ audience: { include: [{ kind: 'contacts', contactIds }] }, brake: { failedPercent: 100 } },
    ...given,
  })
  expect((await me.post(`/campaigns/${made.id}/start`)).status).toBe(200)
  await look(made.id)
  expect((await me.get(`/campaigns/${made.id}`)).body.state).toBe('running')
  return made.id as string
}
/** It is looked after now, until its audience is frozen. */
const look = async (id: string) => {
  for (let state = 'preparing'; state === 'preparing'; state = (await me.get(`/campaigns/${id}`)).body.state) {
    await inTenant((tx) =>
      tx.db.update(campaigns).set({ dueAt: sql`now() - interval '1 second'` }).where(eq(campaigns.id, id)),
    )
    await lookAfterCampaigns()
  }
}
const numbers = async (id: string) => (await me.get(`/campaigns/${id}`)).body.numbers
const recipients = (id: string) =>
  inTenant((tx) =>
    tx.db
      .select()
      .from(campaignRecipients)
      .where(and(eq(campaignRecipients.tenantId, tenant.tenantId), eq(campaignRecipients.campaignId, id)))
      .orderBy(campaignRecipients.step, campaignRecipients.id),
  )
/** What reached the provider, by the words in it. */
const got = (words: string) =>
  sim.requests.filter((one) => one.path.endsWith('/messages') && JSON.stringify(one.body).includes(words))
const to = (words: string) => got(words).map(({ body }) => (body as { to: string }).to)
const of = (words: string) => (one: { body: unknown }) => JSON.stringify(one.body).includes(words)
/** What waits to be tried again is tried now. */
const tryNow = () =>
  inTenant((tx) =>
    tx.db.update(schema.messages).set({ nextAttemptAt: null }).where(eq(schema.messages.status, 'queued')),
  )
/** What its connection rests between two sends; it may begin at once. */
const rest = (restSeconds: number) =>
  inTenant(async (tx) => {
    const options = restSeconds ? { restSeconds } : {}
    await tx.db.update(schema.connections).set({ options }).where(eq(schema.connections.id, connectionId))
    await tx.db.update(schema.connectionPace).set({ nextAt: sql`now()` })
  })
const dayMs = 86_400_000
const at = { x: 0, y: 0 }
const greeting: FlowNode[] = [
  { ...blankNode('start', 'start', at), next: { next: 'm' } },
  {
    ...blankNode('message', 'm', at),
    data: { parts: [{ kind: 'text', body: 'Que bom ouvir de você!', mediaId: null, interactive: null }] },
  },
]

test('a provider that is down loses nobody, and writes to nobody twice once it is back', async () => {
  const id = await run(await people(4), { steps: [text('fora do ar')] })
  sim.faults.next({ status: 503, times: 1_000, match: of('fora do ar') })
  await feedCampaigns()
  await until(async () => got('fora do ar').length >= 4, 15_000)
  await feedCampaigns()
  expect(await numbers(id)).toMatchObject({ total: 4, sent: 0, failed: 0 })
  sim.faults.clear()
  await until(async () => {
    await tryNow()
    wakeSender()
    return (await numbers(id)).delivered === 4
  }, 15_000)
  expect(await numbers(id)).toMatchObject({ sent: 4, failed: 0, uncertain: 0 })
  expect(new Set(to('fora do ar')).size).toBe(4)
}, 40_000)

test('while a slow provider has one of them, a cancel takes back all others, and that one ends as sent', async () => {
  await rest(600)
  const id = await run(await people(30), { steps: [text('devagar')] })
  sim.faults.next({ delayMs: 1_500, match: of('devagar') })
  await feedCampaigns()
  await until(async () => got('devagar').length === 1, 15_000)
  expect((await me.post(`/campaigns/${id}/cancel`)).body.state).toBe('canceled')
  const left = await inTenant((tx) =>
    tx.db.$count(schema.messages, and(eq(schema.messages.status, 'queued'), eq(schema.messages.sendType, 'campaign'))),
  )
  expect(left).toBe(0)
  await until(async () => (await numbers(id)).delivered === 1, 15_000)
  await feedCampaigns()
  expect(to('devagar')).toHaveLength(1)
  expect(await numbers(id)).toMatchObject({ sent: 1, failed: 0, uncertain: 0 })
  await rest(0)
}, 40_000)

test('a cancel stops what is fed and leaving at full speed within five seconds, and for good', async () => {
  const many = 150
  const id = await run(await people(many), { steps: [text('a toda')] })
  await feedCampaigns()
  const queued = () =>
    inTenant((tx) =>
      tx.db.$count(
        schema.messages,
        and(eq(schema.messages.sendType, 'campaign'), eq(schema.messages.status, 'queued')),
      ),
    )
  const inHand = () =>
    inTenant((tx) =>
      tx.db.$count(
        schema.messages,
        and(eq(schema.messages.sendType, 'campaign'), eq(schema.messages.status, 'sending')),
      ),
    )
  await until(async () => got('a toda').length >= 20, 15_000)
  expect((await queued()) + (await inHand()) + got('a toda').length).toBeGreaterThan(100)
  const canceledAt = Date.now()
  expect((await me.post(`/campaigns/${id}/cancel`)).body.state).toBe('canceled')
  expect(await queued()).toBe(0)
  await until(async () => (await inHand()) === 0, 15_000)
  const sent = got('a toda')
  expect(Math.max(...sent.map(({ at }) => at)) - canceledAt).toBeLessThan(5_000)
  expect(sent.length).toBeLessThan(many)
  await feedCampaigns()
  wakeSender()
  await until(async () => (await numbers(id)).sent === sent.length, 15_000)
  expect(got('a toda')).toHaveLength(sent.length)
  expect(await numbers(id)).toMatchObject({ waiting: many - sent.length, failed: 0, uncertain: 0 })
}, 60_000)

test('a provider that tells states in any order, more than once and before it answers moves each mark once', async () => {
  sim.delivery.statusBeforeAnswer = true
  sim.delivery.reorder = true
  sim.delivery.duplicate = 3
  const id = await run(await people(6), { steps: [text('fora de ordem')] })
  await feedCampaigns()
  await until(async () => (await numbers(id)).delivered === 6, 15_000)
  await sim.idle()
  await until(async () => (await recipients(id)).every(({ state }) => state === 'delivered'), 15_000)
  expect(await numbers(id)).toMatchObject({ sent: 6, delivered: 6, read: 0, failed: 0, waiting: 0 })
  expect(to('fora de ordem')).toHaveLength(6)
  Object.assign(sim.delivery, { statusBeforeAnswer: false, reorder: false, duplicate: 0 })
}, 40_000)

test('whoever comes to belong to it later gets it once, and whoever has it gets it no more', async () => {
  const tag = (await me.post('/tags', { name: 'Chegam depois', color: '#112233' })).body.id
  const [first = '', second = ''] = await people(2)
  await me.put(`/contact-tags/${first}`, { tags: [tag] })
  const audience = { include: [{ kind: 'tags', tagIds: [tag] }], takesLate: true }
  const id = await run([], { audience, steps: [text('bem-vinda')] })
  await feedCampaigns()
  await until(async () => (await numbers(id)).delivered === 1, 15_000)
  await look(id)
  expect((await me.get(`/campaigns/${id}`)).body.state).toBe('running')
  await me.put(`/contact-tags/${second}`, { tags: [tag] })
  await inTenant((tx) =>
    tx.db.update(campaigns).set({ preparedAt: sql`now() - interval '6 minutes'` }).where(eq(campaigns.id, id)),
  )
  await until(async () => {
    await look(id)
    return (await recipients(id)).length === 2
  }, 15_000)
  await feedCampaigns()
  await until(async () => (await numbers(id)).delivered === 2, 15_000)
  await look(id)
  await feedCampaigns()
  expect((await recipients(id)).map(({ contactId }) => contactId).sort()).toEqual([first, second].sort())
  expect(to('bem-vinda')).toHaveLength(2)
  await me.post(`/campaigns/${id}/cancel`)
}, 40_000)

test('a clock that jumps writes no follow-up before its time and nothing twice', async () => {
  const later = text('segunda vez', { afterHours: 48, unless: 'never' })
  const id = await run(await people(2), { steps: [text('primeira vez'), later] })
  const at = async (ms: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
    await feedCampaigns()
    vi.useRealTimers()
  }
  await at(-3 * dayMs)
  await until(async () => (await numbers(id)).delivered === 2, 15_000)
  for (const ms of [3 * dayMs, -3 * dayMs, 0]) await at(ms)
  expect(to('primeira vez')).toHaveLength(2)
  expect(to('segunda vez')).toHaveLength(0)
  await inTenant((tx) =>
    tx.db.execute(sql`update campaign_recipients set due_at = now() - interval '1 second',
      sent_at = sent_at - interval '49 hours' where campaign_id = ${id}`),
  )
  await at(-3 * dayMs)
  await until(async () => to('segunda vez').length === 2, 15_000)
  await me.post(`/campaigns/${id}/cancel`)
}, 40_000)

test('with its clock days ahead a process ends nothing early, and what it looked after is looked after again in seconds', async () => {
  const endsAt = new Date(Date.now() + dayMs).toISOString()
  const { body: made } = await me.post('/campaigns', {
    ...{ name: 'Relógio', connectionIds: [connectionId], window: always, steps: [text('adiantado')], endsAt },
    audience: { include: [{ kind: 'contacts', contactIds: await people(1) }], takesLate: true },
  })
  expect((await me.post(`/campaigns/${made.id}/start`)).status).toBe(200)
  const dueSoon = async () => {
    const [row] = await inTenant((tx) =>
      tx.db
        .select({ isSoon: sql<boolean>`due_at < now() + interval '10 minutes'`, base: campaigns.brakeBase })
        .from(campaigns)
        .where(eq(campaigns.id, made.id)),
    )
    return row
  }
  const lookAhead = async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * dayMs })
    await lookAfterCampaigns()
    vi.useRealTimers()
  }
  await lookAhead()
  expect((await me.get(`/campaigns/${made.id}`)).body.state).toBe('running')
  expect(await dueSoon()).toMatchObject({ isSoon: true })
  await inTenant((tx) =>
    tx.db.update(campaigns).set({ dueAt: sql`now() - interval '1 second'` }).where(eq(campaigns.id, made.id)),
  )
  await lookAhead()
  expect((await me.get(`/campaigns/${made.id}`)).body.state).toBe('running')
  expect(await dueSoon()).toMatchObject({ isSoon: true })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * dayMs })
  const base = await inTenant((tx) => brakeBaseOf(tx, made.id))
  vi.useRealTimers()
  expect(Date.parse(base.at)).toBeLessThanOrEqual(Date.now())
  await me.post(`/campaigns/${made.id}/cancel`)
}, 40_000)

test('an answer begins the flow of its campaign', async () => {
  const flowId = (await me.post('/chat-flow', { name: 'Interesse' })).body.id
  const { revision } = (await me.post(`/chat-flow/${flowId}/draft`, { base: 1, upserts: greeting })).body
  expect((await me.post(`/chat-flow/${flowId}/publish`, { revision })).status).toBe(200)
  invalidateDirectory(tenant.tenantId)
  const contactIds = await people(1)
  const id = await run(contactIds, { steps: [text('quer saber mais')], answer: { chatFlowId: flowId } })
  await feedCampaigns()
  await until(async () => (await numbers(id)).delivered === 1, 15_000)
  invalidateDirectory(tenant.tenantId)
  await sim.customer({ waId: to('quer saber mais')[0] ?? '', name: 'Rita' }).sendText('Quero!')
  await until(async () => got('Que bom ouvir de voc').length === 1, 15_000)
  expect(await numbers(id)).toMatchObject({ answered: 1 })
  // What the flow says last leaves too: its server would wait for it while the database is away.
  await until(async () => got('Vou passar').length === 1, 15_000)
  const unsent = sql`select from messages where tenant_id = ${tenant.tenantId} and status in ('queued', 'sending')`
  await until(async () => (await inTenant((tx) => tx.db.execute(unsent))).rowCount === 0, 15_000)
}, 40_000)
