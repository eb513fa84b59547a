import { campaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import { eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startWaba } from '../src/features/conversations/messages/test-waba.ts'
import { startTestApp } from './kit.ts'

const kit = await startTestApp()
const { as, ownerUrl, seedTenant, createContact, withTenant, withPlatform, schema, app } = kit
const { default: pg } = await import('pg')
const { forgetConnections } = await import('../src/features/channels/connections/context.ts')
const { createSender } = await import('../src/features/conversations/messages/sender.ts')
const { createJobs } = await import('../src/features/core/jobs/jobs.loop.ts')
const { settleInbound } = await import('../src/features/intake/inbound/inbound.service.ts')
const { lookAfterCampaigns } = await import('../src/features/operations/campaigns/campaigns.loop.ts')
const { feedCampaigns } = await import('../src/features/operations/campaigns/feed.loop.ts')
const { workers } = await import('../src/jobs/workers.ts')

const tenant = await seedTenant({ queues: ['Vendas'] })
const { sim, connectionId } = await startWaba(kit, tenant)
sim.policy.hasWindow = false
await withTenant(tenant.tenantId, (tx) =>
  tx.db
    .update(schema.connections)
    .set({ abilities: sql`abilities || '{"windowHours": null, "personWindowHours": null}'` })
    .where(eq(schema.connections.id, connectionId)),
)
forgetConnections()
const me = as(tenant.admin)

let nextPhone = 5511940000000
const hear = async () => {
  const from = String(nextPhone++)
  const message = { from, id: `wamid.${v7()}`, timestamp: String(Math.floor(Date.now() / 1_000)), type: 'text' }
  const value = {
    ...{ messaging_product: 'whatsapp', metadata: { phone_number_id: sim.options.phoneNumberId } },
    messages: [{ ...message, text: { body: `Oi de ${from}` } }],
  }
  const payload = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '2001', changes: [{ field: 'messages', value }] }],
  })
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': sim.sign(payload) }
  const url = `/hooks/waba/${connectionId}`
  expect((await app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(200)
  await new Promise((resolve) => setImmediate(resolve))
  await settleInbound()
  const { items } = (await me.get('/tickets?status=pending&showAll=true')).body
  return (items as { id: string; lastMessage: string }[]).find((one) => one.lastMessage === `Oi de ${from}`)
}
const messagesWith = (body: string) =>
  withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.messages).where(eq(schema.messages.body, body)))
/** What people and the product do all day, once. */
const work = async (round: string) => {
  const ticket = await hear()
  expect(ticket).toBeTruthy()
  expect(await me.put(`/tickets/${ticket?.id}`, { status: 'open', userId: tenant.admin.id })).toMatchObject({
    status: 200,
  })
  expect(await me.post(`/messages/${ticket?.id}`, { id: v7(), body: `Resposta ${round}` })).toMatchObject({
    status: 200,
  })
  const sender = createSender()
  const sent = async (body: string) => {
    await sender.claim(() => {})
    await sender.finish()
    return (await messagesWith(body))[0]?.status
  }
  await expect.poll(() => sent(`Resposta ${round}`)).toMatch(/sent|delivered|read/)
  const contactId = await createContact(tenant, { number: String(nextPhone++) })
  expect(await me.put(`/contacts/${contactId}`, { name: `Nome ${round}` })).toMatchObject({ status: 200 })
  const { body: campaign } = await me.post('/campaigns', {
    ...{
      name: round,
      connectionIds: [connectionId],
      audience: { include: [{ kind: 'contacts', contactIds: [contactId] }] },
    },
    window: { from: '00:00', until: '00:00', days: [0, 1, 2, 3, 4, 5, 6], skipHolidays: false },
    steps: [campaignStep.parse({ variants: [{ content: { parts: [{ kind: 'text', body: `Oferta ${round}` }] } }] })],
  })
  expect(await me.post(`/campaigns/${campaign.id}/start`)).toMatchObject({ status: 200 })
  await lookAfterCampaigns()
  await feedCampaigns()
  await expect.poll(() => sent(`Oferta ${round}`)).toMatch(/sent|delivered|read/)
  expect(await me.put(`/tickets/${ticket?.id}`, { status: 'closed' })).toMatchObject({ status: 200 })
  expect(await me.post('/closeAllPending', {})).toMatchObject({ status: 202 })
  const jobs = createJobs()
  while ((await jobs.run()).did);
  const ofTicket = [`/messages/${ticket?.id}`, `/tickets/${ticket?.id}/logs`]
  const lists = ['/tickets?showAll=true&count=true', '/contacts', '/campaigns', '/users/', '/whatsapp', '/audit']
  for (const path of [...ofTicket, ...lists]) expect(await me.get(path)).toMatchObject({ status: 200 })
  await settleInbound()
  // What asks once a second whether there is anything to do.
  for (const { due } of workers()) if (due) await withPlatform('test', (tx) => tx.db.execute(sql.raw(due)))
}

test('a process of the version before goes on while a migration gives every table a column (T60)', async () => {
  await work('antes')
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    const { rows } = await owner.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
    )
    expect(rows.length).toBeGreaterThan(100)
    for (const { name } of rows) {
      await owner.query(`alter table "${name}" add column new_text text`)
      await owner.query(`alter table "${name}" add column new_flag boolean not null default false`)
    }
  } finally {
    await owner.end()
  }
  await work('depois')
})
