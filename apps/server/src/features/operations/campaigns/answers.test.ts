import { campaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import { startMailSimulator } from '@balcao/simulators/mail.ts'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { campaignRecipients } from '../../../db/schema/operations/campaigns.ts'
import { forgetConnections } from '../../channels/connections/context.ts'
import { startWaba, until } from '../../conversations/messages/test-waba.ts'

const kit = await startTestApp()
const { as, call, seedTenant, createContact, createConnection, withTenant, schema, invalidateDirectory } = kit

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

test('a campaign by e-mail leaves with its subject and a way out; one click takes out, and opening the page alone nobody', async () => {
  const [address, password] = ['loja@teste.local', 'senha-da-caixa']
  const box = await startMailSimulator({ address, password })
  onTestFinished(() => box.close())
  const at = (port: number) => ({ Host: '127.0.0.1', Port: port, Security: 'none' as const })
  const under = (name: string, of: object) =>
    Object.fromEntries(Object.entries(of).map(([key, value]) => [`${name}${key}`, value]))
  const config = { address, password, ...under('imap', at(box.imapPort)), ...under('smtp', at(box.smtpPort)) }
  const mail = await createConnection(tenant, { kind: 'email', config })
  const contactId = await createContact(tenant, { name: 'Rita Alves' })
  expect((await me.put(`/contacts/${contactId}`, { email: 'rita@teste.local' })).status).toBe(200)
  const content = {
    subject: '{{primeiro_nome}}, chegou',
    parts: [{ kind: 'text', body: 'A coleção *nova* está na loja.' }],
  }
  const { body: made } = await me.post('/campaigns', {
    ...{ name: 'E-mail', connectionIds: [mail], window, steps: [campaignStep.parse({ variants: [{ content }] })] },
    audience: { include: [{ kind: 'contacts', contactIds: [contactId] }] },
  })
  expect(await me.post(`/campaigns/${made.id}/start`)).toMatchObject({ status: 200 })
  await until(async () => (await me.get(`/campaigns/${made.id}`)).body.numbers.sent === 1, 15_000)
  const [letter] = box.outbox
  expect(letter?.to).toEqual(['rita@teste.local'])
  expect(letter?.mail).toMatchObject({
    subject: 'Rita, chegou',
    html: expect.stringContaining('<strong>nova</strong>'),
  })
  const header = (key: string) => letter?.mail.headers.find((one) => one.key === key)?.value ?? ''
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  const wayOut = header('list-unsubscribe').slice(1, -1)
  expect(letter?.mail.text).toContain(wayOut)
  expect(letter?.mail.html).toContain(wayOut)

  const path = new URL(wayOut).pathname
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
  // Once more changes nothing, and an address that is not ours is told in words.
  expect((await kit.app.inject({ method: 'POST', url: path })).statusCode).toBe(200)
  for (const method of ['GET', 'POST'] as const) {
    const wrong = await kit.app.inject({ method, url: `${path}x` })
    expect(wrong.statusCode).toBe(404)
    expect(wrong.headers['content-type']).toContain('text/html')
    expect(wrong.body).toContain('Este link não vale mais')
  }
}, 40_000)
