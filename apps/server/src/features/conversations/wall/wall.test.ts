import { wallColumnOf } from '@balcao/contract/conversations/wall-column.ts'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createTicket, createUser, schema, withTenant, statementCount, invalidateDirectory } = kit
type Column = { key: string; open: number; pending: number; late: number; waitingSince: string | null }

const change = (tenantId: number, id: string, values: Partial<typeof schema.tickets.$inferInsert>) =>
  withTenant(tenantId, ({ db }) => db.update(schema.tickets).set(values).where(eq(schema.tickets.id, id)))
const minutesAgo = (n: number) => new Date(Date.now() - n * 60_000)

test('the wall shows who has what, who waits longest and what is late, by agent, queue and state', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'] })
  const { tenantId, queues, agent, supervisor } = tenant
  const mine = await createTicket(tenant, { queue: 'Vendas', userId: agent.id })
  const old = await createTicket(tenant, { queue: 'Vendas', userId: agent.id })
  const waiting = await createTicket(tenant, { queue: 'Suporte' })
  const loose = await createTicket(tenant)
  await createTicket(tenant, { status: 'closed', userId: agent.id })
  await change(tenantId, mine, { waitingSince: minutesAgo(5), slaFirstDueAt: minutesAgo(1) })
  await change(tenantId, old, { waitingSince: minutesAgo(50), pausedAt: new Date(), slaFirstDueAt: minutesAgo(1) })
  await change(tenantId, loose, { bot: 'claude' })
  await change(tenantId, waiting, { waitingSince: minutesAgo(16) })
  await withTenant(tenantId, ({ db }) =>
    db
      .update(schema.users)
      .set({ isOnline: true, awaySince: minutesAgo(3), awayReason: 'Almoço', capacity: 4 })
      .where(eq(schema.users.id, agent.id)),
  )

  const { body } = await as(supervisor).get('/wall')
  const column = (key: string) => body.columns.find((one: Column) => one.key === key)
  expect(body.columns).toHaveLength(3)
  expect(column(`user:${agent.id}`)).toMatchObject({ open: 2, pending: 0, late: 1 })
  expect(Date.parse(column(`user:${agent.id}`).waitingSince)).toBeCloseTo(minutesAgo(50).getTime(), -4)
  expect(column(`queue:${queues.Suporte}`)).toMatchObject({ open: 0, pending: 1, late: 1 })
  expect(body.cards[`user:${agent.id}`].items.map((card: { id: string }) => card.id)).toEqual([old, mine])
  expect(body.cards['queue:none'].items).toMatchObject([{ id: loose, bot: 'claude' }])
  expect(body.agents.find((one: { id: string }) => one.id === agent.id)).toMatchObject({
    isOnline: true,
    awayReason: 'Almoço',
    capacity: 4,
  })

  const keysOf = async (group: string) =>
    ((await as(supervisor).get(`/wall/heads?group=${group}`)).body.columns as Column[]).map((one) => one.key).sort()
  expect(await keysOf('queue')).toEqual(['queue:none', `queue:${queues.Suporte}`, `queue:${queues.Vendas}`].sort())
  expect(await keysOf('status')).toEqual(['status:bot', 'status:open', 'status:paused', 'status:pending'])
  const filtered = await as(supervisor).get(`/wall?queuesIds=${queues.Suporte}`)
  expect(filtered.body.columns.map((one: Column) => one.key)).toEqual([`queue:${queues.Suporte}`])
  expect(filtered.body.cards[`queue:${queues.Suporte}`].items).toMatchObject([{ id: waiting }])

  for (const group of ['user', 'queue', 'status'] as const) {
    const { cards } = (await as(supervisor).get(`/wall?group=${group}`)).body
    for (const [key, page] of Object.entries<{ items: Parameters<typeof wallColumnOf>[0][] }>(cards))
      for (const card of page.items) expect(wallColumnOf(card, group)).toBe(key)
  }
  expect(await as(agent).get('/wall')).toMatchObject({ status: 403 })
})

