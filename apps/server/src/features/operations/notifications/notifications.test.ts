import { eq } from 'drizzle-orm'
import { io } from 'socket.io-client'
import { v7 } from 'uuid'
import { afterAll, expect, test, vi } from 'vitest'
import { startTestApp, type TestUser } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createUser, createTicket, createContact, createConnection, withTenant, schema } = kit
const { url } = await kit.listen()
const { emit } = await import('../../../kit/outbox.ts')
const { remindDueTasks } = await import('../tasks/reminders.ts')

type Line = { id: string; kind: string; title: string; body: string; times: number; readAt: string | null }
const bellOf = async (user: TestUser): Promise<Line[]> => (await as(user).get('/notifications')).body.items
const unreadOf = async (user: TestUser) => (await as(user).get('/notifications/count')).body
const until = (check: () => Promise<unknown>) => vi.waitFor(check, { timeout: 5_000, interval: 40 })

const windows: ReturnType<typeof io>[] = []
afterAll(() => {
  for (const window of windows) window.disconnect()
})
const open = async (user: TestUser) => {
  const heard: [string, unknown][] = []
  const socket = io(url, { transports: ['websocket'], forceNew: true, auth: { token: user.token } })
  windows.push(socket)
  socket.onAny((name: string, payload: unknown) => heard.push([name, payload]))
  await vi.waitFor(() => expect(socket.connected).toBe(true), { timeout: 5_000 })
  return { socket, of: (name: string) => heard.filter(([one]) => one === name).map(([, payload]) => payload) }
}

const notice = (user: TestUser, ticketId: string, text: string, kind: 'shared' | 'call' = 'shared') =>
  withTenant(user.tenantId, (tx) =>
    emit(tx, 'ticket.notice', { ticketId, kind, text, messageId: null }, { kind: 'users', userIds: [user.id] }),
  )

const desk = async (more: Parameters<typeof seedTenant>[0] = { queues: ['Vendas'] }) => {
  const tenant = await seedTenant(more)
  const contactId = await createContact(tenant, { name: 'Maria Alves' })
  const ticketId = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, contactId })
  return { ...tenant, ticketId, contactId }
}
const customerWrites = (tenantId: number, ticketId: string, userId: string | null, body: string) =>
  withTenant(tenantId, async (tx) => {
    const [ticket] = await tx.db.select().from(schema.tickets).where(eq(schema.tickets.id, ticketId))
    if (!ticket) throw new Error('No ticket')
    const facts = {
      id: ticketId,
      status: 'open' as const,
      userId,
      queueId: ticket.queueId,
      chatFlowId: null,
      isGroup: false,
      wallets: [],
      sharedWith: [],
    }
    const delta = { id: ticketId, status: ticket.status, userId } // what the bell asks of it
    const message = { id: v7(), ticketId, fromMe: false, type: 'text', body }
    await emit(tx, 'message.created', { message, ticket: delta } as never, { kind: 'ticket', facts })
  })

test('what was told stays in the bell, over reloads and windows, until it is read', async () => {
  const { agent, supervisor, ticketId } = await desk()
  const [first, second] = [await open(agent), await open(agent)]
  await notice(agent, ticketId, 'Bruna compartilhou com você.')
  await until(async () => expect(await bellOf(agent)).toHaveLength(1))
  expect(await bellOf(agent)).toMatchObject([
    { kind: 'shared', title: 'Atendimento compartilhado', body: 'Bruna compartilhou com você.', readAt: null },
  ])
  for (const window of [first, second])
    await until(async () => expect(window.of('notification.created')).toHaveLength(1))
  expect(await unreadOf(agent)).toEqual({ unread: 1, ticketIds: [ticketId] })
  expect(await bellOf(supervisor)).toEqual([])

  expect((await as(agent).post('/notifications/read', { ticketId })).status).toBe(204)
  expect(await unreadOf(agent)).toEqual({ unread: 0, ticketIds: [] })
  expect(await bellOf(agent)).toMatchObject([{ readAt: expect.any(String) }])
  await until(async () => expect(second.of('notification.read')).toHaveLength(1))
})

