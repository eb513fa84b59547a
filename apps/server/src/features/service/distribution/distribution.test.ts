import { alwaysOpen } from '@balcao/contract/core/business-hours.ts'
import type { TenantSettings } from '@balcao/contract/people/settings.ts'
import type { Queue } from '@balcao/contract/service/queues.ts'
import { and, asc, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { startTestApp, type TestUser } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { choose } from './choose.ts'

const {
  as,
  seedTenant,
  createUser,
  createContact,
  createConnection,
  createTicket,
  withTenant,
  schema,
  invalidateDirectory,
} = await startTestApp()
const { distributeTickets } = await import('./distribute.ts')
const { ingest, settleInbound } = await import('../../intake/inbound/inbound.service.ts')

type UserColumns = Partial<typeof schema.users.$inferSelect>
const never = alwaysOpen.map((day) => ({ ...day, type: 'C' as const }))

/** A company with one queue that distributes among so many people who are online. */
const team = async (
  people: number,
  queue: Partial<Queue> = { distribution: 'fewest' },
  settings: Partial<TenantSettings> = {},
) => {
  const tenant = await seedTenant({ queues: ['Vendas'], agentIn: [], settings })
  const queueId = tenant.queues.Vendas ?? ''
  const agents: TestUser[] = []
  for (let n = 0; n < people; n += 1) agents.push(await createUser(tenant.tenantId, { queueIds: [queueId] }))
  const change = (id: string, columns: UserColumns) =>
    withTenant(tenant.tenantId, (tx) => tx.db.update(schema.users).set(columns).where(eq(schema.users.id, id)))
  for (const { id } of agents) await change(id, { isOnline: true })
  await as(tenant.admin).put(`/queue/${queueId}`, queue)
  const connectionId = await createConnection(tenant)
  const wait = async (count: number, more: Parameters<typeof createTicket>[1] = {}) => {
    const ids: string[] = []
    for (let n = 0; n < count; n += 1) ids.push(await createTicket(tenant, { queue: 'Vendas', connectionId, ...more }))
    return ids
  }
  const run = async () => {
    invalidateDirectory(tenant.tenantId)
    while (await distributeTickets(tenant.tenantId));
  }
  const tickets = () =>
    withTenant(tenant.tenantId, (tx) =>
      tx.db
        .select()
        .from(schema.tickets)
        .where(eq(schema.tickets.tenantId, tenant.tenantId))
        .orderBy(asc(schema.tickets.id)),
    )
  const ownerOf = async (id: string | undefined) => (await tickets()).find((ticket) => ticket.id === id)?.userId ?? null
  /** How many each has, in the order of the people. */
  const shares = async () => {
    const all = await tickets()
    return agents.map(({ id }) => all.filter((ticket) => ticket.userId === id).length)
  }
  const expire = (id: string | undefined) =>
    withTenant(tenant.tenantId, (tx) =>
      tx.db
        .update(schema.tickets)
        .set({ distributedAt: new Date(Date.now() - 10 * 60_000) })
        .where(eq(schema.tickets.id, id ?? '')),
    )
  return { ...tenant, queueId, agents, change, connectionId, wait, run, tickets, ownerOf, shares, expire }
}
const eventsOf = (tenantId: number, name: 'ticket.notice' | 'ticket.updated') =>
  withTenant(tenantId, (tx) =>
    tx.db
      .select()
      .from(schema.outbox)
      .where(and(eq(schema.outbox.tenantId, tenantId), eq(schema.outbox.name, name)))
      .orderBy(schema.outbox.seq),
  )

describe('the choice', () => {
  const person = (
    userId: string,
    load: number,
    lastAssignedAt: Date | null = null,
    capacity: number | null = null,
  ) => ({
    userId,
    load,
    capacity,
    lastAssignedAt,
  })
  test('fewest looks at the load, in turn at who waits longest', () => {
    const [ana, bia] = [person('a', 2, new Date(1)), person('b', 1, new Date(2))]
    expect(choose('fewest', [ana, bia], null)).toBe(bia)
    expect(choose('roundRobin', [ana, bia], null)).toBe(ana)
    expect(choose('roundRobin', [ana, bia, person('c', 9)], null)?.userId).toBe('c')
  })
  test('whoever let it pass is asked again only when there is nobody else', () => {
    const [ana, bia] = [person('a', 0), person('b', 5)]
    expect(choose('fewest', [ana, bia], 'a')).toBe(bia)
    expect(choose('fewest', [ana, person('b', 5, null, 5)], 'a')).toBe(ana)
    expect(choose('random', [ana], 'a')).toBe(ana)
  })
  test('nobody is chosen over their limit', () => {
    expect(choose('random', [person('a', 3, null, 3)], null)).toBeUndefined()
  })
})

describe('fairness', () => {
  test.each(['fewest', 'roundRobin'] as const)(
    '50 conversations over 5 people by %s are 10 each, also when two processes decide',
    async (way) => {
      const desk = await team(5, { distribution: way })
      await desk.wait(50)
      await Promise.all([desk.run(), desk.run(), desk.run()])
      expect(await desk.shares()).toEqual([10, 10, 10, 10, 10])
      const all = await desk.tickets()
      expect(all.every((ticket) => ticket.status === 'pending' && ticket.distributedAt !== null)).toBe(true)
      const notices = await eventsOf(desk.tenantId, 'ticket.notice')
      expect(notices).toHaveLength(50)
      expect(notices.every(({ payload }) => JSON.stringify(payload).includes('"distributed"'))).toBe(true)
    },
  )

  test('one after the other they go in turn', async () => {
    const desk = await team(3, { distribution: 'roundRobin' })
    for (let n = 0; n < 6; n += 1) {
      await desk.wait(1)
      await desk.run()
    }
    expect(await desk.shares()).toEqual([2, 2, 2])
  })

  test('random gives to everybody some', async () => {
    const desk = await team(3, { distribution: 'random' })
    await desk.wait(60)
    await desk.run()
    const shares = await desk.shares()
    expect(shares.reduce((sum, one) => sum + one)).toBe(60)
    expect(Math.min(...shares)).toBeGreaterThan(3)
  })

  test('fewest counts what people have already, and whoever has nothing comes first', async () => {
    const desk = await team(3)
    const [busy, some, idle] = desk.agents
    await desk.wait(4, { userId: busy?.id })
    await desk.wait(1, { userId: some?.id })
    await desk.wait(3)
    await desk.run()
    expect(await desk.shares()).toEqual([4, 2, 2])
    expect(idle).toBeDefined()
  })

  test('the most urgent and whoever waits longest are first', async () => {
    const desk = await team(1)
    const [first, second, urgent] = await desk.wait(3)
    await withTenant(desk.tenantId, async (tx) => {
      const set = (id: string | undefined, columns: object) =>
        tx.db
          .update(schema.tickets)
          .set(columns)
          .where(eq(schema.tickets.id, id ?? ''))
      await set(first, { waitingSince: new Date(Date.now() - 1_000) })
      await set(second, { waitingSince: new Date(Date.now() - 5_000) })
      await set(urgent, { priority: 'urgent' })
    })
    await desk.change(desk.agents[0]?.id ?? '', { capacity: 2 })
    await desk.run()
    expect([await desk.ownerOf(urgent), await desk.ownerOf(second), await desk.ownerOf(first)]).toEqual([
      desk.agents[0]?.id,
      desk.agents[0]?.id,
      null,
    ])
  })
})

describe('who is handed something', () => {
  test('nobody beyond their limit, of whatever is theirs; free again, the next comes', async () => {
    const desk = await team(2)
    const [ana, bia] = desk.agents
    await desk.change(ana?.id ?? '', { capacity: 2 })
    await desk.change(bia?.id ?? '', { capacity: 1 })
    const [busy] = await desk.wait(1, { userId: ana?.id })
    await desk.wait(5)
    await Promise.all([desk.run(), desk.run()])
    expect(await desk.shares()).toEqual([2, 1])
    if (ana) await as(ana).put(`/tickets/${busy}`, { status: 'closed' })
    await desk.run()
    expect(
      (await desk.tickets()).filter(({ userId, status }) => userId === ana?.id && status === 'pending'),
    ).toHaveLength(2)
  })

  test('a queue where much waits in vain does not hold up the others', async () => {
    const { tenantId, admin, agents, change, connectionId, wait, run, ownerOf } = await team(1)
    await change(agents[0]?.id ?? '', { capacity: 1 })
    await wait(120)
    const other = (await as(admin).post('/queue', { name: 'Suporte', color: '#0b7a75', distribution: 'fewest' })).body
      .id
    const free = await createUser(tenantId, { queueIds: [other] })
    await change(free.id, { isOnline: true })
    const id = await createTicket({ tenantId, queues: { Suporte: other } }, { queue: 'Suporte', connectionId })
    await run()
    expect(await ownerOf(id)).toBe(free.id)
  })

  test('a person of two queues has one limit', async () => {
    const desk = await team(1)
    const [ana] = desk.agents
    const { body: other } = await as(desk.admin).post('/queue', {
      name: 'Suporte',
      color: '#0b7a75',
      distribution: 'roundRobin',
      memberIds: [ana?.id],
    })
    await desk.change(ana?.id ?? '', { capacity: 3 })
    await desk.wait(3)
    const more = await desk.wait(3, { queue: 'Vendas' })
    await withTenant(desk.tenantId, async (tx) => {
      for (const id of more)
        await tx.db.update(schema.tickets).set({ queueId: other.id }).where(eq(schema.tickets.id, id))
    })
    await Promise.all([desk.run(), desk.run()])
    expect(await desk.shares()).toEqual([3])
  })

  test('only members who are there, may answer and are within their hours', async () => {
    const desk = await team(6)
    const [offline, away, blocked, night, muted, ready] = desk.agents
    await desk.change(offline?.id ?? '', { isOnline: false })
    await desk.change(away?.id ?? '', { awaySince: new Date(), awayReason: 'Almoço' })
    await desk.change(blocked?.id ?? '', { isBlocked: true })
    await desk.change(night?.id ?? '', { allowedHours: never })
    await desk.change(muted?.id ?? '', { menuPermissions: { atendimento: false } })
    await desk.change(desk.admin.id, { isOnline: true }) // no member
    await desk.wait(4)
    await desk.run()
    expect(await desk.shares()).toEqual([0, 0, 0, 0, 0, 4])
    expect(ready).toBeDefined()
  })

  test('who leads the team is handed nothing for being online, only where they ask for it', async () => {
    const desk = await team(1)
    const chief = await createUser(desk.tenantId, { profile: 'super', queueIds: [desk.queueId] })
    await desk.change(chief.id, { isOnline: true })
    await desk.change(desk.agents[0]?.id ?? '', { isOnline: false })
    const [id] = await desk.wait(1)
    await desk.run()
    expect(await desk.ownerOf(id)).toBeNull()
    await as(chief).put(`/users/${chief.id}/configs`, { takesOffers: true })
    await desk.run()
    expect(await desk.ownerOf(id)).toBe(chief.id)
  })

  test('nothing of groups, bots, what was put away, what somebody has, or of a queue that is closed or inactive', async () => {
    const desk = await team(1)
    await desk.wait(1, { isGroup: true })
    await desk.wait(1, { chatFlowId: desk.queueId })
    const [resting] = await desk.wait(1)
    await withTenant(desk.tenantId, (tx) =>
      tx.db
        .update(schema.tickets)
        .set({ pausedAt: new Date() })
        .where(eq(schema.tickets.id, resting ?? '')),
    )
    await desk.run()
    expect(await desk.shares()).toEqual([0])
    await desk.wait(1)
    await as(desk.admin).put(`/queue/${desk.queueId}`, { businessHours: never })
    await desk.run()
    expect(await desk.shares()).toEqual([0])
    await as(desk.admin).put(`/queue/${desk.queueId}`, { businessHours: [], isActive: false })
    await desk.run()
    expect(await desk.shares()).toEqual([0])
    await as(desk.admin).put(`/queue/${desk.queueId}`, { isActive: true })
    await desk.run()
    expect(await desk.shares()).toEqual([1])
  })
})

describe('what is not accepted', () => {
  test('goes to the next in time, never to the same twice while there is another', async () => {
    const desk = await team(2, { distribution: 'fewest', acceptWithin: 5 })
    const [id] = await desk.wait(1)
    await desk.run()
    const first = await desk.ownerOf(id)
    await desk.run()
    expect(await desk.ownerOf(id)).toBe(first) // still in time
    await desk.expire(id)
    await Promise.all([desk.run(), desk.run()])
    const second = await desk.ownerOf(id)
    expect(second).not.toBe(first)
    await desk.expire(id)
    await desk.run()
    expect(await desk.ownerOf(id)).toBe(first)
    const told = (await eventsOf(desk.tenantId, 'ticket.notice')).map(({ audience }) => audience)
    expect(told).toEqual([first, second, first].map((userId) => ({ kind: 'users', userIds: [userId] })))
  })

  test('stays with the only one there is, without a word', async () => {
    const desk = await team(1, { distribution: 'fewest', acceptWithin: 1 })
    const [id] = await desk.wait(1)
    await desk.run()
    await desk.expire(id)
    await desk.run()
    expect(await desk.ownerOf(id)).toBe(desk.agents[0]?.id)
    expect(await eventsOf(desk.tenantId, 'ticket.notice')).toHaveLength(1)
  })

  test('is nobody’s yet: others are told whose turn it is, and may take it over until it is accepted', async () => {
    const desk = await team(2)
    const [id] = await desk.wait(1)
    await desk.run()
    const turn = (await as(desk.admin).get(`/tickets/${id}`)).body
    const holder = desk.agents.find((one) => one.id === turn.userId)
    const other = desk.agents.find((one) => one.id !== turn.userId)
    const accept = (who: TestUser | undefined, more = {}) =>
      as(who).put(`/tickets/${id}`, { status: 'open', userId: who?.id, ...more })
    expect(await accept(other)).toMatchObject({
      status: 409,
      body: { error: 'ERR_TICKET_OFFERED', details: { userId: turn.userId } },
    })
    expect(await accept(desk.admin, { takeOver: true })).toMatchObject({
      status: 200,
      body: { status: 'open', userId: desk.admin.id },
    })
    expect(await accept(holder, { takeOver: true })).toMatchObject({
      status: 409,
      body: { error: 'ERR_TICKET_TAKEN', details: { userId: desk.admin.id } },
    })
  })

  test('accepted, it is theirs: time no longer runs', async () => {
    const desk = await team(2, { distribution: 'fewest', acceptWithin: 1 })
    const [id] = await desk.wait(1)
    await desk.run()
    const owner = desk.agents.find(({ id: userId }) => userId === null) ?? desk.agents[0]
    const holder = await desk.ownerOf(id)
    const agent = desk.agents.find(({ id: userId }) => userId === holder) ?? owner
    if (agent) expect((await as(agent).put(`/tickets/${id}`, { status: 'open' })).status).toBe(200)
    const [ticket] = await desk.tickets()
    expect(ticket).toMatchObject({ status: 'open', userId: holder, distributedAt: null })
  })

  test('of whoever steps away or leaves goes back, the accepted ones stay', async () => {
    const desk = await team(2)
    const [ana, bia] = desk.agents
    await desk.change(bia?.id ?? '', { isOnline: false })
    const [mine] = await desk.wait(1, { userId: ana?.id })
    const [reserved] = await desk.wait(1)
    await desk.run()
    expect(await desk.ownerOf(reserved)).toBe(ana?.id)
    if (ana) await as(ana).put(`/users/${ana.id}/availability`, { state: 'away', reason: 'Almoço' })
    await desk.run()
    expect(await desk.ownerOf(reserved)).toBeNull()
    expect(await desk.ownerOf(mine)).toBe(ana?.id)
    if (bia) await as(bia).put(`/users/${bia.id}/availability`, { state: 'online' })
    await desk.run()
    expect(await desk.ownerOf(reserved)).toBe(bia?.id)
    if (bia) await as(bia).put(`/users/${bia.id}/availability`, { state: 'offline' })
    if (ana) await as(ana).put(`/users/${ana.id}/availability`, { state: 'online' })
    await desk.run()
    expect(await desk.ownerOf(reserved)).toBe(ana?.id)
  })

  test('what waited before somebody came is found in the bell and greets nobody; what comes afterwards is told', async () => {
    const desk = await team(1)
    const [ana] = desk.agents
    const say = (isOnline: boolean) => ana && as(ana).put(`/usersIsOnline/${ana.id}`, { isOnline })
    await say(false)
    await desk.wait(1)
    await say(true)
    await desk.run()
    const [later] = await desk.wait(1)
    await desk.run()
    expect(await desk.ownerOf(later)).toBe(ana?.id)
    const told = (await eventsOf(desk.tenantId, 'ticket.notice')).map(({ payload }) => payload as { isQuiet?: boolean })
    expect(told.map(({ isQuiet }) => isQuiet === true)).toEqual([true, false])
  })

  test('a reservation somebody made by hand is theirs, whatever the time', async () => {
    const desk = await team(2, { distribution: 'fewest', acceptWithin: 1 })
    const [ana] = desk.agents
    const [id] = await desk.wait(1)
    await as(desk.admin).put(`/tickets/${id}`, { userId: ana?.id })
    await desk.change(ana?.id ?? '', { isOnline: false })
    await desk.run()
    expect(await desk.ownerOf(id)).toBe(ana?.id)
  })
})

describe('by itself', () => {
  test('two processes hand out what begins to wait, what comes back and what frees', async () => {
    const desk = await team(2)
    const [ana, bia] = desk.agents
    await desk.change(bia?.id ?? '', { isOnline: false })
    const loops = [await startTestWorkers('distribution'), await startTestWorkers('distribution')]
    const eventually = async (check: () => Promise<void>) => {
      for (let left = 100; ; left -= 1) {
        try {
          return await check()
        } catch (error) {
          if (!left) throw error
          await new Promise((done) => setTimeout(done, 30))
        }
      }
    }
    try {
      const contactId = await createContact(desk)
      const body = { contactId, channelId: desk.connectionId, status: 'pending', queueId: desk.queueId }
      const { body: ticket } = await as(desk.admin).post('/tickets', body)
      await eventually(async () => expect(await desk.ownerOf(ticket.id)).toBe(ana?.id))
      if (bia) await as(bia).put(`/usersIsOnline/${bia.id}`, { isOnline: true })
      if (ana) await as(ana).put(`/usersIsOnline/${ana.id}`, { isOnline: false })
      await eventually(async () => expect(await desk.ownerOf(ticket.id)).toBe(bia?.id))
      if (bia) await as(bia).put(`/tickets/${ticket.id}`, { status: 'open' })
      if (ana) await as(ana).put(`/usersIsOnline/${ana.id}`, { isOnline: true })
      if (bia) await as(bia).put(`/tickets/${ticket.id}`, { status: 'pending' })
      await eventually(async () => expect(await desk.ownerOf(ticket.id)).toBe(ana?.id))
    } finally {
      await Promise.all(loops.map((loop) => loop.stop()))
    }
  })
})

describe('wallets', () => {
  const owned = async (settings: Partial<TenantSettings>) => {
    const desk = await team(2, { distribution: 'fewest' }, { DirectTicketsToWallets: true, ...settings })
    await withTenant(desk.tenantId, (tx) =>
      tx.db
        .update(schema.connections)
        .set({ queueId: desk.queueId })
        .where(eq(schema.connections.id, desk.connectionId)),
    )
    const owner = desk.agents[0]?.id ?? ''
    let said = 0
    /** The owner's contact writes for the first time. */
    const write = async (walletIds = [owner]) => {
      said += 1
      const visitor = `${desk.tenantId}-${said}`
      const contactId = await createContact(desk, { walletIds })
      await withTenant(desk.tenantId, (tx) =>
        tx.db
          .insert(schema.contactIdentities)
          .values({ tenantId: desk.tenantId, kind: 'webchat', value: visitor, contactId }),
      )
      invalidateDirectory(desk.tenantId)
      await ingest(desk.tenantId, desk.connectionId, [
        {
          kind: 'message',
          providerId: visitor,
          from: { identities: [{ kind: 'webchat', value: visitor }] },
          fromMe: false,
          timestamp: new Date(),
          content: { type: 'text', body: 'Oi' },
        },
      ])
      await settleInbound()
      return (await desk.tickets()).find((ticket) => ticket.contactId === contactId)
    }
    return { ...desk, owner, write }
  }

  test('the owner who is there gets it, accepted', async () => {
    const desk = await owned({ transbordo: true })
    expect(await desk.write()).toMatchObject({ status: 'open', userId: desk.owner })
  })

  test.each([
    ['offline', { isOnline: false }],
    ['away', { awaySince: new Date(), awayReason: 'Almoço' }],
    ['full', { capacity: 1 }],
  ])('an owner who is %s: with overflow anybody, else it waits for them', async (_, columns) => {
    for (const transbordo of [true, false]) {
      const desk = await owned({ transbordo })
      await desk.wait(1, { userId: desk.owner })
      await desk.change(desk.owner, columns)
      const ticket = await desk.write()
      expect(ticket).toMatchObject({ status: 'pending', userId: transbordo ? null : desk.owner })
      await desk.run()
      expect(await desk.ownerOf(ticket?.id)).toBe(transbordo ? desk.agents[1]?.id : desk.owner)
    }
  })

  test('the last free place of an owner is given once', async () => {
    const desk = await owned({ transbordo: true })
    await desk.change(desk.owner, { capacity: 3 })
    await Promise.all(Array.from({ length: 8 }, () => desk.write()))
    expect((await desk.tickets()).filter(({ userId }) => userId === desk.owner)).toHaveLength(3)
  })

  test('of several owners, the one who is there with the fewest', async () => {
    const desk = await owned({})
    const [ana, bia] = desk.agents
    await desk.wait(1, { userId: ana?.id })
    expect(await desk.write([ana?.id ?? '', bia?.id ?? ''])).toMatchObject({ userId: bia?.id, status: 'open' })
  })
})
