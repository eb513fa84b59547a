import { blankConfig } from '@balcao/contract/automation/assistants/config.ts'
import type { BotName } from '@balcao/contract/conversations/tickets.ts'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { type OutboxEvent, onCommittedEvents } from '../../../kit/outbox.ts'

const kit = await startTestApp()
const { as, seedTenant, createUser, createContact, createConnection, createTicket, schema, withTenant } = kit

const events: OutboxEvent[] = []
onCommittedEvents((committed) => events.push(...committed))
const noticesOf = (ticketId: string) =>
  events
    .filter((event) => event.name === 'ticket.notice')
    .map(({ payload, audience }) => ({ ...(payload as { ticketId: string; kind: string; text: string }), audience }))
    .filter((notice) => notice.ticketId === ticketId)

type Tenant = Awaited<ReturnType<typeof seedTenant>>
const logsOf = async (user: { token: string }, id: string) =>
  (await as(user).get(`/tickets/${id}/logs`)).body.items.map((log: { type: string }) => log.type).reverse()
const setBot = (tenant: Tenant, id: string, bot: 'chatgpt' | null) =>
  withTenant(tenant.tenantId, ({ db }) => db.update(schema.tickets).set({ bot }).where(eq(schema.tickets.id, id)))
/** Assistants of these kinds, published, that wait to be turned on. */
const createAssistants = async ({ tenantId }: Tenant, ...bots: BotName[]) => {
  await withTenant(tenantId, ({ db }) =>
    db
      .insert(schema.assistants)
      .values(bots.map((bot) => ({ ...{ tenantId, name: bot, bot, publishedId: v7() }, config: blankConfig() }))),
  )
  kit.invalidateDirectory(tenantId)
}
const absent = { status: 404, body: { error: 'ERR_NO_TICKET_FOUND' } }
const field = (path: string, message: string) => ({ status: 422, body: { details: [{ path, message }] } })

test('what may not be seen, of the own company or another, is not found by any of the calls', async () => {
  const [tenant, other] = [
    await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] }),
    await seedTenant({ queues: ['Vendas'] }),
  ]
  const id = await createTicket(tenant, { queue: 'Suporte' })
  const mine = await createTicket(tenant, { queue: 'Vendas' })
  const channel = await createConnection(tenant)
  for (const person of [tenant.agent, other.admin]) {
    const me = as(person)
    expect(await me.put(`/ticketsNull/${id}`)).toMatchObject(absent)
    expect(await me.put(`/ticketsChatBot/${id}`, { bot: 'chatgpt' })).toMatchObject(absent)
    expect(await me.put(`/ticketsChannelId/${id}`, { whatsappId: channel })).toMatchObject(absent)
    expect(await me.post(`/ticketsNotification/${id}`)).toMatchObject(absent)
    expect(await me.post(`/ticketsPause/${id}/pause`)).toMatchObject(absent)
    expect(await me.post(`/ticketsPause/${id}/pause/end`)).toMatchObject(absent)
    expect(await me.post('/ticket-shared', { ticketId: id, userIds: [tenant.agent.id] })).toMatchObject(absent)
    expect(await me.delete(`/ticket-shared/${id}/${tenant.agent.id}`)).toMatchObject(absent)
    expect(await me.get(`/ticket-shareds/ticket/${id}`)).toMatchObject(absent)
    expect(await me.post(`/tickets/${id}/merge`, { intoId: mine })).toMatchObject(absent)
    expect(await me.post(`/tickets/${mine}/merge`, { intoId: id })).toMatchObject(absent)
  }
})

test('a conversation goes back to nobody and to no queue', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const id = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id })
  const reply = await as(tenant.agent).put(`/ticketsNull/${id}`, { status: 'pending', userId: null })
  expect(reply).toMatchObject({ status: 200, body: { status: 'pending', userId: null, queueId: null } })
  expect(await logsOf(tenant.admin, id)).toEqual(['pending', 'queue'])
  expect((await as(tenant.agent).put(`/ticketsNull/${id}`, { status: 'open' })).status).toBe(422)
  // An agent bound to queues no longer sees what has none.
  expect((await as(tenant.agent).get(`/tickets/${id}`)).status).toBe(404)
})