test('what is told to one person rings as what is told to several does', async () => {
  const { agent, supervisor, ticketId } = await desk()
  const text = 'Maria Alves espera por você em Vendas.'
  await withTenant(agent.tenantId, (tx) =>
    emit(
      tx,
      'ticket.notice',
      { ticketId, kind: 'distributed', text, messageId: null },
      { kind: 'user', userId: agent.id },
    ),
  )
  await until(async () => expect(await bellOf(agent)).toMatchObject([{ kind: 'distributed', body: text }]))
  expect(await bellOf(supervisor)).toEqual([])
})

test('what is told quietly stands in the bell, and the windows know not to show it', async () => {
  const { agent, ticketId } = await desk()
  const window = await open(agent)
  await withTenant(agent.tenantId, (tx) =>
    emit(
      tx,
      'ticket.notice',
      { ticketId, kind: 'distributed', text: 'Maria espera por você.', messageId: null, isQuiet: true },
      { kind: 'user', userId: agent.id },
    ),
  )
  await until(async () => expect(window.of('notification.created')).toMatchObject([{ isQuiet: true, readAt: null }]))
  expect(await bellOf(agent)).toMatchObject([{ kind: 'distributed', body: 'Maria espera por você.' }])
})

test('more of the same is one line until it is read, then a new one', async () => {
  const { tenantId, agent, ticketId } = await desk()
  for (const body of ['Oi', 'Tudo bem?', 'Meu pedido chegou']) await customerWrites(tenantId, ticketId, agent.id, body)
  await until(async () => expect(await bellOf(agent)).toMatchObject([{ times: 3, body: 'Meu pedido chegou' }]))
  await customerWrites(tenantId, ticketId, agent.id, 'Alô?')
  await until(async () => expect(await bellOf(agent)).toMatchObject([{ times: 4, body: 'Alô?', title: 'Maria Alves' }]))
  const [line] = await bellOf(agent)
  await as(agent).post('/notifications/read', { ids: [line?.id] })
  await customerWrites(tenantId, ticketId, agent.id, 'Voltei')
  await until(async () => expect(await bellOf(agent)).toHaveLength(2))
  expect(await bellOf(agent)).toMatchObject([
    { times: 1, body: 'Voltei', readAt: null },
    { times: 4, readAt: expect.any(String) },
  ])
})

test('whoever has the conversation before their eyes needs no bell; behind another tab they do', async () => {
  const { tenantId, agent, ticketId } = await desk()
  const window = await open(agent)
  window.socket.emit('ticket.view', { ticketId })
  await until(async () => expect(window.of('presence.ticket')).toHaveLength(1))
  await customerWrites(tenantId, ticketId, agent.id, 'Visto na hora')
  await notice(agent, ticketId, 'Bruna chama você.', 'call')
  await until(async () => expect(await bellOf(agent)).toMatchObject([{ kind: 'call' }]))
  expect(await bellOf(agent)).toHaveLength(1)
  window.socket.emit('window.hidden', { isHidden: true })
  await customerWrites(tenantId, ticketId, agent.id, 'Cadê você?')
  await until(async () => expect(await bellOf(agent)).toMatchObject([{ body: 'Cadê você?' }, { kind: 'call' }]))
})

