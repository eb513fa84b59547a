import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { placesOf } from '../../../../test/traces.ts'
import type { InboundEvent, Speaker } from '../../../channels/adapter.ts'
import { mentionsOf } from '../../../channels/whatsapp/jids.ts'

const { as, seedTenant, createConnection, withTenant, schema } = await startTestApp()
const { ingest, settleInbound } = await import('../../intake/inbound/inbound.service.ts')

const phone = '5511987650123'
const lid = '987650123000456'
const name = 'Genoveva Quaresma'
const genoveva: Speaker = {
  identities: [
    { kind: 'phone', value: phone },
    { kind: 'lid', value: lid },
  ],
  name,
}
const lia: Speaker = { identities: [{ kind: 'phone', value: '5511922222222' }], name: 'Lia' }

const traces = (tenantId: number) => placesOf(tenantId, 'genoveva|quaresma|987650123|98765.?0123')
/** Kept for seven days and forgotten by themselves: what came in raw, and what is on its way to machines and screens. */
const passing = ['deliveries', 'journal', 'outbox']
const isPassing = (place: string) => passing.includes(place.split('.')[0] ?? '')

test('somebody who is deleted leaves neither name nor number behind, in whatever table', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const connectionId = await createConnection(tenant, {
    kind: 'evolution',
    config: { baseUrl: 'https://evolution.test', apiKey: 'chave-da-instancia', instanceName: 'loja' },
  })
  const group = { identities: [{ kind: 'group', value: '120363' }] as [Identity], name: 'Bairro', isGroup: true }
  const at = () => new Date()
  const said = (providerId: string, author: Speaker, body: string): InboundEvent => ({
    kind: 'message',
    providerId,
    from: group,
    author,
    fromMe: false,
    timestamp: at(),
    content: { type: 'text', body, mentions: mentionsOf(body) },
  })
  const heard: InboundEvent[] = [
    said('m1', genoveva, 'Bom dia'),
    said('m2', lia, `@${phone} viu isso?`),
    { kind: 'reaction', targetProviderId: 'm2', from: group, author: genoveva, fromMe: false, emoji: '👍', at: at() },
    { kind: 'edit', providerId: 'm2', body: `@${phone} você viu isso?`, at: at() },
    ...(['promoted', 'left'] as const).map(
      (change): InboundEvent => ({ kind: 'group', providerId: change, group, change, members: [genoveva], at: at() }),
    ),
    said('m3', genoveva, 'Até logo'),
  ]
  for (const [n, event] of heard.entries()) {
    await ingest(tenant.tenantId, connectionId, [event])
    await settleInbound()
    const [ticket] = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.tickets))
    // From then on somebody is told of what is said.
    if (!n) await as(tenant.admin).put(`/tickets/${ticket?.id}`, { status: 'open', userId: tenant.admin.id })
  }
  const [contact] = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.contacts).where(eq(schema.contacts.number, phone)),
  )
  if (!contact) throw new Error('nobody spoke')
  await as(tenant.admin).put(`/contacts/${contact.id}`, { name, email: 'genoveva@exemplo.com', notes: 'Mora no 12.' })
  await as(tenant.admin).put(`/contacts/${contact.id}`, { name: `Dona ${name}` })
  const before = await traces(tenant.tenantId)
  expect(before).toEqual(
    expect.arrayContaining(['audit.after', 'group_members.name', 'messages.author', 'messages.body']),
  )

  expect((await as(tenant.admin).delete(`/contacts/${contact.id}`)).status).toBe(204)
  expect((await traces(tenant.tenantId)).filter((place) => !isPassing(place))).toEqual([])
  const rows = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.messages).orderBy(schema.messages.seq),
  )
  expect(rows.find((row) => row.providerId === 'm1')).toMatchObject({
    body: 'Bom dia',
    author: { kind: 'contact', name: 'Contato excluído' },
  })
  expect(rows.find((row) => row.providerId === 'm2')).toMatchObject({
    body: '@Contato excluído você viu isso?',
    author: { name: 'Lia' },
    reactions: [{ emoji: '👍', author: { name: 'Contato excluído' } }],
  })
  const [ticket] = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.tickets))
  expect((await as(tenant.admin).get(`/messages/${ticket?.id}`)).status).toBe(200)
})
