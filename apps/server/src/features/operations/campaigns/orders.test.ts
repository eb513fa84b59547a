import { campaignAnswer } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { campaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import { eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { campaignOrders, campaignRecipients, campaigns } from '../../../db/schema/operations/campaigns.ts'
import { opportunities } from '../../../db/schema/sales/funnel.ts'
import { findCampaign } from './campaigns.present.ts'

const { as, seedTenant, createConnection, createContact, withTenant } = await startTestApp()
const steps = [
  campaignStep.parse({ variants: [{ content: { parts: [{ kind: 'text', body: 'Oi, {{primeiro_nome}}' }] } }] }),
]
const hour = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * hour)

const seedShop = async () => {
  const tenant = await seedTenant()
  const { tenantId } = tenant
  const me = as(tenant.admin)
  const connectionId = await createConnection(tenant)
  const { id: pipelineId } = (await me.post('/pipelines', { name: 'Vendas' })).body
  const stage = { pipelineId, name: 'Nova', color: '#112233', position: 1, probability: 50 }
  const { id: stageId } = (await me.post('/stages', stage)).body
  return {
    ...{ tenant, me, pipelineId, stageId },
    campaign: async (name: string): Promise<string> => {
      const { id } = (await me.post('/campaigns', { name, steps, connectionIds: [connectionId] })).body
      const running = { state: 'running' as const, startedAt: ago(1_000), dueAt: null }
      await withTenant(tenantId, (tx) => tx.db.update(campaigns).set(running).where(eq(campaigns.id, id)))
      return id
    },
    send: (campaignId: string, contactId: string, sentAt: Date | null, step = 0) =>
      withTenant(tenantId, (tx) =>
        tx.db.insert(campaignRecipients).values({
          ...{ tenantId, campaignId, contactId, connectionId, variant: 0, step, messageId: v7(), sentAt },
          state: sentAt ? 'sent' : 'uncertain',
        }),
      ),
    order: async (contactId: string, value = 10_000): Promise<string> =>
      (await me.post('/opportunities', { name: 'Vestido', stageId, contactId, value })).body.id,
    ordersOf: async (campaignId: string) => (await me.get(`/campaigns/${campaignId}/report`)).body.orders,
    whoOrdered: async (campaignId: string, orders = 'created') =>
      (await me.get(`/campaigns/contacts/${campaignId}?orders=${orders}`)).body.items.map(
        ({ contact }: { contact: { name: string } }) => contact.name,
      ),
    links: () => withTenant(tenantId, (tx) => tx.db.select().from(campaignOrders).orderBy(campaignOrders.campaignId)),
  }
}

test('an opportunity counts in each campaign that had written in time, and as what has become of it since', async () => {
  const shop = await seedShop()
  const { me, campaign, send, order, ordersOf, whoOrdered } = shop
  const ana = await createContact(shop.tenant, { name: 'Ana' })
  const [recent, twice, old, unknown] = [
    await campaign('Natal'),
    await campaign('Frete'),
    await campaign('Outono'),
    await campaign('Talvez'),
  ]
  await send(recent, ana, ago(1))
  await send(twice, ana, ago(3))
  await send(twice, ana, ago(2), 1)
  await send(old, ana, ago(8 * 24))
  await send(unknown, ana, null)
  const id = await order(ana)
  const one = { created: 1, won: 0, wonCents: 0 }
  const none = { created: 0, won: 0, wonCents: 0 }
  expect([await ordersOf(recent), await ordersOf(twice)]).toEqual([one, one])
  expect([await ordersOf(old), await ordersOf(unknown)]).toEqual([none, none])
  // Sent to once more, it is still what the order had followed that counts.
  await send(old, ana, new Date(), 1)
  expect(await ordersOf(old)).toEqual(none)
  expect((await me.get(`/campaigns/contacts/${twice}?orders=created`)).body.items).toMatchObject([{ step: 1 }])

  const reason = (await me.post('/outcome-reasons', { name: 'Preço', outcome: 'win' })).body
  const won = await me.put(`/opportunities/${id}`, { status: 'win', reasonId: reason.id })
  expect(won.status).toBe(200)
  expect(await ordersOf(recent)).toEqual({ created: 1, won: 1, wonCents: 10_000 })
  expect([await whoOrdered(recent, 'won'), await whoOrdered(old, 'won')]).toEqual([['Ana'], []])
  await me.put(`/opportunities/${id}`, { value: 12_500 })
  expect(await ordersOf(twice)).toEqual({ created: 1, won: 1, wonCents: 12_500 })
  await me.put(`/opportunities/${id}`, { status: 'open' })
  expect(await ordersOf(twice)).toEqual(one)
  expect([await whoOrdered(twice), await whoOrdered(twice, 'won')]).toEqual([['Ana'], []])
  await me.delete(`/opportunities/${id}`)
  expect([await ordersOf(twice), await whoOrdered(twice), await shop.links()]).toEqual([none, [], []])
})

test('an order follows its contact: to another one, into a merge and out of it, and away', async () => {
  const shop = await seedShop()
  const { me, tenant, campaign, send, order, ordersOf, whoOrdered } = shop
  const [ana, bia, same] = [
    await createContact(tenant, { name: 'Ana' }),
    await createContact(tenant, { name: 'Bia' }),
    await createContact(tenant, { name: 'Ana Lima' }),
  ]
  const id = await campaign('Natal')
  await send(id, ana, ago(1))
  const first = await order(ana)
  expect((await me.put(`/opportunities/${first}`, { contactId: bia })).status).toBe(200)
  expect((await ordersOf(id)).created).toBe(0)
  await me.put(`/opportunities/${first}`, { contactId: ana })
  expect(await whoOrdered(id)).toEqual(['Ana'])

  // Ana was written to, and is part of somebody else by the time the second order begins.
  expect((await me.post(`/contacts/${same}/merge`, { otherId: ana })).status).toBe(200)
  expect((await ordersOf(id)).created).toBe(1)
  await order(same)
  expect((await ordersOf(id)).created).toBe(2)
  const [merge] = (await me.get(`/contacts/${same}/merges`)).body.items
  expect((await me.post(`/contact-merges/${merge.id}/undo`)).status).toBe(200)
  expect((await ordersOf(id)).created).toBe(2)

  expect((await me.delete(`/contactsforce/${ana}`)).status).toBe(204)
  expect((await shop.links()).map(({ opportunityId }) => opportunityId)).not.toContain(first)
})

test('days that change while a campaign runs hold for what begins from then on, as they do for answers', async () => {
  const shop = await seedShop()
  const { me, tenant, campaign, send, order, ordersOf } = shop
  const ana = await createContact(tenant, { name: 'Ana' })
  const id = await campaign('Natal')
  await send(id, ana, ago(48))
  await order(ana)
  const adjust = (days: number) => me.put(`/campaigns/${id}`, { answer: campaignAnswer.parse({ days }) })
  expect((await adjust(1)).status).toBe(200)
  await order(ana)
  expect((await ordersOf(id)).created).toBe(1)
  await adjust(3)
  await order(ana)
  expect((await ordersOf(id)).created).toBe(2)
})

test('opportunities written together are attributed together, and finding them again changes nothing', async () => {
  const shop = await seedShop()
  const { tenant, pipelineId, stageId, campaign, send, ordersOf, links } = shop
  const { tenantId } = tenant
  const id = await campaign('Natal')
  const contacts = await Promise.all(['Ana', 'Bia', 'Caio'].map((name) => createContact(tenant, { name })))
  const [ana = '', bia = ''] = contacts
  await send(id, ana, ago(5))
  await send(id, bia, ago(5))
  await withTenant(tenantId, (tx) =>
    tx.db.insert(opportunities).values(
      contacts.flatMap((contactId) =>
        // One before the send, as an import of what was sold elsewhere may bring it.
        [ago(6), ago(4), ago(3)].map((createdAt) => ({
          ...{ tenantId, name: 'Vestido', pipelineId, stageId, position: 1, contactId },
          ...{ value: 500, status: 'win' as const, createdAt },
        })),
      ),
    ),
  )
  expect(await ordersOf(id)).toEqual({ created: 4, won: 4, wonCents: 2_000 })
  const before = await links()
  await withTenant(tenantId, (tx) =>
    tx.db.execute(
      sql`select attribute_orders(${tenantId}, array(select id from opportunities where tenant_id = ${tenantId}))`,
    ),
  )
  expect(await links()).toEqual(before)
})

test('nobody waits with an opportunity until a campaign has been changed', async () => {
  const { tenant, campaign, send, order, ordersOf } = await seedShop()
  const ana = await createContact(tenant, { name: 'Ana' })
  const id = await campaign('Natal')
  await send(id, ana, ago(1))
  await withTenant(tenant.tenantId, async (tx) => {
    await findCampaign(tx, id, 'lock')
    await order(ana)
    expect((await ordersOf(id)).created).toBe(1)
  })
})
