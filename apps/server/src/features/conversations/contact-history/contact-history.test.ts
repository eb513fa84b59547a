import { sql } from 'drizzle-orm'
import pg from 'pg'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, createContact, createConnection, createTicket, schema, withTenant, ownerUrl } =
  await startTestApp()
const { linkPage } = await import('./contact-history.ts')
const { getDirectory } = await import('../../core/directory/directory.ts')
const { viewerOf } = await import('../tickets/tickets.policy.ts')
const { storeFile } = await import('../../core/media/media.service.ts')

test('the story and the files of a contact, page by page, only of conversations one may see', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const { tenantId, agent, admin } = tenant
  const contactId = await createContact(tenant)
  const connections = await Promise.all(Array.from({ length: 24 }, () => createConnection(tenant)))
  const tickets: string[] = []
  for (const [n, connectionId] of connections.entries())
    tickets.push(await createTicket(tenant, { contactId, connectionId, queue: n === 0 ? 'Suporte' : 'Vendas' }))
  const file = await storeFile({ tenantId, userId: admin.id, bytes: Buffer.from('contrato'), name: 'contrato.txt' })
  await withTenant(tenantId, async ({ db }) => {
    const base = {
      tenantId,
      contactId,
      fromMe: false,
      status: 'received' as const,
      timestamp: new Date(),
    }
    for (const n of [0, 1, 2]) {
      const where = { ...base, ticketId: tickets[n] ?? '', connectionId: connections[n] ?? '' }
      await db.insert(schema.messages).values([
        { ...where, type: 'document', mediaId: file.id, mediaState: 'ready' },
        { ...where, type: 'text', body: `Leia https://exemplo.com/${n}?a=1, por favor (http://outro.com).` },
        { ...where, type: 'text', body: 'sem endereço' },
      ])
    }
    await db.insert(schema.ratings).values({
      tenantId,
      ticketId: tickets[1] ?? '',
      contactId,
      connectionId: connections[1] ?? '',
      status: 'answered',
      grade: 4,
      answeredAt: new Date(),
      expiresAt: new Date(),
    })
  })

  const first = (await as(agent).get(`/contacts/${contactId}/story`)).body
  expect(first.items).toHaveLength(20)
  const rest = (await as(agent).get(`/contacts/${contactId}/story?cursor=${first.nextCursor}`)).body
  const seen = [...first.items, ...rest.items]
  expect(seen.map((one: { id: string }) => one.id).sort()).toEqual(tickets.slice(1).sort())
  expect(seen.find((one: { id: string }) => one.id === tickets[1])).toMatchObject({
    grade: 4,
    queue: { name: 'Vendas' },
  })
  expect((await as(admin).get(`/contacts/${contactId}/story?cursor=${first.nextCursor}`)).body.items).toHaveLength(4)

  const documents = (await as(agent).get(`/contacts/${contactId}/media?kind=document&limit=1`)).body
  expect(documents).toMatchObject({ hasMore: true, items: [{ ticketId: tickets[2], media: { name: 'contrato.txt' } }] })
  const older = (
    await as(agent).get(`/contacts/${contactId}/media?kind=document&limit=1&cursor=${documents.nextCursor}`)
  ).body
  expect(older).toMatchObject({ hasMore: false, items: [{ ticketId: tickets[1] }] })
  const links = (await as(agent).get(`/contacts/${contactId}/media?kind=link`)).body
  expect(links).toMatchObject({ hasMore: false })
  expect(links.items.map((one: { links: string[] }) => one.links)).toEqual([
    ['https://exemplo.com/2?a=1', 'http://outro.com'],
    ['https://exemplo.com/1?a=1', 'http://outro.com'],
  ])
  expect((await as(agent).get(`/contacts/${contactId}/media?kind=image`)).body.items).toEqual([])
  expect(await as(agent).get(`/contacts/${v7()}/story`)).toMatchObject({ status: 404 })
  expect(await as(agent).get(`/contacts/${contactId}/media?cursor=x`)).toMatchObject({ status: 422 })
})

test('an address of long ago stands on the first page, found by the index of addresses under the policies', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'], agentIn: ['Vendas'] })
  const { tenantId, agent } = tenant
  const contactId = await createContact(tenant)
  const connectionId = await createConnection(tenant)
  const ticketId = await createTicket(tenant, { contactId, connectionId, queue: 'Vendas' })
  await withTenant(tenantId, (tx) =>
    tx.db.execute(sql`insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, from_me, type, body, status, timestamp)
      select ${tenantId}, gen_random_uuid(), ${ticketId}, ${contactId}, ${connectionId}, n % 2 = 0,
        case when n = 4999 then 'note' else 'text' end,
        case when n in (1, 2, 3, 4999) then 'veja HTTPS://exemplo.com/' || n else 'conversa comum número ' || n end, 'received', now()
      from generate_series(1, 5000) n`),
  )
  const analyse = new pg.Client({ connectionString: ownerUrl })
  await analyse.connect()
  await analyse.query('analyze messages')
  await analyse.end()

  const links = async (more = '') => (await as(agent).get(`/contacts/${contactId}/media?kind=link&limit=2${more}`)).body
  const first = await links()
  expect(first.hasMore).toBe(true)
  expect(first.items.map((one: { links: string[] }) => one.links)).toEqual([
    ['HTTPS://exemplo.com/3'],
    ['HTTPS://exemplo.com/2'],
  ])
  expect(await links(`&cursor=${first.nextCursor}`)).toMatchObject({
    hasMore: false,
    items: [{ links: ['HTTPS://exemplo.com/1'] }],
  })

  const viewer = viewerOf(await getDirectory(tenantId), agent.id)
  const { text, values } = linkPage(tenantId, viewer, contactId, { limit: 2, before: undefined })
  const plan = await withTenant(tenantId, (tx) =>
    tx.rows<{ 'QUERY PLAN': string }>({ name: '', text: `explain ${text}` }, values),
  )
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('messages_links')
})
