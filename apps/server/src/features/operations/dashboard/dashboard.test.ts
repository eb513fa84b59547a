import { type Dashboard, dashboard } from '@balcao/contract/operations/dashboard.ts'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, createContact, createConnection, createTicket, schema, withTenant, statementCount } =
  await startTestApp()
const timeZone = 'America/Sao_Paulo'

test("today's figures, by queue, person and hour, in the company's time zone", async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'] })
  const { tenantId } = tenant
  const [contactId, connectionId] = [await createContact(tenant), await createConnection(tenant)]
  const open = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, contactId, connectionId })
  await createTicket(tenant, { queue: 'Vendas' })
  await createTicket(tenant, {})
  const done = await createTicket(tenant, { queue: 'Suporte', userId: tenant.agent.id, status: 'closed' })
  const old = await createTicket(tenant, { queue: 'Suporte', userId: tenant.agent.id, status: 'closed' })
  await withTenant(tenantId, async (tx) => {
    const run = (text: string, id: string) =>
      tx.rows({ name: '', text: `update tickets set ${text} where tenant_id = $1 and id = $2` }, [tenantId, id])
    await run("started_at = created_at + interval '60 seconds', waiting_since = now() - interval '5 minutes'", open)
    await run("closed_at = created_at + interval '6 seconds'", done)
    await run("created_at = now() - interval '3 days', closed_at = now() - interval '2 days'", old)
    const message = { tenantId, ticketId: open, contactId, connectionId, timestamp: new Date(), body: 'x' }
    await tx.db.insert(schema.messages).values([
      { ...message, id: v7(), fromMe: false, type: 'text', status: 'received' },
      { ...message, id: v7(), fromMe: false, type: 'text', status: 'received' },
      { ...message, id: v7(), fromMe: true, type: 'text', status: 'sent' },
      { ...message, id: v7(), fromMe: true, type: 'note', status: 'received' },
      {
        ...message,
        id: v7(),
        fromMe: false,
        type: 'text',
        status: 'received',
        createdAt: new Date(Date.now() - 2 * 86_400_000),
      },
    ])
  })

  await as(tenant.admin).get('/dashboard')
  const before = statementCount()
  const reply = await as(tenant.admin).get('/dashboard')
  expect(statementCount() - before).toBeLessThanOrEqual(7)

  const figures: Dashboard = dashboard.parse(reply.body)
  expect(figures).toMatchObject({
    open: 1,
    pending: 2,
    closedToday: 1,
    createdToday: 4,
    receivedToday: 2,
    sentToday: 1,
    newContactsToday: 5,
  })
  expect(figures.longestWaitS).toBeGreaterThanOrEqual(300)
  expect(figures.longestWaitS).toBeLessThan(330)
  expect(figures.byQueue).toMatchObject([
    { name: 'Suporte', open: 0, pending: 0, closedToday: 1 },
    { name: 'Vendas', open: 1, pending: 1, closedToday: 0 },
    { id: null, name: 'Sem fila', pending: 1 },
  ])
  expect(figures.byUser.find((user) => user.id === tenant.agent.id)).toMatchObject({
    open: 1,
    pending: 0,
    closedToday: 1,
  })
  const hour = Number(
    new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone }).format(new Date()),
  )
  expect(figures.byHour).toHaveLength(24)
  expect(figures.byHour[hour]).toEqual({ hour, received: 2, sent: 1 })
})

test('messages of today that were counted are not read again, and what comes after them is', async () => {
  const tenant = await seedTenant()
  const noon = 12 - new Date().getUTCHours() // where it is noon now: a minute ago is today
  const timezone = `Etc/GMT${noon > 0 ? '-' : '+'}${Math.abs(noon)}`
  expect((await as(tenant.admin).put('/settings/timezone', { timezone })).status).toBe(200)
  const ticketId = await createTicket(tenant, { queue: 'Vendas' })
  const say = (secondsAgo: number) =>
    withTenant(tenant.tenantId, (tx) =>
      tx.rows(
        {
          name: '',
          text: `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, from_me, type, body, status, timestamp, created_at)
            select $1, uuidv7(), t.id, t.contact_id, t.connection_id, false, 'text', 'x', 'received', now(), now() - make_interval(secs => $3)
            from tickets t where t.tenant_id = $1 and t.id = $2`,
        },
        [tenant.tenantId, ticketId, secondsAgo],
      ),
    )
  const received = async () => (await as(tenant.admin).get('/dashboard')).body.receivedToday
  await say(150)
  await say(20)
  expect(await received()).toBe(2)
  await say(140) // behind what was counted
  await say(0)
  expect(await received()).toBe(3)
  expect(await received()).toBe(3)
})

test('an empty company has empty figures, and a plain user has none', async () => {
  const tenant = await seedTenant()
  expect((await as(tenant.admin).get('/dashboard')).body).toMatchObject({
    open: 0,
    longestWaitS: null,
    byQueue: [],
  })
  expect((await as(tenant.agent).get('/dashboard')).status).toBe(403)
})