test('the robot takes over, a person who accepts takes it back, and there is one owner at a time', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  await createAssistants(tenant, 'dify', 'claude', 'typebot', 'grok')
  const me = as(tenant.agent)
  const id = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id })
  expect(await me.put(`/ticketsChatBot/${id}`, { bot: 'qwen' })).toMatchObject(
    field('bot', 'Nenhum assistente Qwen publicado atende neste canal e nesta fila.'),
  )
  expect(await me.put(`/ticketsChatBot/${id}`, { chatFlowId: v7() })).toMatchObject(
    field('chatFlowId', 'Fluxo não encontrado.'),
  )
  expect(await me.put(`/ticketsChatBot/${id}`, { chatFlowId: null, bot: 'dify' })).toMatchObject({
    status: 200,
    body: { bot: 'dify', status: 'pending', userId: null, queueId: tenant.queues.Vendas },
  })
  // The flags are views of one owner.
  expect((await me.put(`/tickets/${id}`, { claudeStatus: true })).body.bot).toBe('claude')
  expect((await me.put(`/tickets/${id}`, { difyStatus: false })).body.bot).toBe('claude')
  expect((await me.put(`/tickets/${id}`, { claudeStatus: false })).body.bot).toBeNull()
  await me.put(`/tickets/${id}`, { typebotStatus: true })
  expect((await me.put(`/tickets/${id}`, { status: 'open' })).body).toMatchObject({ status: 'open', bot: null })
  expect(await me.put(`/tickets/${id}`, { typebotStatus: true })).toMatchObject({
    status: 409,
    body: { error: 'ERR_INVALID_TRANSITION' },
  })
  await me.put(`/ticketsChatBot/${id}`, { bot: 'grok' })
  expect((await me.put(`/ticketsChatBot/${id}`, { chatFlowId: null })).body.bot).toBeNull()
  expect(await logsOf(tenant.agent, id)).toEqual(['bot', 'bot', 'bot', 'bot', 'open', 'bot', 'bot'])
  await me.put(`/tickets/${id}`, { status: 'closed' })
  expect(await me.put(`/ticketsChatBot/${id}`, { bot: 'grok' })).toMatchObject({ status: 409 })
})

test('priority and negotiated value are kept with their history', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const me = as(tenant.agent)
  const id = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id })
  expect((await me.put(`/tickets/${id}`, { priority: 'urgent' })).body.priority).toBe('urgent')
  expect((await me.put(`/tickets/${id}`, { value: 123_456 })).body.value).toBe(123_456)
  expect((await me.put(`/tickets/${id}`, { value: null })).body.value).toBeNull()
  expect((await me.put(`/tickets/${id}`, { value: -1 })).status).toBe(422)
  const logs = (await me.get(`/tickets/${id}/logs`)).body.items
  expect(logs.map((log: { type: string; note: string }) => [log.type, log.note])).toEqual([
    ['value', null],
    ['value', 'R$\u00a01.234,56'],
    ['priority', 'Urgente'],
  ])
})

test('a conversation goes on over another number of the same kind, unless the customer is already being served there', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const me = as(tenant.agent)
  const contactId = await createContact(tenant, { number: '5511987650001' })
  const [from, to, telegram, site] = [
    await createConnection(tenant, { kind: 'waba', name: 'Loja' }),
    await createConnection(tenant, { kind: 'waba', name: 'Suporte' }),
    await createConnection(tenant, { kind: 'telegram' }),
    await createConnection(tenant, { kind: 'webchat' }),
  ]
  const id = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, contactId, connectionId: from })
  const move = (body: object) => me.put(`/ticketsChannelId/${id}`, body)
  expect(await move({ whatsappId: v7() })).toMatchObject({ status: 404, body: { error: 'ERR_NO_WAPP_FOUND' } })
  const unreachable = { status: 422, body: { error: 'ERR_CONTACT_UNREACHABLE' } }
  expect(await move({ whatsappId: telegram })).toMatchObject(unreachable)
  expect(await move({ whatsappId: site })).toMatchObject(unreachable)
  expect(await move({ whatsappId: to, channel: 'telegram' })).toMatchObject({ status: 422 })
  expect((await move({ whatsappId: from })).body.version).toBe(1)

  const other = await createTicket(tenant, { queue: 'Vendas', contactId, connectionId: to })
  expect(await move({ whatsappId: to })).toMatchObject({
    status: 409,
    body: { error: 'ERR_OTHER_OPEN_TICKET', details: { ticketId: other } },
  })
  await me.put(`/tickets/${other}`, { status: 'closed' })
  const hear = (ticketId: string, at: string) =>
    withTenant(tenant.tenantId, ({ db }) =>
      db
        .update(schema.tickets)
        .set({ lastInboundAt: new Date(at) })
        .where(eq(schema.tickets.id, ticketId)),
    )
  const [heardHere, heardThere] = ['2026-03-02T12:00:00.000Z', '2026-03-01T09:00:00.000Z']
  await hear(id, heardHere)
  await hear(other, heardThere)
  expect(await move({ whatsappId: to, channel: 'waba' })).toMatchObject({
    status: 200,
    body: { whatsappId: to, whatsapp: { name: 'Suporte' }, status: 'open', userId: tenant.agent.id },
  })
  expect((await me.get(`/tickets/${id}/logs`)).body.items[0]).toMatchObject({ type: 'channel', note: 'Loja → Suporte' })
  // The 24 hours are the number's: what the customer wrote elsewhere opens nothing here.
  expect((await me.get(`/tickets/${id}`)).body.lastInboundAt).toBe(heardThere)
  const third = await createConnection(tenant, { kind: 'waba', name: 'Fábrica' })
  expect((await move({ whatsappId: third })).body.lastInboundAt).toBeNull()
})

