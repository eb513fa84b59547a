import { campaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import { eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startWaba, until } from '../src/features/conversations/messages/test-waba.ts'
import type { Cut } from './cut.ts'
import { killedAt } from './killed.ts'
import { startTestApp } from './kit.ts'

/** A process is killed at each step of what carries a message (T58): nothing is lost, nothing is done twice. */

const kit = await startTestApp()
const { as, ownerUrl, seedTenant, createContact, createTicket, withTenant, withPlatform, schema } = kit
const { forgetConnections } = await import('../src/features/channels/connections/context.ts')
const { createSender } = await import('../src/features/conversations/messages/sender.ts')
const { createJobs } = await import('../src/features/core/jobs/jobs.loop.ts')
const { rescueInbound, settleInbound } = await import('../src/features/intake/inbound/inbound.service.ts')
const { lookAfterCampaigns } = await import('../src/features/operations/campaigns/campaigns.loop.ts')
const { feedCampaigns } = await import('../src/features/operations/campaigns/feed.loop.ts')
const { writeAllDue } = await import('../src/features/operations/schedules/schedules.loop.ts')

const tenant = await seedTenant({ queues: ['Vendas'] })
const { sim, connectionId } = await startWaba(kit, tenant)
sim.policy.hasWindow = false
sim.setWebhook(undefined) // no receipt settles what is uncertain
const me = as(tenant.agent)
const inTenant = <T>(work: Parameters<typeof withTenant<T>>[1]) => withTenant(tenant.tenantId, work)
await inTenant((tx) =>
  tx.db
    .update(schema.connections)
    .set({ abilities: sql`abilities || '{"windowHours": null, "personWindowHours": null}'` })
    .where(eq(schema.connections.id, connectionId)),
)
forgetConnections()

let nextPhone = 5511940000000
const newPhone = () => String(nextPhone++)
const openTicket = async () => {
  const contactId = await createContact(tenant, { number: newPhone() })
  return { contactId, ticketId: await createTicket(tenant, { contactId, connectionId, userId: tenant.agent.id }) }
}
const saying = (body: string) =>
  inTenant((tx) => tx.db.select().from(schema.messages).where(eq(schema.messages.body, body)))
/** What reached the provider with these words in it. */
const sends = (body: string) => sim.requests.filter((one) => JSON.stringify(one.body)?.includes(body))

/** Whoever comes next, some time later: all that waits is done. */
const restart = async () => {
  await withPlatform('test', (tx) =>
    tx.db.execute(
      sql`update journal set received_at = now() - interval '1 minute', processed_at = null where state = 'received'`,
    ),
  )
  await rescueInbound()
  await settleInbound()
  const [sender, jobs] = [createSender(), createJobs()]
  await writeAllDue()
  await feedCampaigns()
  while ((await jobs.run()).did);
  await sender.adopt()
  await sender.finish()
  await until(async () => {
    await sender.claim(() => {})
    await sender.finish()
    const [left] = (
      await inTenant((tx) => tx.db.execute(sql`select from messages where status in ('queued', 'sending')`))
    ).rows
    return !left
  }, 10_000)
}

/** Messages of ours: stored once, sent at most once, and where nobody can know it, that is what is said. */
const expectSent = async (body: string, status: 'sent' | 'uncertain', times: number) => {
  expect(await saying(body)).toMatchObject([
    status === 'sent' ? { status, error: null } : { status, error: expect.stringContaining('Entrega incerta') },
  ])
  expect(sends(body)).toHaveLength(times)
}

const hearing: [string, Cut][] = [
  ['before it is written down', { before: 'journal_insert' }],
  ['written down, not acknowledged', { after: 'journal_insert' }],
  ['acknowledged, before who wrote is looked for', { before: 'inbound_identify' }],
  ['once their contact is made', { after: 'insert into "contacts"' }],
  ['stored, before anybody knows', { after: 'messages_store' }],
]
test.each(hearing)('what a customer writes, killed %s, is there once', async (name, cut) => {
  const [from, words] = [newPhone(), `Ouvido: ${name}`]
  const message = { from, id: `wamid.${v7()}`, timestamp: String(Math.floor(Date.now() / 1_000)), type: 'text' }
  const value = {
    ...{ messaging_product: 'whatsapp', metadata: { phone_number_id: sim.options.phoneNumberId } },
    messages: [{ ...message, text: { body: words } }],
  }
  const entry = [{ id: '2001', changes: [{ field: 'messages', value }] }]
  const payload = JSON.stringify({ object: 'whatsapp_business_account', entry })
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': sim.sign(payload) }
  const call = { method: 'POST', url: `/hooks/waba/${connectionId}`, headers, payload } as const
  const said = await killedAt(
    ownerUrl,
    cut,
    `const app = await (await load('../app.ts')).buildApp()
    const { statusCode } = await app.inject(${JSON.stringify(call)})
    process.stdout.write(String(statusCode))`,
  )
  // What was not acknowledged is told again.
  if (said !== '200') expect((await kit.app.inject(call)).statusCode).toBe(200)
  await restart()
  const [stored, ...others] = await saying(words)
  expect(others).toEqual([])
  expect(stored).toMatchObject({ fromMe: false, status: 'received' })
  const contacts = await inTenant((tx) => tx.db.select().from(schema.contacts).where(eq(schema.contacts.number, from)))
  const tickets = await inTenant((tx) =>
    tx.db
      .select()
      .from(schema.tickets)
      .where(eq(schema.tickets.contactId, contacts[0]?.id ?? '')),
  )
  expect(contacts).toHaveLength(1)
  expect(tickets).toMatchObject([{ id: stored?.ticketId, status: 'pending', unreadMessages: 1, lastMessage: words }])
})

const writing: [string, Cut][] = [
  ['before it is stored', { before: 'messages_store' }],
  ['stored, before the browser hears of it', { after: 'messages_store' }],
]
test.each(writing)('what an attendant writes, killed %s, leaves once', async (name, cut) => {
  const { ticketId } = await openTicket()
  const [url, payload] = [`/messages/${ticketId}`, { id: v7(), body: `Escrito: ${name}` }]
  const headers = { authorization: `Bearer ${tenant.agent.token}` }
  const said = await killedAt(
    ownerUrl,
    cut,
    `const app = await (await load('../app.ts')).buildApp()
    await app.inject(${JSON.stringify({ method: 'POST', url: `/api${url}`, headers, payload })})
    process.stdout.write('answered')`,
  )
  // The browser asks again under the same id.
  expect(said).toBe('')
  expect(await me.post(url, payload)).toMatchObject({ status: 200 })
  await restart()
  await expectSent(payload.body, 'sent', 1)
})

const sending: [string, Cut, 'sent' | 'uncertain', number][] = [
  ['before it is taken', { before: 'sender_claim' }, 'sent', 1],
  ['taken, before the provider is asked', { after: 'sender_claim' }, 'uncertain', 0],
  ['once the provider is asked', { request: 'asked' }, 'uncertain', 1],
  ['as the provider answers', { request: 'answered' }, 'uncertain', 1],
  ['before the answer is recorded', { before: 'sender_lock' }, 'uncertain', 1],
  ['once the answer is recorded', { after: 'messages_save_statuses' }, 'sent', 1],
]
const send = `await (await load('conversations/messages/sender.ts')).createSender().claim(() => {})`
test.each(sending)('what leaves, killed %s, is never sent twice', async (name, cut, status, times) => {
  const { ticketId } = await openTicket()
  const body = `Enviado: ${name}`
  expect(await me.post(`/messages/${ticketId}`, { id: v7(), body })).toMatchObject({ status: 200 })
  await killedAt(ownerUrl, cut, send)
  if (times) await until(async () => sends(body).length > 0 || status === 'sent')
  await restart()
  await expectSent(body, status, times)
})

const always = { from: '00:00', until: '00:00', days: [0, 1, 2, 3, 4, 5, 6], skipHolidays: false }
/** A campaign that runs, to one person. */
const runCampaign = async (body: string) => {
  const admin = as(tenant.admin)
  const contactId = await createContact(tenant, { number: newPhone() })
  const { body: made } = await admin.post('/campaigns', {
    ...{ name: 'Corte', connectionIds: [connectionId], window: always },
    steps: [campaignStep.parse({ variants: [{ content: { parts: [{ kind: 'text', body }] } }] })],
    audience: { include: [{ kind: 'contacts', contactIds: [contactId] }] },
  })
  expect(await admin.post(`/campaigns/${made.id}/start`)).toMatchObject({ status: 200 })
  await lookAfterCampaigns()
  return async () => (await admin.get(`/campaigns/${made.id}`)).body
}
const feeding: [string, Cut][] = [
  ['before the message is stored', { before: 'messages_store' }],
  ['before it is committed', { after: 'campaign_settle' }],
  ['once it is committed', { after: 'commit' }],
]
test.each(feeding)('a campaign, killed %s, writes to everybody once', async (name, cut) => {
  const words = `Campanha: ${name}`
  const read = await runCampaign(words)
  await killedAt(ownerUrl, cut, `await (await load('operations/campaigns/feed.loop.ts')).feedCampaigns()`)
  await restart()
  await expectSent(words, 'sent', 1)
  expect((await read()).numbers).toMatchObject({ total: 1, waiting: 0, sent: 1, uncertain: 0 })
})
/** What goes to many is recorded in its own way. */
const sendingToMany = sending.filter(
  ([, cut]) => !('before' in cut) && !('request' in cut && cut.request === 'answered'),
)
test.each(sendingToMany)('what a campaign sends, killed %s, is never sent twice', async (name, cut, status, times) => {
  const words = `Disparo: ${name}`
  const read = await runCampaign(words)
  await feedCampaigns()
  await killedAt(ownerUrl, cut, send)
  if (times) await until(async () => sends(words).length > 0 || status === 'sent')
  await restart()
  await expectSent(words, status, times)
  expect((await read()).numbers).toMatchObject({ total: 1, waiting: 0, [status]: 1 })
})

const scheduled: [string, Cut][] = [
  ['before it is stored', { before: 'messages_store' }],
  ['once it is stored', { after: 'messages_store' }],
]
test.each(scheduled)('a scheduled message, killed %s, leaves once', async (name, cut) => {
  const { contactId } = await openTicket()
  const body = `Agendado: ${name}`
  const scheduleDate = new Date(Date.now() + 3_600_000).toISOString()
  const { id } = (await me.post('/messagesSchedule', { contactId, connectionId, body, scheduleDate })).body
  const at = new Date()
  await inTenant((tx) =>
    tx.db.update(schema.schedules).set({ dueAt: at, attemptAt: at }).where(eq(schema.schedules.id, id)),
  )
  await killedAt(ownerUrl, cut, `await (await load('operations/schedules/schedules.loop.ts')).writeAllDue()`)
  // What the killed process held is free a moment after its end.
  await until(async () => {
    await writeAllDue()
    return (await saying(body)).length > 0
  })
  await restart()
  await expectSent(body, 'sent', 1)
})

const working: [string, Cut][] = [
  ['before a step is taken', { before: 'from "bulk_jobs"' }],
  ['before it is counted', { before: 'update "bulk_jobs"' }],
  ['once a step is committed', { after: 'commit' }],
]
test.each(working)('a job over conversations, killed %s, does each once', async (_, cut) => {
  const shop = await seedTenant()
  await Promise.all(Array.from({ length: 5 }, () => createTicket(shop, { userId: shop.agent.id })))
  const { id } = (await as(shop.admin).post('/closeAllOpen', {})).body
  await killedAt(
    ownerUrl,
    cut,
    `await load('index.ts')
    await (await load('core/jobs/jobs.loop.ts')).createJobs().run()`,
  )
  await restart()
  expect((await as(shop.admin).get(`/bulkJobs/${id}`)).body).toMatchObject({ state: 'done', done: 5, failed: 0 })
  const logs = await withTenant(shop.tenantId, (tx) => tx.db.select().from(schema.ticketLogs))
  const closed = logs.filter(({ type }) => type === 'closed').map(({ ticketId }) => ticketId)
  expect(closed).toHaveLength(5)
  expect(new Set(closed).size).toBe(5)
})
