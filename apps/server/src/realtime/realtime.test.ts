import { eq, sql } from 'drizzle-orm'
import { io, type Socket } from 'socket.io-client'
import { v7 } from 'uuid'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestUser } from '../../test/kit.ts'
import { announce } from '../kit/signals/signals.ts'

const kit = await startTestApp()
const { as, withTenant, withPlatform, schema, seedTenant, createTicket, createUser } = kit
const { url, io: server } = await kit.listen()
const { emit } = await import('../kit/outbox.ts')
const { forgetAbsent } = await import('./online.ts')
const { issueAccessToken } = await import('../features/people/auth/access-token.ts')
const { platformRows } = await import('../db/database.ts')
const { endSessions } = await import('../features/people/auth/sessions.ts')
const { closeByContact } = await import('../features/conversations/actions/close-by-itself.ts')

type Heard = [name: string, payload: Record<string, unknown>]
const open: Socket[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect()
})

type Options = { origin?: string; reconnection?: boolean }
const dial = (token: unknown, { origin, reconnection = false }: Options = {}) => {
  const socket = io(url, {
    path: '/socket.io',
    transports: ['websocket'],
    forceNew: true,
    reconnection,
    reconnectionDelay: 50,
    auth: token === undefined ? {} : { token },
    ...(origin ? { extraHeaders: { origin } } : {}),
  })
  open.push(socket)
  const heard: Heard[] = []
  socket.onAny((name: string, payload: Record<string, unknown>) => heard.push([name, payload]))
  return { socket, heard, of: (name: string) => heard.filter(([one]) => one === name).map(([, payload]) => payload) }
}
/** A window of this person, connected. */
const connect = async (user: { token: string }, options?: Options) => {
  const client = dial(user.token, options)
  await new Promise<void>((resolve, reject) => {
    client.socket.once('connect', resolve)
    client.socket.once('connect_error', reject)
  })
  return client
}
const refusal = (token: unknown, options?: Options) =>
  new Promise<string>((resolve) => {
    const { socket } = dial(token, options)
    socket.on('connect_error', (error) => resolve(error.message))
    socket.on('connect', () => resolve('connected'))
  })
const until = (check: () => void, timeout = 5_000) => vi.waitFor(check, { timeout, interval: 10 })
const gone = (client: { socket: Socket }, timeout?: number) =>
  until(() => expect(client.socket.connected).toBe(false), timeout)

const seen = { kind: 'permission', can: 'users.read' } as const
const tell = (tenantId: number, name: string) =>
  withTenant(tenantId, (tx) => emit(tx, 'user.updated', { id: v7(), name }, seen))
const roomsOf = (userId: string) =>
  [...server.of('/').sockets.values()].find((socket) => socket.data.claims.userId === userId)?.rooms ?? new Set()

describe('the handshake', () => {
  test('without, with a made-up, expired or foreign token nobody comes in', async () => {
    const { agent } = await seedTenant()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
    const expired = await issueAccessToken({
      tenantId: agent.tenantId,
      userId: agent.id,
      tokenVersion: 1,
      sessionId: v7(),
      impersonatorId: null,
    })
    vi.useRealTimers()
    for (const token of [undefined, '', 'x', `${agent.token}x`, 7, { $ne: '' }, expired])
      expect(await refusal(token)).toBe('ERR_SESSION_EXPIRED')
    expect(await refusal(agent.token)).toBe('connected')
  })

  test('one person’s windows have an end, and another person comes in all the same', async () => {
    const company = await seedTenant()
    const windows = await Promise.all(Array.from({ length: 40 }, () => connect(company.agent)))
    expect(await refusal(company.agent.token)).toBe('ERR_TOO_MANY')
    expect(await refusal(company.admin.token)).toBe('connected')
    windows[0]?.socket.disconnect()
    await vi.waitFor(async () => expect(await refusal(company.agent.token)).toBe('connected'))
  })

  test('a page of another origin cannot open our socket, even with a token', async () => {
    const { agent } = await seedTenant()
    for (const origin of ['https://mal.example', 'null', 'http://localhost.mal.example:3000'])
      expect(await refusal(agent.token, { origin })).toMatch(/websocket error/)
    expect(await refusal(agent.token, { origin: 'http://localhost:3000' })).toBe('connected')
    expect(await refusal(agent.token, { origin: url })).toBe('connected')
  })

  test('an inactive company has no sockets', async () => {
    const company = await seedTenant()
    await withPlatform('test', (tx) =>
      tx.db.update(schema.tenants).set({ status: 'suspended' }).where(eq(schema.tenants.id, company.tenantId)),
    )
    kit.invalidateDirectory(company.tenantId)
    expect(await refusal(company.agent.token)).toBe('ERR_TENANT_INACTIVE')
  })
})