test('a conversation nobody has rings for its queue while it waits, and for those who are there alone', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const colleague = await createUser(tenant.tenantId, { queueIds: [tenant.queues.Vendas ?? ''] })
  const elsewhere = await createUser(tenant.tenantId, { queueIds: [tenant.queues.Suporte ?? ''] })
  for (const user of [tenant.agent, colleague, elsewhere]) await open(user)
  const absent = await createUser(tenant.tenantId, { queueIds: [tenant.queues.Vendas ?? ''] })
  await until(async () => {
    const people = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.users))
    expect(people.filter((one) => one.isOnline)).toHaveLength(3)
  })
  kit.invalidateDirectory(tenant.tenantId)
  const contactId = await createContact(tenant, { name: 'Maria Alves' })
  const made = await as(tenant.admin).post('/tickets', {
    contactId,
    channelId: await createConnection(tenant),
    queueId: tenant.queues.Vendas,
    userId: null,
    status: 'pending',
  })
  const ticketId = made.body.id
  if (made.body.status !== 'pending') throw new Error(JSON.stringify(made.body))
  await until(async () => expect(await bellOf(tenant.agent)).toMatchObject([{ kind: 'waiting', title: 'Maria Alves' }]))
  expect(await bellOf(colleague)).toHaveLength(1)
  expect(await bellOf(elsewhere)).toEqual([])
  expect(await bellOf(absent)).toEqual([])

  await as(tenant.agent).put(`/tickets/${ticketId}`, { status: 'open', userId: tenant.agent.id })
  await until(async () => expect(await unreadOf(colleague)).toMatchObject({ unread: 0 }))
})

test('of a conversation I may no longer see the bell is silent, and another company hears nothing', async () => {
  const { tenantId, agent, ticketId } = await desk({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const other = await desk()
  await notice(agent, ticketId, 'Só nosso')
  await until(async () => expect(await bellOf(agent)).toHaveLength(1))
  await withTenant(tenantId, async (tx) => {
    const [queue] = await tx.db.select().from(schema.queues).where(eq(schema.queues.name, 'Suporte'))
    await tx.db.update(schema.tickets).set({ userId: null, queueId: queue?.id }).where(eq(schema.tickets.id, ticketId))
  })
  expect(await bellOf(agent)).toEqual([])
  expect(await unreadOf(agent)).toEqual({ unread: 0, ticketIds: [] })
  expect(await bellOf(other.agent)).toEqual([])
  const all = await withTenant(tenantId, (tx) => tx.db.select().from(schema.notifications))
  await as(other.agent).post('/notifications/read', { ids: all.map(({ id }) => id) })
  const after = await withTenant(tenantId, (tx) => tx.db.select().from(schema.notifications))
  expect(after).toMatchObject([{ readAt: null }])
})

test('a task whose time has come is in the bell of its owner, who was not there to hear it', async () => {
  const { agent, admin } = await desk()
  await as(admin).post('/todoLists', {
    name: 'Ligar para Maria',
    ownerId: agent.id,
    limitDate: new Date(Date.now() + 60_000).toISOString(),
  })
  await withTenant(agent.tenantId, (tx) => tx.db.update(schema.tasks).set({ limitDate: new Date(Date.now() - 1_000) }))
  await remindDueTasks()
  await until(async () =>
    expect(await bellOf(agent)).toMatchObject([{ kind: 'task', title: 'Chegou o prazo da tarefa “Ligar para Maria”' }]),
  )
  const title = 'Chegou o prazo do que você pediu: “Ligar para Maria”'
  await until(async () => expect(await bellOf(admin)).toMatchObject([{ kind: 'taskAsked', title }]))
})

test('the bell reads on by pages', async () => {
  const { agent, ticketId, tenantId } = await desk()
  await withTenant(tenantId, (tx) =>
    tx.db.insert(schema.notifications).values(
      Array.from({ length: 45 }, (_, n) => ({
        tenantId,
        userId: agent.id,
        kind: 'shared' as const,
        subject: `${n}`,
        ticketId,
        title: `Aviso ${n}`,
        body: '',
        link: '/',
        at: new Date(1_700_000_000_000 + n),
      })),
    ),
  )
  const first = (await as(agent).get('/notifications')).body
  expect(first).toMatchObject({ hasMore: true })
  const second = (await as(agent).get(`/notifications?cursor=${first.nextCursor}`)).body
  const titles = [...first.items, ...second.items].map(({ title }: Line) => title)
  expect(titles).toEqual(Array.from({ length: 45 }, (_, n) => `Aviso ${44 - n}`))
})
