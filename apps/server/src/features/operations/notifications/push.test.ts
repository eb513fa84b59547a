import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import type { NoticePreferences } from '@balcao/contract/operations/notifications.ts'
import { type Subscription, startPushSimulator } from '@balcao/simulators/push.ts'
import { eq } from 'drizzle-orm'
import { io } from 'socket.io-client'
import { v7 } from 'uuid'
import { afterAll, expect, test, vi } from 'vitest'
import { startTestApp, type TestUser } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { startWaba } from '../../conversations/messages/test-waba.ts'

const kit = await startTestApp()
const { as, seedTenant, createUser, createTicket, createContact, withTenant, schema } = kit
const { url } = await kit.listen()
const { emit } = await import('../../../kit/outbox.ts')
const { openSession, closeSession, endSessions } = await import('../../people/auth/sessions.ts')
const { issueAccessToken } = await import('../../people/auth/access-token.ts')
const { createDeliverer } = await import('../../core/deliveries/deliveries.loop.ts')
const service = await startPushSimulator()
afterAll(() => service.close())

/** Logged in as people are: their session can end. */
const logIn = async (user: TestUser) => {
  const { claims, refreshToken } = await withTenant(user.tenantId, (tx) =>
    openSession(tx, { id: user.id, tokenVersion: 1 }),
  )
  return { ...user, token: await issueAccessToken(claims), refreshToken }
}
const subscribe = async (user: { token: string }) => {
  const subscription = service.subscribe()
  expect((await as(user).post('/push/subscriptions', subscription)).status).toBe(204)
  return subscription
}
const desk = async (more: Parameters<typeof seedTenant>[0] = { queues: ['Vendas'] }) => {
  const tenant = await seedTenant(more)
  const agent = await logIn(tenant.agent)
  const contactId = await createContact(tenant, { name: 'Maria Alves' })
  const ticketId = await createTicket(tenant, { queue: 'Vendas', userId: agent.id, contactId })
  return { ...tenant, agent, ticketId }
}
const tell = (user: TestUser, ticketId: string, text: string) =>
  withTenant(user.tenantId, (tx) =>
    emit(
      tx,
      'ticket.notice',
      { ticketId, kind: 'shared', text, messageId: null },
      { kind: 'users', userIds: [user.id] },
    ),
  )
const waiting = (tenantId: number) => withTenant(tenantId, (tx) => tx.db.select().from(schema.deliveries))
const bodies = (tenantId: number) => waiting(tenantId).then((rows) => rows.map(({ payload }) => Object(payload).body))
const browsers = (tenantId: number) => withTenant(tenantId, (tx) => tx.db.select().from(schema.consumers))
const until = (check: () => Promise<unknown>) => vi.waitFor(check, { timeout: 5_000, interval: 40 })
/** As if the seconds it waits had passed. */
const sendAll = async (tenantId: number) => {
  await until(async () => expect(await waiting(tenantId)).not.toEqual([]))
  await withTenant(tenantId, async (tx) => {
    await tx.db.update(schema.deliveries).set({ dueAt: new Date(0) })
    await tx.db.update(schema.consumers).set({ restsUntil: new Date(0) })
  })
  const { run, finish } = createDeliverer()
  await run(() => {})
  await finish()
}
const pushedTo = ({ endpoint }: Subscription) => service.pushes.filter((one) => one.endpoint === endpoint)
const prefer = (user: TestUser, notices: Partial<NoticePreferences>) =>
  as(user).put(`/users/${user.id}/configs`, { notices })

test('what happens while no window is open reaches the browser, encrypted, signed and short', async () => {
  const { agent, ticketId, tenantId } = await desk()
  const browser = await subscribe(agent)
  await tell(agent, ticketId, 'Bruna compartilhou com você. '.repeat(20))
  await sendAll(tenantId)
  const { publicKey } = (await as(agent).get('/push/key')).body
  expect(pushedTo(browser)).toMatchObject([
    {
      payload: {
        userId: agent.id,
        title: 'Atendimento compartilhado',
        url: `/atendimento/${ticketId}`,
        tag: `shared:${ticketId}`,
        replyTo: null,
      },
      ttl: 3_600,
      urgency: 'high',
      topic: expect.stringMatching(/^[\w-]{32}$/),
      publicKey,
    },
  ])
  expect(JSON.stringify(pushedTo(browser)[0]?.payload).length).toBeLessThan(500)
  expect(await waiting(tenantId)).toEqual([])
  expect(await browsers(tenantId)).toMatchObject([{ deliveredAt: expect.any(Date) }])
})

