import { campaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import { eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { placesOf } from '../../../../test/traces.ts'
import type { InboundEvent, Speaker } from '../../../channels/adapter.ts'
import { forgetConnections } from '../../channels/connections/context.ts'
import { startWaba } from '../../conversations/messages/test-waba.ts'

/** Somebody is erased while they are being attended and a campaign runs: nothing that comes late brings them back (T64). */

const kit = await startTestApp()
const { as, seedTenant, createConnection, withTenant, schema, app } = kit
const { ingest, rescueInbound, settleInbound } = await import('../../intake/inbound/inbound.service.ts')
const { receiveAnew } = await import('../../intake/journal/journal.queries.ts')
const { lookAfterCampaigns } = await import('../../operations/campaigns/campaigns.loop.ts')
const { feedCampaigns } = await import('../../operations/campaigns/feed.loop.ts')

const tenant = await seedTenant({ queues: ['Vendas'] })
const { sim, connectionId } = await startWaba(kit, tenant)
const me = as(tenant.admin)
const inTenant = <T>(work: Parameters<typeof withTenant<T>>[1]) => withTenant(tenant.tenantId, work)
beforeAll(async () => {
  await inTenant((tx) =>
    tx.db
      .update(schema.connections)
      .set({ abilities: sql`abilities || '{"windowHours": null, "personWindowHours": null}'` })
      .where(eq(schema.connections.id, connectionId)),
  )
  forgetConnections()
})

const phone = '5511987650123'
const name = 'Genoveva Quaresma'
const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000
const said = (body: string, at: number) => ({
  contacts: [{ profile: { name }, wa_id: phone }],
  messages: [
    { from: phone, id: `wamid.${v7()}`, timestamp: String(Math.floor(at / 1_000)), type: 'text', text: { body } },
  ],
})
const tell = async (value: object) => {
  const whole = { messaging_product: 'whatsapp', metadata: { phone_number_id: sim.options.phoneNumberId }, ...value }
  const entry = [{ id: '2001', changes: [{ field: 'messages', value: whole }] }]
  const payload = JSON.stringify({ object: 'whatsapp_business_account', entry })
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': sim.sign(payload) }
  const reply = await app.inject({ method: 'POST', url: `/hooks/waba/${connectionId}`, headers, payload })
  expect(reply.statusCode).toBe(200)
  await new Promise((resolve) => setImmediate(resolve))
  await settleInbound()
}
/** Some time later, whoever looks after what waits. */
const rescue = async () => {
  await inTenant((tx) =>
    tx.db.execute(
      sql`update journal set received_at = now() - interval '1 minute', processed_at = null where state = 'received'`,
    ),
  )
  await rescueInbound()
  await settleInbound()
}
const journal = () => inTenant((tx) => tx.db.select().from(schema.journal).orderBy(schema.journal.seq))
const people = () => inTenant((tx) => tx.db.select().from(schema.contacts))
const messages = () => inTenant((tx) => tx.db.select().from(schema.messages).orderBy(schema.messages.seq))
/** Also in what passes to screens for a second. */
const traces = () => placesOf(tenant.tenantId, 'genoveva|quaresma\\M|987650123|98765.?0123')

test('neither told again, told late, waiting its turn nor replayed, it is taken in; what they say afterwards is', async () => {
  const first = said('Sou a Genoveva', minutesAgo(9))
  await tell(first)
  const [[contact], [ticket]] = [await people(), await inTenant((tx) => tx.db.select().from(schema.tickets))]
  await me.put(`/tickets/${ticket?.id}`, { status: 'open', userId: tenant.admin.id })
  const answer = v7()
  await me.post(`/messages/${ticket?.id}`, { id: answer, body: 'Olá, Genoveva' })
  const { body: campaign } = await me.post('/campaigns', {
    ...{ name: 'Oferta', connectionIds: [connectionId], audience: { include: [{ kind: 'everybody' }] } },
    window: { from: '00:00', until: '00:00', days: [0, 1, 2, 3, 4, 5, 6], skipHolidays: false },
    steps: [
      campaignStep.parse({ variants: [{ content: { parts: [{ kind: 'text', body: 'Oi, {{primeiro_nome}}' }] } }] }),
    ],
  })
  expect(await me.post(`/campaigns/${campaign.id}/start`)).toMatchObject({ status: 200 })
  await lookAfterCampaigns()
  // Journalled, and its process died before it was handled.
  await tell(said('Esperava a vez', minutesAgo(8)))
  const [waits] = (await journal()).slice(-1)
  await inTenant(async ({ db }) => {
    await db.delete(schema.messages).where(eq(schema.messages.body, 'Esperava a vez'))
    await db
      .update(schema.journal)
      .set({ state: 'received' })
      .where(eq(schema.journal.id, waits?.id ?? ''))
  })

  expect((await me.delete(`/contactsforce/${contact?.id}`)).status).toBe(204)
  await feedCampaigns()
  await tell(first)
  await tell(said('Chegou tarde', minutesAgo(5)))
  await tell({
    statuses: [
      {
        id: 'wamid.tarde',
        status: 'read',
        timestamp: String(Math.floor(Date.now() / 1_000)),
        biz_opaque_callback_data: answer,
      },
    ],
  })
  await rescue()
  await inTenant(async (tx) =>
    receiveAnew(
      tx,
      (await journal()).map(({ id }) => id),
    ),
  )
  await rescue()
  expect(await people()).toEqual([])
  expect(await messages()).toEqual([])
  expect((await traces()).filter((place) => place !== 'outbox.payload')).toEqual([])
  expect((await journal()).filter(({ state }) => state === 'received')).toEqual([])
  expect((await me.get(`/campaigns/${campaign.id}`)).body.numbers).toMatchObject({ sent: 0, waiting: 0 })
  // Nothing of ours is listed among what the provider told.
  const listed = (await me.get(`/whatsapp/${connectionId}/journal`)).body.items as { kinds: string[] }[]
  expect(listed).toHaveLength((await journal()).filter(({ eventKey }) => !eventKey.startsWith('erased:')).length)

  await tell(said('Sou eu de novo', Date.now() + 1_000))
  expect(await messages()).toMatchObject([{ body: 'Sou eu de novo', fromMe: false }])
})

test('what was on its way to them comes back as an echo, and makes nobody', async () => {
  const config = { baseUrl: 'https://evolution.test', apiKey: 'chave-da-instancia', instanceName: 'loja' }
  const shop = await seedTenant()
  const gateway = await createConnection(shop, { kind: 'evolution', config })
  const lia: Speaker = { identities: [{ kind: 'phone', value: '5511922222222' }], name: 'Lia' }
  const message = (body: string, fromMe: boolean, at: number): InboundEvent => ({
    ...{ kind: 'message', providerId: v7(), from: lia, fromMe, timestamp: new Date(at) },
    content: { type: 'text', body },
  })
  await ingest(shop.tenantId, gateway, [message('Oi', false, Date.now())])
  const inShop = <T>(work: Parameters<typeof withTenant<T>>[1]) => withTenant(shop.tenantId, work)
  const [ticket] = await inShop((tx) => tx.db.select().from(schema.tickets))
  const { id: ticketId = '', contactId = '' } = ticket ?? {}
  await inShop((tx) =>
    tx.db.insert(schema.messages).values({
      ...{ tenantId: shop.tenantId, id: v7(), ticketId, contactId, connectionId: gateway, fromMe: true, type: 'text' },
      ...{ body: 'Pronto', status: 'sending', claimedBy: 'outra-maquina:1:x', claimedAt: new Date() },
      timestamp: new Date(),
    }),
  )
  expect((await as(shop.admin).delete(`/contactsforce/${contactId}`)).status).toBe(204)
  await ingest(shop.tenantId, gateway, [message('Pronto', true, Date.now() + 2_000)])
  expect(await inShop((tx) => tx.db.select().from(schema.contacts))).toEqual([])
  // Written on the phone some time later, it is a conversation like any other.
  await ingest(shop.tenantId, gateway, [message('Tudo bem?', true, Date.now() + 10 * 60_000)])
  expect(await inShop((tx) => tx.db.select().from(schema.messages))).toMatchObject([{ body: 'Tudo bem?' }])
})
