import { ticketCounters } from '@balcao/contract/conversations/tickets.ts'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createContact, createConnection, createTicket, schema, withTenant } = kit

type Tenant = Awaited<ReturnType<typeof seedTenant>>
type Reply = { body: { items: { id: string }[]; nextCursor: string | null } }
const idsOf = (reply: Reply) => reply.body.items.map((item) => item.id)
/** Sets columns of a ticket that no factory knows. */
const put = (tenant: { tenantId: number }, id: string, sets: string, ...values: unknown[]) =>
  withTenant(tenant.tenantId, (tx) =>
    tx.rows({ name: '', text: `update tickets set ${sets} where tenant_id = $1 and id = $2` }, [
      tenant.tenantId,
      id,
      ...values,
    ]),
  )
const mention = async ({ tenantId }: Tenant, ticketId: string, userId: string, readAt: Date | null = null) => {
  const messageId = v7()
  await withTenant(tenantId, async ({ db, rows }) => {
    const [ticket] = await rows<{ contactId: string; connectionId: string }>(
      {
        name: '',
        text: 'select contact_id as "contactId", connection_id as "connectionId" from tickets where id = $1',
      },
      [ticketId],
    )
    if (!ticket) throw new Error('No ticket')
    const line = { tenantId, id: messageId, ticketId, ...ticket, fromMe: true, type: 'note' as const, body: '@Ana' }
    await db.insert(schema.messages).values({ ...line, status: 'received', timestamp: new Date() })
    await db.insert(schema.mentions).values({ tenantId, userId, messageId, ticketId, readAt })
  })
}
const schedule = ({ tenantId, admin }: Tenant, contactId: string, connectionId: string) => {
  const dueAt = new Date(Date.now() + 86_400_000)
  return withTenant(tenantId, ({ db }) =>
    db.insert(schema.schedules).values({
      tenantId,
      contactId,
      connectionId,
      body: 'Oi',
      dueAt,
      attemptAt: dueAt,
      wallTime: dueAt.toISOString().slice(0, 16),
      timeZone: 'UTC',
      createdBy: admin.id,
    }),
  )
}

/** One ticket of each kind in a company with two queues, of which the agent is in one. */
const seedViews = async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const connectionId = await createConnection(tenant)
  const contactId = await createContact(tenant)
  const { agent, supervisor } = tenant
  const sales = { queue: 'Vendas' }
  const made = {
    open: await createTicket(tenant, { ...sales, userId: agent.id, unreadMessages: 2 }),
    pending: await createTicket(tenant, sales),
    closed: await createTicket(tenant, { ...sales, status: 'closed' }),
    group: await createTicket(tenant, { ...sales, isGroup: true }),
    bot: await createTicket(tenant, { ...sales, chatFlowId: v7() }),
    paused: await createTicket(tenant, { ...sales, userId: agent.id }),
    scheduled: await createTicket(tenant, { ...sales, contactId, connectionId }),
    shared: await createTicket(tenant, { queue: 'Suporte', userId: supervisor.id }),
    mentioned: await createTicket(tenant, { ...sales, status: 'closed' }),
    readMention: await createTicket(tenant, sales),
    /** Marked, shared and mentioned as the others are, in a queue the agent is not in. */
    hidden: await createTicket(tenant, { queue: 'Suporte', contactId, isGroup: true }),
  }
  await put(tenant, made.paused, `paused_at = now()`)
  await put(tenant, made.shared, 'shared_with = array[$3::uuid]', agent.id)
  await schedule(tenant, contactId, connectionId)
  await mention(tenant, made.mentioned, agent.id)
  await mention(tenant, made.mentioned, agent.id)
  await mention(tenant, made.readMention, agent.id, new Date())
  await mention(tenant, made.hidden, agent.id)
  await as(agent).put(`/tickets/${made.pending}/marks`, { isPinned: true })
  await as(agent).put(`/tickets/${made.closed}/marks`, { isFollowed: true })
  await withTenant(tenant.tenantId, ({ db }) =>
    db.insert(schema.ticketMarks).values({
      tenantId: tenant.tenantId,
      userId: agent.id,
      ticketId: made.hidden,
      isPinned: true,
      isFollowed: true,
    }),
  )
  return { tenant, made }
}

test('each view holds what it names, and never what the policy hides', async () => {
  const { tenant, made } = await seedViews()
  const list = async (query: string, user = tenant.agent) => {
    const ids = idsOf(await as(user).get(`/tickets?${query}`))
    return Object.entries(made)
      .flatMap(([name, id]) => (ids.includes(id) ? [name] : []))
      .sort()
  }
  expect(await list('status=open&isPaused=false')).toEqual(['open', 'shared'])
  expect(await list('status=pending&isPaused=false')).toEqual(['bot', 'group', 'pending', 'readMention', 'scheduled'])
  expect(await list('isPaused=true')).toEqual(['paused'])
  expect(await list('isGroup=true')).toEqual(['group'])
  expect(await list('isGroup=false&status=pending')).toEqual(['bot', 'pending', 'readMention', 'scheduled'])
  expect(await list('isBot=true')).toEqual(['bot'])
  expect(await list('isBot=false&status=pending')).toEqual(['group', 'pending', 'readMention', 'scheduled'])
  expect(await list('hasSchedule=true')).toEqual(['scheduled'])
  expect(await list('hasSchedule=false&status=pending')).toEqual(['bot', 'group', 'pending', 'readMention'])
  expect(await list('isShared=true')).toEqual(['shared'])
  expect(await list('isShared=false&status=open')).toEqual(['open', 'paused'])
  expect(await list('mentionsMe=true&status=open,pending,closed')).toEqual(['mentioned', 'readMention'])
  expect(await list('isPinned=true')).toEqual(['pending'])
  expect(await list('isPinned=false&status=pending')).toEqual(['bot', 'group', 'readMention', 'scheduled'])
  expect(await list('isFollowed=true&status=closed')).toEqual(['closed'])
  expect(await list('isPinned=true', tenant.admin)).toEqual([])
  expect(await list('isGroup=true&showAll=true', tenant.admin)).toEqual(['group', 'hidden'])
})