test('active conversations are told by person, queue or state, of some days and states, and of others where one asks', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'] })
  const { tenantId, queues, agent, admin } = tenant
  const mine = await createTicket(tenant, { queue: 'Vendas', userId: agent.id })
  const old = await createTicket(tenant, { queue: 'Vendas' })
  const loose = await createTicket(tenant, { queue: 'Suporte' })
  await createTicket(tenant, { status: 'closed', userId: agent.id })
  await change(tenantId, old, { createdAt: minutesAgo(3 * 24 * 60) })
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(minutesAgo(0))
  const ask = async (query: string) =>
    (await as(admin).get(`/dash-tickets-queues?showAll=true${query}`)).body as {
      key: string
      label: string
      qtd: number
      tickets: { id: string }[]
    }[]

  const byKey = (await ask('')).toSorted((a, b) => b.key.localeCompare(a.key))
  expect(byKey[0]).toMatchObject({ key: `user:${agent.id}`, qtd: 1, tickets: [{ id: mine }] })
  expect(
    byKey
      .slice(1)
      .map(({ label, tickets }) => [label, tickets[0]?.id])
      .sort(),
  ).toEqual([
    ['Suporte', loose],
    ['Vendas', old],
  ])
  expect(await ask('&group=queue')).toMatchObject([
    { label: 'Vendas', qtd: 2 },
    { label: 'Suporte', qtd: 1 },
  ])
  expect(await ask('&group=status&status=pending')).toMatchObject([{ label: 'Pendentes', qtd: 2 }])
  expect(await ask(`&group=queue&dateStart=${today}&dateEnd=${today}`)).toMatchObject([{ qtd: 1 }, { qtd: 1 }])
  expect(await ask(`&queuesIds=${queues.Suporte}`)).toMatchObject([{ label: 'Suporte', tickets: [{ id: loose }] }])
  expect((await as(agent).get('/dash-tickets-queues')).status).toBe(403)
})

test('a supervisor treated as a user sees no wall of others, and closes nothing by force', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], settings: { supervisorAdmin: true } })
  const bound = await createUser(tenant.tenantId, { profile: 'super', queueIds: [tenant.queues.Vendas ?? ''] })
  const ticketId = await createTicket(tenant, { queue: 'Vendas' })
  await createTicket(tenant, { queue: 'Suporte' })
  expect((await as(bound).get('/wall')).status).toBe(403)
  expect((await as(bound).put(`/ticketsForce/${ticketId}`)).status).toBe(403)
  expect((await as(bound).get(`/tickets/${ticketId}`)).status).toBe(200)
  expect((await as(tenant.admin).get('/wall')).body.columns).toHaveLength(2)
})

test('sixty agents with thirty conversations each: few statements, eight cards a column, the rest by key', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const { tenantId, supervisor } = tenant
  const first = await createTicket(tenant, { queue: 'Vendas' })
  const people = await Promise.all(Array.from({ length: 60 }, () => createUser(tenantId)))
  invalidateDirectory(tenantId)
  await withTenant(tenantId, async ({ db }) => {
    const [row] = await db.select().from(schema.tickets).where(eq(schema.tickets.id, first))
    await db.execute(
      sql`insert into contacts (tenant_id, id, name) select ${tenantId}, gen_random_uuid(), 'C' || n from generate_series(1, 1800) n`,
    )
    await db.execute(sql`insert into tickets (tenant_id, id, protocol, status, contact_id, connection_id, user_id, waiting_since)
      select ${tenantId}, gen_random_uuid(), 'p' || n, 'open', c.id, ${row?.connectionId}, (${sql.raw(`array[${people.map((one) => `'${one.id}'`).join()}]::uuid[]`)})[1 + n % 60],
        case when n % 3 > 0 then now() - n * interval '1 minute' end
      from (select id, row_number() over (order by id) as n from contacts where tenant_id = ${tenantId} and name <> 'João da Silva') c`)
  })
  await as(supervisor).get('/wall') // the company's people are in memory then
  const before = statementCount()
  const { body } = await as(supervisor).get('/wall')
  expect(statementCount() - before).toBeLessThanOrEqual(7)
  expect(body.columns).toHaveLength(61)
  const key = `user:${people[0]?.id}`
  const page = body.cards[key]
  expect(page.items).toHaveLength(8)
  const more = (await as(supervisor).get(`/wall/cards?group=user&column=${key}&cursor=${page.nextCursor}`)).body
  expect(more).toMatchObject({ hasMore: false })
  expect(new Set([...page.items, ...more.items].map((card: { id: string }) => card.id)).size).toBe(30)
  expect(await as(supervisor).get('/wall/cards?column=user:x')).toMatchObject({ status: 422 })
  expect(await as(supervisor).get(`/wall/cards?column=${key}&cursor=x`)).toMatchObject({ status: 422 })
})

test('transferring to oneself is taking over, and the conversation says so', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const ticketId = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id })
  const taken = await as(tenant.supervisor).put(`/tickets/${ticketId}`, {
    isTransference: true,
    userId: tenant.supervisor.id,
  })
  expect(taken).toMatchObject({ status: 200, body: { status: 'open', userId: tenant.supervisor.id } })
  const lines = await as(tenant.supervisor).get(`/messages/${ticketId}`)
  expect(lines.body.items.map((one: { body: string }) => one.body)).toEqual(['Bruna Lima assumiu o atendimento.'])
})
