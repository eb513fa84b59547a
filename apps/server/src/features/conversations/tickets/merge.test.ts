import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { ingest } from '../../intake/inbound/inbound.service.ts'

const kit = await startTestApp()
const { as, seedTenant, createUser, createContact, createConnection, createTicket, schema, withTenant } = kit

let nextNumber = 700_100
const phone = '5511987650101'
const seedTwo = async (more: { source?: object; target?: object } = {}) => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const contactId = await createContact(tenant, { number: phone })
  const channel = () => {
    const phoneNumberId = String(nextNumber++)
    const secrets = { accessToken: 't'.repeat(30), appSecret: 's'.repeat(30), verifyToken: 'v'.repeat(30) }
    return createConnection(tenant, {
      kind: 'waba',
      externalId: phoneNumberId,
      config: { ...secrets, phoneNumberId, wabaId: '2001' },
    })
  }
  const [oldChannel, channelId] = [await channel(), await channel()]
  const ticket = (connectionId: string, given: object) =>
    createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, contactId, connectionId, ...given })
  const source = await ticket(oldChannel, more.source ?? {})
  const target = await ticket(channelId, more.target ?? {})
  return { tenant, contactId, oldChannel, channelId, source, target, me: as(tenant.agent) }
}
type Two = Awaited<ReturnType<typeof seedTwo>>
const write = ({ tenant }: Two, connectionId: string, body: string, providerId: string = v7()) =>
  ingest(tenant.tenantId, connectionId, [
    {
      kind: 'message',
      providerId,
      fromMe: false,
      from: { identities: [{ kind: 'phone', value: phone }] },
      content: { type: 'text', body },
      timestamp: new Date(),
    },
  ])
const messagesOf = ({ tenant }: Two, id?: string) =>
  withTenant(tenant.tenantId, ({ db }) =>
    db
      .select()
      .from(schema.messages)
      .where(id ? eq(schema.messages.ticketId, id) : undefined)
      .orderBy(schema.messages.seq),
  )

test('what was said, noted and begun moves to the one that stays, in the order it happened', async () => {
  const two = await seedTwo()
  const { tenant, source, target, me, oldChannel, channelId } = two
  const colleague = await createUser(tenant.tenantId, { queueIds: [tenant.queues.Vendas ?? ''] })
  await write(two, oldChannel, 'Primeira')
  await write(two, channelId, 'Segunda')
  await write(two, oldChannel, 'Terceira')
  await me.post(`/messages/${source}`, { id: v7(), type: 'note', body: 'Só nós' })
  await me.put(`/tickets/${source}/draft`, { body: 'Rascunho um' })
  await me.put(`/tickets/${target}/draft`, { body: 'Rascunho dois' })
  await me.put(`/tickets/${source}/draft?kind=note`, { body: 'Nota pela metade' })
  await me.post('/ticket-shared', { ticketId: source, userIds: [colleague.id] })
  await me.put(`/tickets/${source}`, { value: 5_000 })
  const tag = (await as(tenant.admin).post('/tags', { name: 'VIP', color: '#112233' })).body.id
  await me.put(`/tickets/${source}`, { tagIds: [tag] })
  await me.post('/todoLists', { name: 'Ligar', ownerId: tenant.agent.id, ticketId: source })
  const heardOnTarget = (await me.get(`/tickets/${target}`)).body.lastInboundAt

  const merged = await me.post(`/tickets/${source}/merge`, { intoId: target })
  expect(merged).toMatchObject({
    status: 200,
    body: {
      id: target,
      status: 'open',
      unreadMessages: 3,
      lastMessage: 'Terceira',
      answered: false,
      value: 5_000,
      sharedWith: [colleague.id],
      tags: [{ name: 'VIP' }],
    },
  })
  // The 24 h window is the connection's: what came over the other one does not open this one.
  expect(merged.body.lastInboundAt).toBe(heardOnTarget)
  expect(merged.body.waitingSince).not.toBeNull()
  expect((await messagesOf(two, target)).filter((one) => one.type !== 'system').map((one) => one.body)).toEqual([
    'Primeira',
    'Segunda',
    'Terceira',
    'Só nós',
  ])
  const protocols = await Promise.all(
    [source, target].map(async (id) => (await me.get(`/tickets/${id}`)).body.protocol),
  )
  expect((await messagesOf(two, source)).map((one) => one.body)).toEqual([
    `Ana Souza uniu este atendimento ao protocolo ${protocols[1]}.`,
  ])
  expect((await me.get(`/tickets/${source}`)).body).toMatchObject({
    status: 'closed',
    mergedIntoId: target,
    unreadMessages: 0,
    tags: [],
  })
  const logs = async (id: string) => (await me.get(`/tickets/${id}/logs`)).body.items[0]
  expect([await logs(source), await logs(target)]).toMatchObject([{ type: 'merge' }, { type: 'merge' }])
  expect((await me.get(`/tickets/${target}/draft`)).body.body).toBe('Rascunho dois\nRascunho um')
  expect((await me.get(`/tickets/${target}/draft?kind=note`)).body.body).toBe('Nota pela metade')
  expect((await me.get('/todoLists')).body.items[0].ticketId ?? target).toBe(target)
  expect((await as(tenant.admin).get('/audit')).body.items[0]).toMatchObject({
    action: 'ticket.merged',
    entityId: source,
  })
})