describe('who hears what', () => {
  test('a stranger hears nothing of another company, whatever happens there, and is in no room but their own (T25)', async () => {
    const [a, b] = [await seedTenant(), await seedTenant({ queues: ['Vendas'] })]
    const stranger = await connect(a.admin)
    const native = await connect(b.admin)
    await until(() => expect(stranger.of('presence.user')).toHaveLength(1))
    const ticketId = await createTicket(b, { queue: 'Vendas' })
    stranger.socket.emit('ticket.view', { ticketId })

    for (let n = 0; n < 490; n += 1) await tell(b.tenantId, `Pessoa ${n}`)
    for (let n = 0; n < 10; n += 1)
      await as(b.admin).put(`/tickets/${ticketId}`, { status: n % 2 ? 'pending' : 'open' })
    await tell(a.tenantId, 'Última')

    await until(() => expect(stranger.of('user.updated')).toHaveLength(1))
    await until(() => expect(native.of('ticket.updated')).toHaveLength(10))
    expect(native.of('user.updated')).toHaveLength(490)
    expect(stranger.heard.filter(([name]) => !['presence.user', 'user.updated'].includes(name))).toEqual([])
    expect([...roomsOf(a.admin.id)].filter((room) => room !== stranger.socket.id)).toEqual([
      `u:${a.tenantId}:${a.admin.id}`,
    ])
  })

  test('how the channels of every company stand is heard by the platform’s people, and of no other company by anybody else', async () => {
    await withPlatform('test', ({ db }) =>
      db.insert(schema.tenants).values({ id: 0, name: 'Plataforma' }).onConflictDoNothing(),
    )
    const [root, blocked] = [
      await createUser(0, { profile: 'superadmin' }),
      await createUser(0, { profile: 'superadmin', menuPermissions: { tenants: false, usuariotenants: false } }),
    ]
    kit.invalidateDirectory(0)
    const [one, other] = [await seedTenant(), await seedTenant()]
    const connectionId = await kit.createConnection(one, { kind: 'telegram', name: 'Bot' })
    const [platform, without, native, stranger] = [
      await connect(root),
      await connect(blocked),
      await connect(one.admin),
      await connect(other.admin),
    ]
    await as(one.admin).post(`/whatsappsession/${connectionId}/stop`, {})
    const stopped = { id: connectionId, status: 'DISCONNECTED', stoppedAt: expect.any(String) }
    await until(() => expect(platform.of('tenantConnection.updated')).toMatchObject([stopped]))
    await until(() => expect(native.of('connection.updated')).toMatchObject([stopped]))
    await as(one.admin).delete(`/whatsapp/${connectionId}`)
    await until(() => expect(platform.of('tenantConnection.deleted')).toEqual([{ id: connectionId }]))
    await until(() => expect(native.of('connection.deleted')).toHaveLength(1))
    await tell(other.tenantId, 'Última')
    await until(() => expect(stranger.of('user.updated')).toHaveLength(1))
    const names = (client: { heard: Heard[] }) => client.heard.map(([name]) => name)
    for (const client of [without, native, stranger])
      expect(names(client).filter((name) => name.startsWith('tenantConnection'))).toEqual([])
    expect(names(stranger).filter((name) => name.startsWith('connection'))).toEqual([])
    expect(names(platform).filter((name) => name.startsWith('connection'))).toEqual([])
  })

  test('an agent hears nothing of tickets hidden from her, and only the id of one that leaves her sight', async () => {
    const company = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
    const other = await createUser(company.tenantId, { queueIds: [company.queues.Suporte ?? ''] })
    const [ana, bruno] = [await connect(company.agent), await connect(other)]
    const ticketId = await createTicket(company, { queue: 'Vendas' })
    ana.socket.emit('ticket.view', { ticketId })
    await until(() => expect(ana.of('presence.ticket')).toHaveLength(1))

    await as(company.admin).put(`/tickets/${ticketId}`, { queueId: company.queues.Suporte, isTransference: true })
    await until(() => expect(ana.of('ticket.hidden')).toEqual([{ id: ticketId }]))
    await until(() => expect(bruno.of('ticket.updated')).toHaveLength(1))
    expect(roomsOf(company.agent.id)).not.toContain(`v:${company.tenantId}:${ticketId}`)

    const before = ana.heard.length
    await as(company.admin).put(`/tickets/${ticketId}`, { status: 'closed' })
    bruno.socket.emit('ticket.view', { ticketId })
    await until(() => expect(bruno.of('presence.ticket')).toHaveLength(1))
    await tell(company.tenantId, 'Última')
    await until(() => expect(ana.of('user.updated')).toHaveLength(1))
    expect(ana.heard.slice(before).map(([name]) => name)).toEqual(['user.updated'])
  })

  test('looking at a hidden, foreign or unknown ticket joins nothing (T24)', async () => {
    const [a, b] = [await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] }), await seedTenant()]
    const ana = await connect(a.agent)
    const names = [
      await createTicket(a, { queue: 'Suporte' }),
      await createTicket(b),
      v7(),
      '*',
      '%',
      'x'.repeat(10_000),
      `u:${a.tenantId}:${a.admin.id}`,
    ]
    for (const ticketId of names) ana.socket.emit('ticket.view', { ticketId })
    for (const junk of [undefined, null, 7, [], { ticketId: [names[0]] }]) ana.socket.emit('ticket.view', junk)
    const visible = await createTicket(a, { queue: 'Vendas' })
    ana.socket.emit('ticket.view', { ticketId: visible })
    await until(() => expect(ana.of('presence.ticket')).toHaveLength(1))
    await until(() =>
      expect([...roomsOf(a.agent.id)].filter((room) => room !== ana.socket.id).sort()).toEqual([
        `u:${a.tenantId}:${a.agent.id}`,
        `v:${a.tenantId}:${visible}`,
      ]),
    )
  })

  test('who loses a queue no longer looks at its tickets', async () => {
    const company = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
    const ana = await connect(company.agent)
    const ticketId = await createTicket(company, { queue: 'Vendas' })
    ana.socket.emit('ticket.view', { ticketId })
    await until(() => expect(ana.of('presence.ticket')).toHaveLength(1))
    await withTenant(company.tenantId, (tx) =>
      tx.db.delete(schema.queueMembers).where(eq(schema.queueMembers.userId, company.agent.id)),
    )
    await until(() => expect(ana.of('ticket.hidden')).toEqual([{ id: ticketId }]))
    expect(roomsOf(company.agent.id)).not.toContain(`v:${company.tenantId}:${ticketId}`)
    expect(ana.socket.connected).toBe(true)
  })
})