test('counters tell what each view holds', async () => {
  const { tenant } = await seedViews()
  const mine = (await as(tenant.agent).get('/tickets/counters')).body
  expect(ticketCounters.strict().parse(mine)).toEqual({
    open: 2,
    pending: 5,
    closed: 2,
    unread: 1,
    groups: 1,
    bot: 1,
    paused: 1,
    scheduled: 1,
    shared: 1,
    notSent: 0,
    followed: 1,
    mentions: 1,
  })
  const all = (await as(tenant.admin).get('/tickets/counters?showAll=true')).body
  expect(all).toMatchObject({ pending: 6, groups: 2, shared: 0, followed: 0, mentions: 0, closed: 2 })
})

test('what was not sent is a view of its own, and counters follow the filter as the list does', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas', 'Suporte'] })
  const failed = await createTicket(tenant, { queue: 'Vendas', unreadMessages: 1 })
  const uncertain = await createTicket(tenant, { queue: 'Suporte', userId: tenant.agent.id })
  await createTicket(tenant, { queue: 'Suporte', status: 'closed' })
  await put(tenant, failed, `not_sent = 'failed'`)
  await put(tenant, uncertain, `not_sent = 'uncertain'`)
  const agent = as(tenant.agent)
  expect(idsOf(await agent.get('/tickets?isNotSent=true')).toSorted()).toEqual([failed, uncertain].toSorted())
  expect(idsOf(await agent.get('/tickets?isNotSent=true&status=open'))).toEqual([uncertain])
  expect(idsOf(await agent.get('/tickets?isNotSent=false'))).toEqual([])

  const counted = async (query: string) => (await agent.get(`/tickets/counters?${query}`)).body
  expect(await counted('')).toMatchObject({ open: 1, pending: 1, closed: 1, notSent: 2 })
  expect(await counted(`queuesIds=${tenant.queues.Vendas}`)).toMatchObject({
    open: 0,
    pending: 1,
    closed: null,
    notSent: 1,
  })
  expect(await counted(`selectedUser=${tenant.agent.id}`)).toMatchObject({ open: 1, pending: 0, notSent: 1 })
  expect(await counted('withUnreadMessages=true')).toMatchObject({ open: 0, pending: 1, unread: 1 })
  expect((await agent.get('/tickets/counters?priority=x')).status).toBe(422)
})

test('priority and the days of the company’s clock narrow the list', async () => {
  const tenant = await seedTenant()
  const [late, early, urgent] = [
    await createTicket(tenant),
    await createTicket(tenant),
    await createTicket(tenant, { userId: tenant.agent.id }),
  ]
  // 23:30 and 00:30 in São Paulo, on either side of a midnight that is 03:00 in UTC.
  await put(tenant, early, 'created_at = $3', '2026-03-10T02:30:00Z')
  await put(tenant, late, 'created_at = $3', '2026-03-10T03:30:00Z')
  await put(tenant, urgent, `created_at = $3, priority = 'urgent'`, '2026-03-12T12:00:00Z')
  const get = async (query: string) => idsOf(await as(tenant.agent).get(`/tickets?${query}`)).sort()
  expect(await get('dateFrom=2026-03-10&dateTo=2026-03-10')).toEqual([late])
  expect(await get('dateTo=2026-03-09')).toEqual([early])
  expect(await get('dateFrom=2026-03-10')).toEqual([late, urgent].sort())
  expect(await get('priority=urgent,high')).toEqual([urgent])
  expect(await get('priority=normal')).toEqual([late, early].sort())
  for (const query of ['dateFrom=10/03/2026', 'priority=x', 'sort=name', 'dateTo=2026-02-30'])
    expect((await as(tenant.agent).get(`/tickets?${query}`)).status).toBe(422)
})

test.each([
  ['waiting', 'waiting_since = $3'],
  ['sla', 'sla_resolve_due_at = $3'],
])(
  'sorted by %s the first is the most urgent, what has no moment comes last, and pages lose nothing',
  async (sort, set) => {
    const tenant = await seedTenant()
    const moments = [3, 1, 1, null, 2, null, 1, null, 3].map((minute) =>
      minute === null ? null : new Date(Date.UTC(2026, 0, 1, 10, minute)).toISOString(),
    )
    const made: { id: string; at: string }[] = []
    for (const [index, at] of moments.entries()) {
      const id = await createTicket(tenant, index % 2 ? {} : { userId: tenant.agent.id })
      if (at) await put(tenant, id, set, at)
      made.push({ id, at: at ?? '9999' })
    }
    const wanted = made.toSorted((a, b) => (a.at + a.id < b.at + b.id ? -1 : 1)).map((one) => one.id)
    for (const limit of [1, 2, 4, 40]) {
      const seen: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const reply: Reply = await as(tenant.agent).get(
          `/tickets?sort=${sort}&limit=${limit}${cursor && `&cursor=${cursor}`}`,
        )
        seen.push(...idsOf(reply))
        cursor = reply.body.nextCursor
      }
      expect(seen).toEqual(wanted)
    }
    expect(idsOf(await as(tenant.agent).get(`/tickets?sort=${sort}&limit=4&pageNumber=2`))).toEqual(wanted.slice(4, 8))
  },
)