test('whether a contact is being served is told to all, by whom only to those who may see it', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const contactId = await createContact(tenant)
  const connectionId = await createConnection(tenant)
  const path = `/ticketscheck/${contactId}/${connectionId}`
  const nothing = { exists: false, status: null, ticketId: null, userId: null, userName: null }
  expect((await as(tenant.agent).get(path)).body).toEqual(nothing)
  const id = await createTicket(tenant, { queue: 'Suporte', userId: tenant.supervisor.id, contactId, connectionId })
  expect((await as(tenant.agent).get(path)).body).toEqual({ ...nothing, exists: true, status: 'open' })
  expect((await as(tenant.admin).get(path)).body).toEqual({
    exists: true,
    status: 'open',
    ticketId: id,
    userId: tenant.supervisor.id,
    userName: tenant.supervisor.name,
  })
  const stranger = await seedTenant()
  expect((await as(stranger.admin).get(path)).body).toEqual(nothing)
})

test('the people responsible are called: who has it and takes part, else its queue; never who calls', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const colleague = await createUser(tenant.tenantId, { name: 'Bruno Reis', queueIds: [tenant.queues.Vendas ?? ''] })
  const id = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id })
  const call = (user: { token: string }, type?: string) =>
    as(user).post(`/ticketsNotification/${id}`, type ? { type } : {})
  expect((await call(tenant.admin)).body.notified).toEqual([{ id: tenant.agent.id, name: 'Ana Souza' }])
  expect(noticesOf(id)).toMatchObject([
    {
      kind: 'call',
      text: 'Carla Dias chama você na conversa com João da Silva.',
      audience: { kind: 'users', userIds: [tenant.agent.id] },
    },
  ])
  const queue = (await call(tenant.admin, 'queue')).body.notified.map((one: { id: string }) => one.id)
  expect(queue.toSorted()).toEqual([tenant.agent.id, colleague.id].toSorted())
  expect((await call(tenant.admin, 'x')).status).toBe(422)

  const lonely = await createTicket(tenant, {})
  expect(await as(tenant.admin).post(`/ticketsNotification/${lonely}`)).toMatchObject({
    status: 404,
    body: { message: 'Não há outra pessoa para chamar neste atendimento.' },
  })
})

test('what the assistants remember is forgotten where the person may see', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'], settings: { supervisorAdmin: true } })
  const [seen, unseen] = [
    await createTicket(tenant, { userId: tenant.supervisor.id }),
    await createTicket(tenant, { queue: 'Vendas' }),
  ]
  await setBot(tenant, seen, 'chatgpt')
  await setBot(tenant, unseen, 'chatgpt')
  expect(await as(tenant.agent).get('/ticketsClear')).toMatchObject({ status: 403 })
  expect(await as(tenant.supervisor).get('/ticketsClear')).toMatchObject({ status: 403 }) // is treated as a user
  expect((await as(tenant.admin).get('/ticketsClear')).body).toEqual({ cleared: 2 })
  expect((await as(tenant.admin).get('/ticketsClear')).body).toEqual({ cleared: 0 })
  // Who answers stays.
  expect((await as(tenant.admin).get(`/tickets/${seen}`)).body.bot).toBe('chatgpt')
})

test('what the lists show is made anew from the messages', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const contactId = await createContact(tenant)
  const connectionId = await createConnection(tenant)
  const id = await createTicket(tenant, { contactId, connectionId })
  const [heard, told] = [new Date('2026-03-01T10:00:00.000Z'), new Date('2026-03-01T11:00:00.000Z')]
  await withTenant(tenant.tenantId, ({ db }) =>
    db.insert(schema.messages).values(
      [
        { fromMe: false, type: 'text' as const, body: 'Oi', at: heard },
        { fromMe: true, type: 'document' as const, body: '', at: told },
        { fromMe: true, type: 'note' as const, body: 'Só nós', at: new Date() },
      ].map(({ at, ...one }) => ({
        tenantId: tenant.tenantId,
        ticketId: id,
        contactId,
        connectionId,
        status: 'received' as const,
        timestamp: at,
        createdAt: at,
        ...one,
      })),
    ),
  )
  expect((await as(tenant.supervisor).put('/ticketsLastMessageAt')).status).toBe(403)
  expect((await as(tenant.admin).put('/ticketsLastMessageAt')).body).toEqual({ checked: 1, corrected: 1 })
  expect((await as(tenant.admin).get(`/tickets/${id}`)).body).toMatchObject({
    lastMessage: 'Documento',
    lastMessageType: 'document',
    lastMessageAt: told.toISOString(),
    lastInboundAt: heard.toISOString(),
    answered: true,
  })
  expect((await as(tenant.admin).put('/ticketsLastMessageAt')).body).toEqual({ checked: 1, corrected: 0 })
})