describe('what a window may say (T24, T59)', () => {
  test.each([
    ['an event of the server', 'ticket.updated', {}],
    ['a made-up event', 'join', 'u:1:1'],
    ['a name every object has', 'constructor', {}],
    ['another company’s presence', '9999:setUserActive', undefined],
  ])('%s ends the connection', async (_, name, payload) => {
    const { agent } = await seedTenant()
    const ana = await connect(agent)
    ana.socket.emit(name, payload)
    await gone(ana)
  })

  test('its own presence is welcome', async () => {
    const { agent, tenantId } = await seedTenant()
    const ana = await connect(agent)
    ana.socket.emit(`${tenantId}:setUserActive`)
    await tell(tenantId, 'Oi')
    await until(() => expect(ana.of('user.updated')).toHaveLength(1))
    expect(ana.socket.connected).toBe(true)
  })

  test('a flood ends the connection, a fast typist does not', async () => {
    const company = await seedTenant()
    const [ana, bruna] = [await connect(company.agent), await connect(company.supervisor)]
    const typing = { ticketId: v7(), isTyping: true }
    for (let n = 0; n < 5_000; n += 1) ana.socket.emit('ticket.typing', typing)
    for (let n = 0; n < 50; n += 1) bruna.socket.emit('ticket.typing', typing)
    await gone(ana)
    await tell(company.tenantId, 'Oi')
    await until(() => expect(bruna.of('user.updated')).toHaveLength(1))
  })

  test('one that does not read is dropped', async () => {
    const { agent, tenantId } = await seedTenant()
    const ana = await connect(agent)
    const serverSide = [...server.of('/').sockets.values()].find((one) => one.data.claims.userId === agent.id)
    const line = (
      ana.socket.io.engine.transport as unknown as {
        ws: { _socket: { pause: () => void }; terminate: () => void }
      }
    ).ws // no public way to stop reading
    line._socket.pause()
    const words = 'x'.repeat(20_000)
    for (let n = 0; n < 4_000; n += 1) {
      server.of('/').to(`u:${tenantId}:${agent.id}`).emit('user.updated', { id: 'x', name: words })
      if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await until(() => expect(serverSide?.connected).toBe(false))
    line.terminate()
  })
})

describe('rights end within five seconds (T12)', () => {
  const forSql = (company: { tenantId: number; agent: TestUser }) => ({
    'a new password': sql`update users set token_version = token_version + 1 where id = ${company.agent.id}`,
    'a block': sql`update users set is_blocked = true where id = ${company.agent.id}`,
    'a deletion': sql`update users set deleted_at = now() where id = ${company.agent.id}`,
    'a suspension': sql`update tenants set status = 'suspended' where id = ${company.tenantId}`,
    'the end of the company': sql`update tenants set status = 'closed' where id = ${company.tenantId}`,
  })
  test('in every window, when another process changed them', async () => {
    const names = ['a new password', 'a block', 'a deletion', 'a suspension', 'the end of the company'] as const
    const companies = await Promise.all(names.map(() => seedTenant()))
    const windows = await Promise.all(
      companies.flatMap(({ agent }) => [connect(agent), connect(agent), connect(agent)]),
    )
    // A suspended company leaves its administrators in; one that is closed, nobody.
    const last = companies.at(-1)?.admin ?? expect.fail('none')
    windows.push(await connect(last))
    const bystanders = await Promise.all(companies.slice(0, 3).map(({ admin }) => connect(admin)))
    // The worst moment: everybody has just been read.
    await Promise.all(companies.map(({ admin }) => as(admin).get('/queue')))
    for (const [n, company] of companies.entries())
      await withPlatform('test', (tx) => tx.db.execute(forSql(company)[names[n] ?? 'a block']))
    const changedAt = Date.now()
    for (const window of windows) await gone(window)
    expect(Date.now() - changedAt).toBeLessThan(5_000)
    for (const window of windows) expect(window.of('session.revoked')).toHaveLength(1)
    for (const bystander of bystanders) expect(bystander.socket.connected).toBe(true)
  })

  test('at once, when this process changed them', async () => {
    const company = await seedTenant()
    const windows = await Promise.all([connect(company.agent), connect(company.agent), connect(company.agent)])
    await withTenant(company.tenantId, (tx) => endSessions(tx, company.agent.id))
    for (const window of windows) await gone(window, 1_000)
    expect(windows[0]?.of('session.revoked')).toEqual([{ message: 'Sua sessão expirou. Entre de novo.' }])
    expect(await refusal(company.agent.token)).toBe('ERR_SESSION_EXPIRED')
  })

  test('who is in again stays, however late the end of the session before is heard', async () => {
    const { tenantId, agent } = await seedTenant()
    const before = await connect(agent)
    await withTenant(tenantId, (tx) => endSessions(tx, agent.id))
    const claims = { tenantId, userId: agent.id, tokenVersion: 2, sessionId: v7(), impersonatorId: null }
    const window = await connect({ token: await issueAccessToken(claims) })
    await gone(before, 1_000)
    announce('sessions.ended', { tenantId })
    const heard = new Promise((resolve) => window.socket.once('user.updated', resolve))
    server.of('/').to(`u:${tenantId}:${agent.id}`).emit('user.updated', { id: agent.id, name: 'Ana' })
    await heard
    expect([window.socket.connected, window.of('session.revoked')]).toEqual([true, []])
  })

  test('a session that ended (log-out elsewhere, stolen cookie) takes its own windows along, not the others', async () => {
    const { agent, tenantId } = await seedTenant()
    const sessionId = v7()
    const token = await issueAccessToken({
      tenantId,
      userId: agent.id,
      tokenVersion: 1,
      sessionId,
      impersonatorId: null,
    })
    const [stolen, honest] = [await connect({ token }), await connect(agent)]
    await withTenant(tenantId, (tx) =>
      tx.db.insert(schema.refreshTokens).values({
        tenantId,
        familyId: sessionId,
        userId: agent.id,
        tokenVersion: 1,
        hash: v7(),
        expiresAt: new Date(Date.now() + 1_000_000),
        revokedAt: new Date(),
      }),
    )
    await gone(stolen)
    expect(honest.socket.connected).toBe(true)
  })
})

describe('presence', () => {
  test('who looks and who writes is told to those who look, and forgotten when they leave', async () => {
    const company = await seedTenant()
    const ticketId = await createTicket(company)
    const [ana, bruna, outsider] = [
      await connect(company.agent),
      await connect(company.supervisor),
      await connect(company.admin),
    ]
    const looks = (who: TestUser, isTyping = false) => ({ userId: who.id, name: who.name, isTyping })
    const latest = () => ana.of('presence.ticket').at(-1)
    ana.socket.emit('ticket.view', { ticketId })
    await until(() => expect(latest()).toMatchObject({ viewers: [looks(company.agent)], contactTyping: false }))
    bruna.socket.emit('ticket.view', { ticketId })
    await until(() => expect(latest()?.viewers).toEqual([looks(company.agent), looks(company.supervisor)]))
    bruna.socket.emit('ticket.typing', { ticketId, isTyping: true })
    await until(() => expect(latest()?.viewers).toContainEqual(looks(company.supervisor, true)))
    bruna.socket.emit('ticket.typing', { ticketId, isTyping: false })
    await until(() => expect(latest()?.viewers).toContainEqual(looks(company.supervisor)))

    const second = await connect(company.supervisor)
    second.socket.emit('ticket.view', { ticketId })
    await until(() => expect(second.of('presence.ticket')).toHaveLength(1))
    bruna.socket.disconnect()
    await tell(company.tenantId, 'Oi')
    await until(() => expect(ana.of('user.updated')).toHaveLength(1))
    expect(latest()?.viewers).toContainEqual(looks(company.supervisor))
    second.socket.disconnect()
    await until(() => expect(latest()?.viewers).toEqual([looks(company.agent)]))
    expect(outsider.of('presence.ticket')).toEqual([])
  })

  test('who has a flow open is seen by the others there, with the step they stand on', async () => {
    const company = await seedTenant()
    const flowId = v7()
    const [bruna, carla] = [await connect(company.supervisor), await connect(company.admin)]
    const ana = await connect(company.agent)
    const latest = () => bruna.of('chatFlow.viewers').at(-1)
    ana.socket.emit('chatFlow.look', { flowId, nodeId: null })
    bruna.socket.emit('chatFlow.look', { flowId, nodeId: null })
    await until(() => expect(latest()).toMatchObject({ id: flowId, viewers: [{ name: 'Bruna Lima', nodeId: null }] }))
    carla.socket.emit('chatFlow.look', { flowId, nodeId: 'a1' })
    await until(() =>
      expect(latest()?.viewers).toContainEqual(expect.objectContaining({ name: 'Carla Dias', nodeId: 'a1' })),
    )
    carla.socket.disconnect()
    await until(() => expect(latest()?.viewers).toHaveLength(1))
    expect(ana.of('chatFlow.viewers')).toEqual([])
  })

  test('typing without looking says nothing', async () => {
    const company = await seedTenant()
    const ticketId = await createTicket(company)
    const [ana, bruna] = [await connect(company.agent), await connect(company.supervisor)]
    ana.socket.emit('ticket.view', { ticketId })
    await until(() => expect(ana.of('presence.ticket')).toHaveLength(1))
    bruna.socket.emit('ticket.typing', { ticketId, isTyping: true })
    bruna.socket.emit('ticket.view', { ticketId })
    await until(() => expect(ana.of('presence.ticket')).toHaveLength(2))
    expect(JSON.stringify(ana.of('presence.ticket'))).not.toContain('"isTyping":true')
  })

  test('a person is online with their first window, and what they chose survives a reload', async () => {
    const company = await seedTenant()
    const watcher = await connect(company.admin)
    const isOnline = async () => {
      const [row] = await withTenant(company.tenantId, (tx) =>
        tx.db.select().from(schema.users).where(eq(schema.users.id, company.agent.id)),
      )
      return row?.isOnline
    }
    const ana = await connect(company.agent)
    const itsMe = { userId: company.agent.id, isOnline: true }
    await until(() => expect(watcher.of('presence.user')).toContainEqual(expect.objectContaining(itsMe)))
    await as(company.agent).put(`/usersIsOnline/${company.agent.id}`, { isOnline: false })
    ana.socket.disconnect()
    const again = await connect(company.agent)
    again.socket.emit(`${company.tenantId}:setUserActive`)
    await tell(company.tenantId, 'Oi')
    await until(() => expect(again.of('user.updated')).toHaveLength(1))
    expect(await isOnline()).toBe(false)
  })
})

test('who was online before a crash and did not come back is not online', async () => {
  const company = await seedTenant()
  await withTenant(company.tenantId, (tx) => tx.db.update(schema.users).set({ isOnline: true }))
  const watcher = await connect(company.admin)
  await forgetAbsent(server.of('/'))
  await until(() => expect(watcher.of('presence.user')).toHaveLength(2))
  const left = [company.agent, company.supervisor].map(({ id }) => ({
    userId: id,
    isOnline: false,
    isAway: false,
    awayReason: null,
    awaySince: null,
  }))
  expect(watcher.of('presence.user')).toEqual(expect.arrayContaining(left))
})

test('a window that reloads just then keeps its person online', async () => {
  const company = await seedTenant()
  const watcher = await connect(company.admin)
  const ofAgent = () => watcher.of('presence.user').filter((one) => one.userId === company.agent.id)
  const agent = await connect(company.agent)
  await until(() => expect(ofAgent()).toMatchObject([{ isOnline: true }]))
  const id = agent.socket.id ?? ''
  agent.socket.disconnect()
  await until(() => expect(server.of('/').sockets.has(id)).toBe(false))
  await forgetAbsent(server.of('/'))
  const [row] = await withTenant(company.tenantId, (tx) =>
    tx.db.select().from(schema.users).where(eq(schema.users.id, company.agent.id)),
  )
  expect(row?.isOnline).toBe(true)
})

describe('the outbox', () => {
  const waiting = async (tenantId: number) =>
    (
      await platformRows<{ n: number }>(
        { name: 'test_outbox', text: 'select count(*)::int as n from outbox where tenant_id = $1' },
        [tenantId],
      )
    )[0]?.n

  test('is empty after everybody was told, in the order of the commits', async () => {
    const { agent, tenantId } = await seedTenant()
    const ana = await connect(agent)
    await Promise.all(Array.from({ length: 10 }, (_, n) => tell(tenantId, `Paralelo ${n}`)))
    const order: string[] = []
    for (let n = 0; n < 100; n += 1) {
      await tell(tenantId, `Pessoa ${n}`)
      order.push(`Pessoa ${n}`)
    }
    await until(() => expect(ana.of('user.updated')).toHaveLength(110))
    expect(
      ana
        .of('user.updated')
        .slice(10)
        .map(({ name }) => name),
    ).toEqual(order)
    await vi.waitFor(async () => expect(await waiting(tenantId)).toBe(0), { timeout: 2_000 })
  })

  test('rows of a writer that died are told once, in order', async () => {
    const { agent, tenantId } = await seedTenant()
    const ana = await connect(agent)
    await withTenant(tenantId, (tx) =>
      tx.db.insert(schema.outbox).values(
        Array.from({ length: 20 }, (_, n) => ({
          tenantId,
          name: 'user.updated' as const,
          payload: { id: v7(), name: `Órfã ${n}` },
          audience: seen,
          dueAt: new Date(Date.now() - 10_000),
        })),
      ),
    )
    await until(() => expect(ana.of('user.updated')).toHaveLength(20))
    await vi.waitFor(async () => expect(await waiting(tenantId)).toBe(0), { timeout: 2_000 })
    await tell(tenantId, 'Depois')
    await until(() => expect(ana.of('user.updated').at(-1)).toMatchObject({ name: 'Depois' }))
    expect(ana.of('user.updated').map(({ name }) => name)).toEqual([
      ...Array.from({ length: 20 }, (_, n) => `Órfã ${n}`),
      'Depois',
    ])
  })

  test('what a process without sockets has written is told at once, once and in order', async () => {
    const { agent, tenantId } = await seedTenant()
    const ana = await connect(agent)
    const { announce } = await import('../kit/signals/signals.ts')
    const rows = await withTenant(tenantId, (tx) =>
      tx.db
        .insert(schema.outbox)
        .values(
          Array.from({ length: 20 }, (_, n) => ({
            tenantId,
            name: 'user.updated' as const,
            payload: { id: v7(), name: `De longe ${n}` },
            audience: seen,
          })),
        )
        .returning({ seq: schema.outbox.seq }),
    )
    const toldAt = performance.now()
    for (const { seq } of rows) announce('events.written', { tenantId, seq })
    await vi.waitFor(() => expect(ana.of('user.updated')).toHaveLength(20), { timeout: 1_500, interval: 5 })
    expect(performance.now() - toldAt).toBeLessThan(1_500) // the clock finds them after two seconds
    expect(ana.of('user.updated').map(({ name }) => name)).toEqual(rows.map((_, n) => `De longe ${n}`))
    for (const { seq } of rows) announce('events.written', { tenantId, seq }) // taken already
    await vi.waitFor(async () => expect(await waiting(tenantId)).toBe(0), { timeout: 2_000 })
    expect(ana.of('user.updated')).toHaveLength(20)
  })

  test('a ticket’s events carry a version that only grows, so a late one can be told apart', async () => {
    const company = await seedTenant()
    const ticketId = await createTicket(company)
    const ana = await connect(company.admin)
    for (const status of ['open', 'pending', 'open', 'closed'])
      await as(company.admin).put(`/tickets/${ticketId}`, { status })
    await until(() => expect(ana.of('ticket.updated')).toHaveLength(4))
    const versions = ana.of('ticket.updated').map(({ version }) => Number(version))
    expect(versions).toEqual(versions.toSorted((a, b) => a - b))
    expect(new Set(versions).size).toBe(4)
  })
})

test('after a cut the window comes back by itself and hears again', async () => {
  const { agent, tenantId } = await seedTenant()
  const ana = await connect(agent, { reconnection: true })
  const former = ana.socket.id
  ana.socket.io.engine.close()
  await until(() => expect(ana.socket.connected && ana.socket.id !== former).toBe(true))
  await tell(tenantId, 'De volta')
  await until(() => expect(ana.of('user.updated')).toHaveLength(1))
})

test('the customer’s own end of a conversation is an event without an author', async () => {
  const company = await seedTenant()
  const [contactId, connectionId] = [await kit.createContact(company), await kit.createConnection(company)]
  const ticketId = await createTicket(company, { contactId, connectionId })
  const ana = await connect(company.admin)
  const close = () =>
    withTenant(company.tenantId, (tx) => closeByContact(tx, { connectionId, contactId, line: 'Encerrou.' }))
  await Promise.all([close(), close()])
  await until(() => expect(ana.of('message.created')).toHaveLength(1))
  expect(ana.of('ticket.updated')).toMatchObject([{ id: ticketId, status: 'closed' }])
  expect(ana.of('message.created')).toMatchObject([{ message: { type: 'system', body: 'Encerrou.', user: null } }])
})

test('what a system was told reaches the windows of whoever may set it up, several at once', async () => {
  const { tellTried } = await import('../features/core/deliveries/tell-tried.ts')
  const [tenant, other] = [await seedTenant(), await seedTenant()]
  const [admin, agent, stranger] = [
    await connect(tenant.admin),
    await connect(tenant.agent),
    await connect(other.admin),
  ]
  const integrationId = v7()
  const row = (id: number) => ({
    ...{ id, deliveryId: v7(), topic: 'ticket.updated' as const, state: 'delivered' as const, attempts: 1 },
    ...{ error: null, status: 200, triedAt: new Date(), dueAt: new Date(), createdAt: new Date() },
  })
  for (const id of [1, 2]) tellTried({ tenantId: tenant.tenantId, integrationId }, [row(id)])
  await until(() => expect(admin.of('integration.delivered')).toHaveLength(1))
  expect(admin.of('integration.delivered')).toMatchObject([
    { integrationId, items: [{ id: 1, dueAt: null }, { id: 2 }] },
  ])
  for (const { of } of [agent, stranger]) expect(of('integration.delivered')).toEqual([])
})
