import { campaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { campaignRecipients, campaigns } from '../../../db/schema/operations/campaigns.ts'
import { forgetConnections } from '../../channels/connections/context.ts'
import { startWaba, until } from '../../conversations/messages/test-waba.ts'

const kit = await startTestApp()
const { as, call, seedTenant, createContact, createConnection, withTenant, schema, invalidateDirectory } = kit
const { unsubscribeUrl } = await import('./unsubscribe.ts')

const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'] })
const me = as(tenant.admin)
const { sim, connectionId } = await startWaba(kit, tenant)
sim.policy.hasWindow = false
const window = { from: '00:00', until: '00:00', days: [0, 1, 2, 3, 4, 5, 6], skipHolidays: false }
const steps = [
  campaignStep.parse({ variants: [{ content: { parts: [{ kind: 'text', body: 'Oi, {{primeiro_nome}}!' }] } }] }),
]
const names = ['sender', 'inbound rescue', 'campaigns', 'campaign feeder', 'campaign tallies', 'turns']

beforeAll(async () => {
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(schema.connections)
      .set({ abilities: sql`abilities || '{"windowHours": null, "personWindowHours": null}'` })
      .where(eq(schema.connections.id, connectionId)),
  )
  forgetConnections()
  return (await startTestWorkers(...names)).stop
})

const recipientOf = async (contactId: string) => {
  const [row] = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(campaignRecipients).where(eq(campaignRecipients.contactId, contactId)),
  )
  return row
}

test('a campaign runs by itself from its start to the answer, which opens a conversation where the campaign says', async () => {
  const tag = (await me.post('/tags', { name: 'Campanha de verão', color: '#112233' })).body.id
  const numbers = ['5511988880001', '5511988880002', '5511988880003']
  const contactIds: string[] = []
  for (const number of numbers) contactIds.push(await createContact(tenant, { name: 'Maria Silva', number }))
  const { body: made } = await me.post('/campaigns', {
    ...{ name: 'Verão', connectionIds: [connectionId], window, steps },
    audience: { include: [{ kind: 'contacts', contactIds }] },
    answer: { queueId: tenant.queues.Suporte, tagIds: [tag] },
    brake: { words: ['procon'] },
  })
  expect((await me.post(`/campaigns/${made.id}/start`)).status).toBe(200)
  await until(async () => (await me.get(`/campaigns/${made.id}`)).body.numbers.delivered === 3, 15_000)
  expect(sim.requests.filter(({ path }) => path.endsWith('/messages'))).toHaveLength(3)
  await until(async () => (await me.get(`/campaigns/${made.id}`)).body.state === 'finished', 15_000)
  invalidateDirectory(tenant.tenantId)

  const [first, second, third] = numbers.map((waId) => sim.customer({ waId, name: 'Maria' }))
  await first?.sendText('Quero sim!')
  await until(async () => (await recipientOf(contactIds[0] ?? ''))?.answeredAt)
  const [opened] = (await me.get('/tickets?status=pending&showAll=true&includeNotQueueDefined=true')).body.items
  expect(opened).toMatchObject({ queueId: tenant.queues.Suporte, tags: [{ id: tag }], contactId: contactIds[0] })
  await first?.sendText('Ainda dá tempo?')
  await second?.sendText('SAIR')
  await third?.sendText('Vou no PROCON!')
  await until(async () => (await recipientOf(contactIds[1] ?? ''))?.optedOutAt)
  await until(async () => (await recipientOf(contactIds[2] ?? ''))?.complainedAt)
  expect((await me.get(`/campaigns/${made.id}`)).body.numbers).toMatchObject({
    answered: 3,
    optedOut: 1,
    complaints: 1,
  })
}, 40_000)

test('whoever got an e-mail is out after one click, and opening the page alone takes nobody out', async () => {
  const mail = await createConnection(tenant, { kind: 'email', config: { address: 'loja@teste.local' } })
  const contactId = await createContact(tenant, { name: 'Rita' })
  const { body: made } = await me.post('/campaigns', { name: 'E-mail', connectionIds: [mail] })
  const recipientId = await withTenant(tenant.tenantId, async (tx) => {
    await tx.db
      .insert(schema.contactIdentities)
      .values({ tenantId: tx.tenantId, kind: 'email', value: 'rita@teste.local', contactId })
    await tx.db.update(campaigns).set({ state: 'canceled' }).where(eq(campaigns.id, made.id))
    const row = {
      tenantId: tx.tenantId,
      campaignId: made.id,
      contactId,
      connectionId: mail,
      sentAt: new Date(),
      state: 'sent' as const,
    }
    const [kept] = await tx.db.insert(campaignRecipients).values(row).returning()
    return kept?.id ?? ''
  })
  const path = new URL(unsubscribeUrl(tenant.tenantId, recipientId)).pathname
  const page = await call('GET', path)
  expect(page).toMatchObject({ status: 200, body: expect.stringContaining('Empresa 1') })
  const isOut = async () => (await recipientOf(contactId))?.optedOutAt !== null
  expect(await isOut()).toBe(false)
  const clicked = await kit.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  })
  expect(clicked.statusCode).toBe(200)
  expect(await isOut()).toBe(true)
  const kept = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.consents).where(eq(schema.consents.identityValue, 'rita@teste.local')),
  )
  expect(kept.map(({ channel, isGiven }) => [channel, isGiven])).toContainEqual(['email', false])
  expect((await call('GET', `${path}x`)).status).toBe(404)
})