test('what a customer writes reaches the pocket, and the answer from there is signed as the person has it', async () => {
  const { agent, tenantId, queues } = await desk()
  const { sim, connectionId } = await startWaba(kit, { tenantId })
  await withTenant(tenantId, (tx) =>
    tx.db.update(schema.connections).set({ queueId: queues.Vendas }).where(eq(schema.connections.id, connectionId)),
  )
  const inbound = await startTestWorkers('inbound rescue')
  const browser = await subscribe(agent)
  const maria = sim.customer({ waId: '5511970001234', name: 'Maria' })
  await maria.sendText('Bom dia!')
  const first = await vi.waitFor(async () => {
    const [ticket] = (await as(agent).get('/tickets?status=pending')).body.items
    expect(ticket).toBeDefined()
    return ticket.id as string
  }, 5_000)
  await as(agent).put(`/tickets/${first}`, { status: 'open', userId: agent.id })
  await maria.sendText('Já saiu o pedido?')
  await sendAll(tenantId)
  await inbound.stop()
  expect(pushedTo(browser)).toMatchObject([
    { payload: { title: 'Maria', body: 'Já saiu o pedido?', replyTo: first, tag: `message:${first}` } },
  ])

  const answer = (body: string) => as(agent).post(`/messages/${first}`, { id: v7(), body, sign: 'preferred' })
  expect((await answer('Saiu hoje.')).body.body).toMatch(/^\*.+\*:\nSaiu hoje\.$/)
  await as(agent).put(`/users/${agent.id}/configs`, { signature: false })
  expect((await answer('Chega amanhã.')).body.body).toBe('Chega amanhã.')
})

test('a burst is one push, and what was read meanwhile is none', async () => {
  const { agent, ticketId, tenantId } = await desk()
  const browser = await subscribe(agent)
  await tell(agent, ticketId, 'Um')
  await until(async () => expect(await bodies(tenantId)).toEqual(['Um']))
  await tell(agent, ticketId, 'Dois')
  await until(async () => expect(await bodies(tenantId)).toEqual(['Dois']))
  await sendAll(tenantId)
  expect(pushedTo(browser)).toMatchObject([{ payload: { body: 'Dois' } }])

  await tell(agent, ticketId, 'Três')
  await until(async () => expect(await waiting(tenantId)).toHaveLength(1))
  await as(agent).post('/notifications/read', { ticketId })
  expect(await waiting(tenantId)).toEqual([])
})

test('the pocket stays quiet while a window is in sight, and not when it is hidden', async () => {
  const { agent, ticketId, tenantId } = await desk()
  await subscribe(agent)
  const socket = io(url, { transports: ['websocket'], forceNew: true, auth: { token: agent.token } })
  const heard: unknown[] = []
  socket.on('notification.created', (payload) => heard.push(payload))
  await vi.waitFor(() => expect(socket.connected).toBe(true), { timeout: 5_000 })
  await tell(agent, ticketId, 'À vista')
  await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 5_000 })
  await until(async () => expect(await waiting(tenantId)).toEqual([]))
  socket.emit('window.hidden', { isHidden: true })
  await vi.waitFor(() => expect(socket.connected).toBe(true))
  await tell(agent, ticketId, 'Atrás de outra janela')
  await until(async () => expect(await bodies(tenantId)).toEqual(['Atrás de outra janela']))
  socket.disconnect()
})

test('a browser ends with its session: at logout, when the person is blocked, and when another logs in there', async () => {
  const { agent, ticketId, tenantId, supervisor } = await desk()
  const [left, blocked] = [await subscribe(agent), await subscribe(await logIn(supervisor))]
  await tell(agent, ticketId, 'Antes de sair')
  await until(async () => expect(await waiting(tenantId)).toHaveLength(1))
  await closeSession(agent.refreshToken)
  await sendAll(tenantId)
  expect(pushedTo(left)).toEqual([])
  await tell(supervisor, ticketId, 'Para quem foi bloqueado')
  await until(async () => expect(await waiting(tenantId)).toHaveLength(1))
  await withTenant(tenantId, (tx) => endSessions(tx, supervisor.id))
  await sendAll(tenantId)
  expect(pushedTo(blocked)).toEqual([])
  expect(await browsers(tenantId)).toEqual([])

  const [first, second] = [await desk(), await desk()]
  const shared = await subscribe(first.agent)
  await as(second.agent).post('/push/subscriptions', shared)
  await tell(first.agent, first.ticketId, 'Da empresa anterior')
  await tell(second.agent, second.ticketId, 'Da empresa de agora')
  await sendAll(second.tenantId)
  expect(pushedTo(shared)).toMatchObject([{ payload: { body: 'Da empresa de agora' } }])
  expect(await waiting(first.tenantId)).toEqual([])
})