test('a closed conversation joins the open one, and what joined it before follows', async () => {
  const two = await seedTwo()
  const { me, source, target, tenant, contactId } = two
  const third = await createTicket(tenant, {
    queue: 'Vendas',
    userId: tenant.agent.id,
    contactId,
    connectionId: await createConnection(tenant),
  })
  expect((await me.post(`/tickets/${source}/merge`, { intoId: third })).status).toBe(200)
  await me.put(`/tickets/${third}`, { status: 'closed' })
  expect((await me.post(`/tickets/${third}/merge`, { intoId: target })).status).toBe(200)
  expect((await me.get(`/tickets/${source}`)).body.mergedIntoId).toBe(target)
  // It is at rest for good.
  expect(await me.put(`/tickets/${source}`, { status: 'open' })).toMatchObject({
    status: 409,
    body: { message: 'Este atendimento foi unido a outro e não muda mais.' },
  })
})

test('a merge is refused with itself, with another contact, into a closed one, twice, and while a message is on its way', async () => {
  const two = await seedTwo()
  const { me, source, target, tenant, oldChannel, contactId } = two
  const merge = (id: string, intoId: string) => me.post(`/tickets/${id}/merge`, { intoId })
  expect(await merge(source, source)).toMatchObject({ status: 409 })
  const stranger = await createTicket(tenant, { queue: 'Vendas' })
  expect(await merge(source, stranger)).toMatchObject({ status: 422, body: { details: [{ path: 'intoId' }] } })
  expect(await merge(source, v7())).toMatchObject({ status: 404 })

  await withTenant(tenant.tenantId, ({ db }) =>
    db.insert(schema.messages).values({
      tenantId: tenant.tenantId,
      ticketId: source,
      contactId,
      connectionId: oldChannel,
      fromMe: true,
      type: 'text',
      body: 'A caminho',
      status: 'queued',
      timestamp: new Date(),
    }),
  )
  expect(await merge(source, target)).toMatchObject({
    status: 409,
    body: { message: 'Há mensagens deste atendimento ainda sendo enviadas. Espere o envio terminar e una de novo.' },
  })
  await withTenant(tenant.tenantId, ({ db }) => db.update(schema.messages).set({ status: 'sent' }))
  await me.put(`/tickets/${target}`, { status: 'closed' })
  expect(await merge(source, target)).toMatchObject({ status: 409, body: { error: 'ERR_TICKET_CLOSED' } })
  await me.put(`/tickets/${target}`, { status: 'open' })
  expect((await merge(source, target)).status).toBe(200)
  expect(await merge(source, target)).toMatchObject({ status: 409 })
})

test('moved messages still know their connection: double deliveries and receipts find them', async () => {
  const two = await seedTwo()
  const { me, source, target, oldChannel, tenant, contactId } = two
  await write(two, oldChannel, 'Uma vez', 'wamid.merge')
  const sent = v7()
  await withTenant(tenant.tenantId, ({ db }) =>
    db.insert(schema.messages).values({
      tenantId: tenant.tenantId,
      id: sent,
      ticketId: source,
      contactId,
      connectionId: oldChannel,
      fromMe: true,
      type: 'text',
      body: 'Resposta',
      status: 'sent',
      providerId: 'wamid.ours',
      timestamp: new Date(),
    }),
  )
  await me.post(`/tickets/${source}/merge`, { intoId: target })
  await write(two, oldChannel, 'Uma vez', 'wamid.merge')
  await ingest(tenant.tenantId, oldChannel, [{ kind: 'status', providerId: 'wamid.ours', status: 'read' }])
  const all = await messagesOf(two)
  expect(all.filter((one) => one.body === 'Uma vez')).toHaveLength(1)
  expect(all.find((one) => one.id === sent)).toMatchObject({ status: 'read', ticketId: target })
})

test('a customer who writes while two conversations are united loses no word, whoever comes first', async () => {
  for (let round = 0; round < 6; round += 1) {
    const two = await seedTwo()
    const { me, source, target, oldChannel, channelId } = two
    await write(two, oldChannel, 'Antes')
    const [, merged] = await Promise.all([
      write(two, oldChannel, 'Durante'),
      me.post(`/tickets/${source}/merge`, { intoId: target }),
      write(two, channelId, 'Também'),
    ])
    expect(merged?.status).toBe(200)
    const said = (await messagesOf(two)).filter((one) => one.type === 'text')
    expect(said.map((one) => one.body).toSorted()).toEqual(['Antes', 'Durante', 'Também'])
    const after = (await me.get(`/tickets/${target}`)).body
    // "Durante" is in the one that stays, or opened a new conversation on its own channel; never in the closed one.
    expect(said.some((one) => one.ticketId === source)).toBe(false)
    expect(after.unreadMessages).toBe(said.filter((one) => one.ticketId === target).length)
  }
})

test('two people who unite the same two at once, one in each direction: one of them does', async () => {
  const two = await seedTwo()
  const { me, source, target } = two
  const replies = await Promise.all([
    me.post(`/tickets/${source}/merge`, { intoId: target }),
    me.post(`/tickets/${target}/merge`, { intoId: source }),
  ])
  expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 409])
})

test('the public page of one that was taken in still hands out what was said until then', async () => {
  const two = await seedTwo()
  await write(two, two.oldChannel, 'Primeira')
  const link = await two.me.post(`/ticketProtocols/${two.source}/links`)
  await two.me.post(`/tickets/${two.source}/merge`, { intoId: two.target })
  await write(two, two.channelId, 'Depois')
  const path = `/protocol/${new URL(link.body.url).pathname.split('/').at(-1)}/transcript?format=text`
  const { body } = await kit.call('GET', path)
  expect(body).toContain('Primeira')
  expect(body).not.toContain('Depois')
})
