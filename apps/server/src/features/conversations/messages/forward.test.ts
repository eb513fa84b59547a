import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, withTenant, schema } = kit

const seed = async () => {
  const tenant = await kit.seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const connectionId = await kit.createConnection(tenant, { kind: 'telegram', name: 'Telegram' })
  let value = 100
  const contact = async (name: string) => {
    const id = await kit.createContact(tenant, { name })
    value += 1
    await withTenant(tenant.tenantId, (tx) =>
      tx.db
        .insert(schema.contactIdentities)
        .values({ tenantId: tenant.tenantId, kind: 'telegram', value: `${value}`, contactId: id }),
    )
    return id
  }
  const from = await contact('Origem')
  const ticketId = await kit.createTicket(tenant, {
    contactId: from,
    connectionId,
    queue: 'Vendas',
    userId: tenant.agent.id,
  })
  const say = async (more: Partial<typeof schema.messages.$inferInsert>) => {
    const id = v7()
    await withTenant(tenant.tenantId, (tx) =>
      tx.db.insert(schema.messages).values({
        tenantId: tenant.tenantId,
        id,
        ticketId,
        contactId: from,
        connectionId,
        fromMe: false,
        type: 'text',
        body: 'oi',
        status: 'received',
        timestamp: new Date(),
        ...more,
      }),
    )
    return id
  }
  const sentTo = (contactId: string) =>
    withTenant(tenant.tenantId, (tx) =>
      tx.db.select().from(schema.messages).where(eq(schema.messages.contactId, contactId)).orderBy(schema.messages.seq),
    )
  return { ...tenant, connectionId, contact, from, ticketId, say, sentTo }
}

test('many messages go to many contacts in order, once, whatever was chosen first', async () => {
  const world = await seed()
  const [one, two] = [
    await world.say({ body: 'um' }),
    await world.say({ type: 'location', body: '', location: { latitude: 1, longitude: 2 } }),
  ]
  const [ana, bia] = [await world.contact('Ana'), await world.contact('Bia')]
  const body = { requestId: v7(), messages: [two, one], contact: [ana, bia], channelId: world.connectionId }

  const first = await as(world.agent).post('/forward-messages', body)
  const again = await as(world.agent).post('/forward-other-channel-messages', body)

  expect(first.body.targets).toMatchObject([
    { contact: { name: 'Ana' }, count: 2, problem: null },
    { contact: { name: 'Bia' }, count: 2, problem: null },
  ])
  expect(again.body).toEqual({ targets: first.body.targets.map((target: object) => ({ ...target })) })
  const sent = (await world.sentTo(ana)).filter((row) => row.type !== 'system')
  expect(sent).toMatchObject([
    { body: 'um', isForwarded: true, status: 'queued', userId: world.agent.id },
    { type: 'location', location: { latitude: 1 }, isForwarded: true },
  ])
  const ticket = await as(world.agent).get(`/tickets/${first.body.targets[0].ticketId}`)
  expect(ticket.body).toMatchObject({ status: 'open', userId: world.agent.id, lastMessageType: 'location' })
})

test('contacts that a channel carries one by one go as so many messages, once', async () => {
  const world = await seed()
  const contacts = ['Bruno', 'Carla', 'Davi'].map((name) => ({ name, phones: ['+5511977776666'], emails: [] }))
  const cards = await world.say({ type: 'contact', body: '', contacts })
  const ana = await world.contact('Ana')
  const body = { requestId: v7(), messages: [cards], contact: [ana], channelId: world.connectionId }
  for (const _ of ['first', 'again']) await as(world.agent).post('/forward-messages', body)
  const sent = (await world.sentTo(ana)).filter((row) => row.type !== 'system')
  expect(sent.map((row) => row.contacts)).toEqual(contacts.map((one) => [one]))
  expect(sent.every((row) => row.status === 'queued' && row.isForwarded)).toBe(true)
})

test('what would happen is told before anything is sent', async () => {
  const world = await seed()
  const message = await world.say({})
  const waba = await kit.createConnection(world, { kind: 'waba', name: 'Oficial' })
  const ana = await world.contact('Ana')
  const phone = await kit.createContact(world, { name: 'Tel', number: '5511988887777' })

  const ask = (contact: string, channelId: string | null) =>
    as(world.agent).post('/forward-messages', {
      requestId: v7(),
      messages: [message],
      contact,
      channelId,
      dryRun: true,
    })
  const problem = async (contact: string, channelId: string | null) =>
    (await ask(contact, channelId)).body.targets[0].problem

  expect(await problem(ana, world.connectionId)).toBeNull()
  expect(await problem(ana, null)).toMatch(/Escolha o canal/)
  expect(await problem(ana, waba)).toMatch(/não tem telefone/)
  expect(await problem(phone, waba)).toMatch(/janela de 24 horas/)
  expect(await problem(world.from, null)).toBeNull()
  expect(await world.sentTo(ana)).toEqual([])
})

test('a colleague’s conversation one may not see is refused with the name, a waiting one is to be accepted', async () => {
  const world = await seed()
  const message = await world.say({})
  const [ana, bia] = [await world.contact('Ana'), await world.contact('Bia')]
  await kit.createTicket(world, {
    contactId: ana,
    connectionId: world.connectionId,
    queue: 'Suporte',
    userId: world.supervisor.id,
  })
  await kit.createTicket(world, { contactId: bia, connectionId: world.connectionId, queue: 'Vendas' })

  const { body } = await as(world.agent).post('/forward-messages', {
    requestId: v7(),
    messages: [message],
    contact: [ana, bia],
  })

  expect(body.targets).toMatchObject([
    {
      count: 0,
      ticketId: null,
      problem: `${world.supervisor.name} está atendendo este contato, em um atendimento que você não vê.`,
    },
    { count: 0, problem: 'O atendimento deste contato está aguardando. Aceite-o antes de encaminhar.' },
  ])
  expect(await world.sentTo(ana)).toEqual([])
})

test('neither unseen nor deleted messages, nor notes, nor strangers', async () => {
  const world = await seed()
  const hidden = await kit.createTicket(world, {
    queue: 'Suporte',
    contactId: world.from,
    connectionId: await kit.createConnection(world),
  })
  const [secret, gone, note, fine] = [
    await world.say({ ticketId: hidden }),
    await world.say({ isDeleted: true }),
    await world.say({ type: 'note', fromMe: true }),
    await world.say({}),
  ]
  const send = (message: string, contact: string) =>
    as(world.agent).post('/forward-messages', {
      requestId: v7(),
      messages: [message],
      contact,
      channelId: world.connectionId,
    })

  expect((await send(secret, world.from)).body.error).toBe('ERR_FETCH_WAPP_MSG')
  expect((await send(gone, world.from)).body.error).toBe('ERR_FETCH_WAPP_MSG')
  expect((await send(note, world.from)).status).toBe(422)
  expect((await send(fine, v7())).body.error).toBe('ERR_NO_CONTACT_FOUND')
  expect((await send(fine, world.from)).body.targets[0].count).toBe(1)
})