test('what one may no longer see is not pushed, nor what one does not want, nor in quiet hours', async () => {
  const { agent, ticketId, tenantId } = await desk({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const browser = await subscribe(agent)
  await tell(agent, ticketId, 'Era minha')
  await until(async () => expect(await waiting(tenantId)).toHaveLength(1))
  await withTenant(tenantId, async (tx) => {
    const [queue] = await tx.db.select().from(schema.queues).where(eq(schema.queues.name, 'Suporte'))
    await tx.db.update(schema.tickets).set({ userId: null, queueId: queue?.id }).where(eq(schema.tickets.id, ticketId))
  })
  await sendAll(tenantId)
  expect(pushedTo(browser)).toEqual([])
  await withTenant(tenantId, (tx) => tx.db.update(schema.tickets).set({ userId: agent.id }))

  const clockIn = (hours: number) => wallTimeOf(new Date(Date.now() + hours * 3_600_000), 'America/Sao_Paulo').slice(11)
  await prefer(agent, { quiet: { from: clockIn(-1), to: clockIn(1) } })
  await tell(agent, ticketId, 'De madrugada')
  await until(async () => expect((await as(agent).get('/notifications')).body.items).toMatchObject([{ times: 2 }]))
  await sendAll(tenantId)
  expect(pushedTo(browser)).toEqual([])
  await prefer(agent, { off: { shared: ['bell'] } })
  await tell(agent, ticketId, 'Só no celular')
  await sendAll(tenantId)
  expect(pushedTo(browser)).toMatchObject([{ payload: { body: 'Só no celular' } }])
  expect((await as(agent).get('/notifications')).body.items).toMatchObject([{ times: 2 }])
})

test('a gone browser is forgotten, a busy service asked again as it says, a refusal not repeated', async () => {
  const { agent, ticketId, tenantId } = await desk()
  const gone = await subscribe(agent)
  service.expire(gone)
  await tell(agent, ticketId, 'Um')
  await sendAll(tenantId)
  expect(await browsers(tenantId)).toEqual([])
  expect(await waiting(tenantId)).toEqual([])

  const busy = await subscribe(agent)
  service.faults.next({ status: 429, headers: { 'retry-after': '120' } })
  await tell(agent, ticketId, 'Dois')
  await sendAll(tenantId)
  const [put] = await waiting(tenantId)
  expect((put?.dueAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(100_000)
  service.faults.next({ status: 503 })
  await sendAll(tenantId)
  service.faults.next({ drop: true })
  await sendAll(tenantId)
  expect(await waiting(tenantId)).toMatchObject([{ attempts: 3 }])
  await sendAll(tenantId)
  expect(pushedTo(busy)).toMatchObject([{ payload: { body: 'Dois' } }])

  await tell(agent, ticketId, 'Três')
  service.faults.next({ status: 503, times: 5 })
  for (let n = 0; n < 5; n++) await sendAll(tenantId)
  expect(await waiting(tenantId)).toEqual([])
  service.faults.next({ status: 403 })
  await tell(agent, ticketId, 'Quatro')
  await sendAll(tenantId)
  expect(await waiting(tenantId)).toEqual([])
  expect(await browsers(tenantId)).toHaveLength(1)
})

test('an address inside the house, a strange key and a visit from the platform are refused', async () => {
  const { agent } = await desk()
  const { keys } = service.subscribe()
  for (const endpoint of ['http://169.254.169.254/latest', 'http://10.0.0.1/push', 'file:///etc/passwd'])
    expect((await as(agent).post('/push/subscriptions', { endpoint, keys })).status).toBe(422)
  const strange = { endpoint: 'https://push.example.com/1', keys: { ...keys, p256dh: 'x' } }
  expect((await as(agent).post('/push/subscriptions', strange)).status).toBe(422)
  const visitor = await createUser(agent.tenantId, { profile: 'admin' })
  const { claims } = await withTenant(agent.tenantId, (tx) => openSession(tx, { id: visitor.id, tokenVersion: 1 }))
  const token = await issueAccessToken({ ...claims, impersonatorId: agent.id })
  expect((await as({ token }).post('/push/subscriptions', service.subscribe())).status).not.toBe(204)
})

test('preferences are told to the person’s other windows at once', async () => {
  const { agent } = await desk()
  const socket = io(url, { transports: ['websocket'], forceNew: true, auth: { token: agent.token } })
  const heard: unknown[] = []
  socket.on('preferences.updated', (payload) => heard.push(payload))
  await vi.waitFor(() => expect(socket.connected).toBe(true), { timeout: 5_000 })
  await prefer(agent, { off: { message: ['sound'] }, quiet: { from: '22:00', to: '07:00' } })
  await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 5_000 })
  expect(heard).toMatchObject([{ notices: { off: { message: ['sound'] }, quiet: { from: '22:00', to: '07:00' } } }])
  socket.disconnect()
})
