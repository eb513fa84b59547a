import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createContact, createTicket, createUser, withTenant, schema } = kit
type Tenant = Awaited<ReturnType<typeof seedTenant>>

const write = async (
  tenant: Tenant,
  ticketId: string,
  body: string,
  more: { userId?: string; type?: 'note' | 'text'; isDeleted?: boolean; createdAt?: Date } = {},
) =>
  withTenant(tenant.tenantId, async (tx) => {
    const [ticket] = (await tx.db.select().from(schema.tickets)).filter((one) => one.id === ticketId)
    if (!ticket) throw new Error('no ticket')
    await tx.db.insert(schema.messages).values({
      tenantId: tenant.tenantId,
      ticketId,
      contactId: ticket.contactId,
      connectionId: ticket.connectionId,
      fromMe: true,
      type: more.type ?? 'note',
      body,
      status: 'sent',
      userId: more.userId ?? tenant.agent.id,
      isDeleted: more.isDeleted ?? false,
      timestamp: new Date(),
      ...(more.createdAt ? { createdAt: more.createdAt } : {}),
    })
  })
const notes = (reply: { body: { items: { notes: string }[] } }) => reply.body.items.map((note) => note.notes)

test('notes are those of the tickets a person may see, newest first, and nothing else', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const seen = await createTicket(tenant, { queue: 'Vendas' })
  const hidden = await createTicket(tenant, { queue: 'Suporte' })
  await write(tenant, seen, 'cliente pediu desconto')
  await write(tenant, seen, 'para o cliente', { type: 'text' })
  await write(tenant, seen, 'apagada', { isDeleted: true })
  await write(tenant, hidden, 'do suporte')
  await write(tenant, seen, 'desconto aprovado')

  expect(notes(await as(tenant.agent).get('/ticketNotes'))).toEqual(['desconto aprovado', 'cliente pediu desconto'])
  expect(notes(await as(tenant.admin).get('/ticketNotes'))).toHaveLength(3)
  expect((await as(tenant.agent).get('/ticketNotes?searchParam=suporte&count=true')).body).toMatchObject({
    items: [],
    count: 0,
  })
  expect(notes(await as(tenant.admin).get(`/ticketNotes?ticketId=${hidden}`))).toEqual(['do suporte'])
})

test('notes are found by text or contact, author and day, and page by key', async () => {
  const tenant = await seedTenant()
  const other = await createUser(tenant.tenantId, { name: 'Rui Paz' })
  const contactId = await createContact(tenant, { name: 'Antônio Prado' })
  const ticketId = await createTicket(tenant, { contactId })
  const list = async (query: string) => notes(await as(tenant.admin).get(`/ticketNotes?${query}`))
  await write(tenant, ticketId, 'um', { createdAt: new Date('2026-03-10T02:30:00Z') }) // 9 March, 23:30 in São Paulo
  await write(tenant, ticketId, 'dois: ação', { userId: other.id })
  await write(tenant, ticketId, 'três')

  expect(await list('searchParam=ACAO')).toEqual(['dois: ação'])
  expect(await list('searchParam=antonio')).toHaveLength(3)
  expect(await list(`userId=${other.id}`)).toEqual(['dois: ação'])
  expect(await list('dateFrom=2026-03-09&dateTo=2026-03-09')).toEqual(['um'])
  const first = (await as(tenant.admin).get('/ticketNotes?limit=2&count=true')).body
  expect(first).toMatchObject({
    hasMore: true,
    count: 3,
    items: [{ notes: 'três', contact: { name: 'Antônio Prado' } }, {}],
  })
  expect(await list(`limit=2&cursor=${first.nextCursor}`)).toEqual(['um'])
})
