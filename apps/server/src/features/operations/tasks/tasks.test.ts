import type { Task } from '@balcao/contract/operations/tasks.ts'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createUser, createContact, createTicket, withTenant, withPlatform, schema } = kit
const { remindDueTasks } = await import('./reminders.ts')

type Tenant = Awaited<ReturnType<typeof seedTenant>>
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const names = (reply: { body: { items: Task[] } }) => reply.body.items.map((task) => task.name)
const eventsOf = (tenant: Tenant, name: string) =>
  withTenant(tenant.tenantId, (tx) =>
    tx.db
      .select()
      .from(schema.outbox)
      .where(eq(schema.outbox.name, name as 'task.due')),
  )
const setTimezone = async (tenant: Tenant, timezone: string) => {
  await withPlatform('test', (tx) =>
    tx.db.update(schema.tenants).set({ timezone }).where(eq(schema.tenants.id, tenant.tenantId)),
  )
  kit.invalidateDirectory(tenant.tenantId)
}

test('a task is one’s own unless it is given to somebody, and starts pending', async () => {
  const tenant = await seedTenant()
  const mine = await as(tenant.agent).post('/todoLists', { name: 'Ligar para o fornecedor' })
  expect(mine).toMatchObject({
    status: 201,
    body: {
      ownerId: tenant.agent.id,
      status: 'pending',
      priority: 'normal',
      limitDate: null,
      version: 1,
      commentCount: 0,
    },
  })
  const given = await as(tenant.agent).post('/todoLists', { name: 'Conferir nota', ownerId: tenant.admin.id })
  expect(given.body).toMatchObject({ owner: { name: tenant.admin.name }, user: { id: tenant.agent.id } })
})

test('an agent sees what is theirs or what they wrote down; a supervisor sees everything', async () => {
  const tenant = await seedTenant()
  const colleague = await createUser(tenant.tenantId, { name: 'Rui Paz' })
  const task = (await as(colleague).post('/todoLists', { name: 'Segredo do Rui' })).body
  await as(colleague).post('/todoLists', { name: 'Para a Ana', ownerId: tenant.agent.id })

  expect(names(await as(tenant.agent).get('/todoLists'))).toEqual(['Para a Ana'])
  expect(names(await as(tenant.supervisor).get('/todoLists?sort=name'))).toEqual(['Para a Ana', 'Segredo do Rui'])
  for (const reply of [
    await as(tenant.agent).get(`/todoLists/${task.id}`),
    await as(tenant.agent).put(`/todoLists/${task.id}`, { name: 'x' }),
    await as(tenant.agent).delete(`/todoLists/${task.id}`),
    await as(tenant.agent).post(`/todoLists/${task.id}/comments`, { body: 'x' }),
  ])
    expect(reply.status).toBe(404)
})

test('lists filter by state, lateness, owner and days, and page by key with undated tasks last', async () => {
  const tenant = await seedTenant()
  const make = (name: string, more: object = {}) => as(tenant.admin).post('/todoLists', { name, ...more })
  await make('sem prazo')
  await make('atrasada', { limitDate: inDays(-1) })
  await make('amanhã', { limitDate: inDays(1), status: 'doing', ownerId: tenant.agent.id })
  await make('feita', { limitDate: inDays(-2), status: 'done' })
  await make('outra sem prazo')
  const list = async (query: string) => names(await as(tenant.admin).get(`/todoLists?${query}`))

  expect(await list('')).toEqual(['feita', 'atrasada', 'amanhã', 'sem prazo', 'outra sem prazo'])
  expect(await list('isLate=true')).toEqual(['atrasada'])
  expect(await list('status=doing,done')).toEqual(['feita', 'amanhã'])
  expect(await list(`ownerId=${tenant.agent.id}`)).toEqual(['amanhã'])
  expect(await list('searchParam=AMANHA')).toEqual(['amanhã'])
  expect(await list(`dateFrom=${inDays(0).slice(0, 10)}&dateTo=${inDays(2).slice(0, 10)}`)).toEqual(['amanhã'])

  for (const order of ['limitDate', 'name', 'updatedAt'].flatMap((sort) => [
    `${sort}&direction=asc`,
    `${sort}&direction=desc`,
  ])) {
    const whole = await list(`sort=${order}`)
    const walked: string[] = []
    for (let cursor = ''; ; ) {
      const page = (await as(tenant.admin).get(`/todoLists?sort=${order}&limit=2&count=true${cursor}`)).body
      expect(page.count).toBe(5)
      walked.push(...page.items.map((task: Task) => task.name))
      if (!page.hasMore) break
      cursor = `&cursor=${page.nextCursor}`
    }
    expect(walked, order).toEqual(whole)
  }
  expect((await as(tenant.admin).get('/todoLists?cursor=bm9wZQ')).status).toBe(422)
})

test('a day filter goes by the company’s calendar', async () => {
  const tenant = await seedTenant()
  await setTimezone(tenant, 'America/Rio_Branco')
  await as(tenant.admin).post('/todoLists', { name: 'tarde da noite', limitDate: '2030-05-11T04:30:00.000Z' })
  expect(names(await as(tenant.admin).get('/todoLists?dateFrom=2030-05-10&dateTo=2030-05-10'))).toEqual([
    'tarde da noite',
  ])
  expect(names(await as(tenant.admin).get('/todoLists?dateFrom=2030-05-11'))).toEqual([])
})

test('what repeats needs a limit; finishing it writes down the next at the same hour, once', async () => {
  const tenant = await seedTenant()
  await setTimezone(tenant, 'America/New_York')
  expect((await as(tenant.admin).post('/todoLists', { name: 'x', recurrence: 7 })).body.details).toMatchObject([
    { path: 'limitDate' },
  ])
  // 10 March 2033, 09:00 in New York; a week later the clocks have been put forward.
  const first = (
    await as(tenant.admin).post('/todoLists', {
      name: 'Fechar o caixa',
      limitDate: '2033-03-10T14:00:00.000Z',
      recurrence: 7,
      priority: 'high',
    })
  ).body
  await as(tenant.admin).put(`/todoLists/${first.id}`, { status: 'done' })
  const next = (await as(tenant.admin).get('/todoLists?status=pending')).body.items
  expect(next).toMatchObject([
    {
      name: 'Fechar o caixa',
      limitDate: '2033-03-17T13:00:00.000Z',
      recurrence: 7,
      priority: 'high',
      status: 'pending',
    },
  ])

  await as(tenant.admin).put(`/todoLists/${first.id}`, { status: 'pending' })
  await Promise.all([
    as(tenant.admin).put(`/todoLists/${first.id}`, { status: 'done' }),
    as(tenant.admin).put(`/todoLists/${first.id}`, { status: 'done' }),
  ])
  expect((await as(tenant.admin).get('/todoLists?count=true')).body.count).toBe(2)
})

test('the next of a task finished long after its time lies in the future', async () => {
  const tenant = await seedTenant()
  const late = (await as(tenant.admin).post('/todoLists', { name: 'x', limitDate: inDays(-20.5), recurrence: 7 })).body
  await as(tenant.admin).put(`/todoLists/${late.id}`, { status: 'done' })
  const [next] = (await as(tenant.admin).get('/todoLists?status=pending')).body.items
  expect(Date.parse(next.limitDate) - Date.parse(late.limitDate)).toBe(21 * 86_400_000)
})

test('a stale form is told, and finishing is remembered until the task is taken up again', async () => {
  const tenant = await seedTenant()
  const { id } = (await as(tenant.admin).post('/todoLists', { name: 'Antes' })).body
  const done = await as(tenant.admin).put(`/todoLists/${id}`, { status: 'done', version: 1 })
  expect(done.body).toMatchObject({ version: 2, status: 'done', doneAt: expect.any(String) })
  expect(await as(tenant.admin).put(`/todoLists/${id}`, { name: 'Depois', version: 1 })).toMatchObject({
    status: 409,
    body: { error: 'ERR_CONFLICT', details: { current: { version: 2 }, changed: ['name'] } },
  })
  expect((await as(tenant.admin).put(`/todoLists/${id}`, { status: 'doing' })).body.doneAt).toBeNull()
})

test('a task leads to a ticket and a contact of the company; it outlives both', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const contactId = await createContact(tenant, { name: 'Dona Lúcia' })
  const hidden = await createTicket(tenant, { queue: 'Suporte' })
  const ticketId = await createTicket(tenant, { queue: 'Vendas', contactId })
  const stranger = await createContact(await seedTenant())

  expect((await as(tenant.agent).post('/todoLists', { name: 'x', ticketId: hidden })).body.details).toMatchObject([
    { path: 'ticketId' },
  ])
  expect((await as(tenant.agent).post('/todoLists', { name: 'x', contactId: stranger })).body.details).toMatchObject([
    { path: 'contactId' },
  ])
  const task = await as(tenant.agent).post('/todoLists', { name: 'Retornar', ticketId, contactId })
  expect(task.body).toMatchObject({ ticket: { id: ticketId }, contact: { name: 'Dona Lúcia' } })

  await withTenant(tenant.tenantId, (tx) => tx.db.delete(schema.tickets).where(eq(schema.tickets.id, ticketId)))
  await withTenant(tenant.tenantId, (tx) => tx.db.delete(schema.contacts).where(eq(schema.contacts.id, contactId)))
  expect((await as(tenant.agent).get(`/todoLists/${task.body.id}`)).body).toMatchObject({
    name: 'Retornar',
    ticket: null,
    contact: null,
  })
})

test('comments are counted, and only whoever wrote one takes it back', async () => {
  const tenant = await seedTenant()
  const { id } = (await as(tenant.agent).post('/todoLists', { name: 'x' })).body
  await as(tenant.agent).post(`/todoLists/${id}/comments`, { body: 'Liguei, ninguém atendeu.' })
  const [own, other] = (await as(tenant.admin).post(`/todoLists/${id}/comments`, { body: 'Tente à tarde.' })).body
  expect([own.user.id, other.user.id]).toEqual([tenant.agent.id, tenant.admin.id])
  expect((await as(tenant.agent).get(`/todoLists/${id}`)).body.commentCount).toBe(2)
  expect((await as(tenant.agent).delete(`/todoLists/${id}/comments/${other.id}`)).status).toBe(404)
  expect((await as(tenant.agent).delete(`/todoLists/${id}/comments/${own.id}`)).body).toMatchObject([{ id: other.id }])
})

test('events reach the owner, the writer and those who see all; a former owner loses the task', async () => {
  const tenant = await seedTenant()
  const { id } = (await as(tenant.supervisor).post('/todoLists', { name: 'x', ownerId: tenant.agent.id })).body
  const audiences = (await eventsOf(tenant, 'task.created')).map((event) => event.audience)
  expect(audiences).toEqual([
    { kind: 'permission', can: 'tasks.showAll' },
    { kind: 'user', userId: tenant.agent.id },
    { kind: 'user', userId: tenant.supervisor.id },
  ])
  await as(tenant.supervisor).put(`/todoLists/${id}`, { ownerId: tenant.admin.id })
  expect(await eventsOf(tenant, 'task.deleted')).toMatchObject([
    { payload: { id }, audience: { kind: 'user', userId: tenant.agent.id } },
  ])
})

test('the reminder is told once, to the owner and to whoever asked, also when many tell at the same time; a new time is told again', async () => {
  const tenant = await seedTenant()
  const make = (more: object) =>
    as(tenant.admin).post('/todoLists', { name: 'Ligar', ownerId: tenant.agent.id, ...more })
  const { id } = (await make({ limitDate: inDays(-0.01) })).body
  await make({ limitDate: inDays(1) })
  await make({ limitDate: inDays(-1), status: 'done' })
  await make({})
  await Promise.all([remindDueTasks(), remindDueTasks(), remindDueTasks()])
  await remindDueTasks()
  const told = await eventsOf(tenant, 'task.due')
  const people = { kind: 'users', userIds: [tenant.agent.id, tenant.admin.id] }
  expect(told).toMatchObject([{ payload: { id, name: 'Ligar', isSoon: false }, audience: people }])
  const { events } = await import('@balcao/contract/events.ts')
  expect(events['task.due'].parse(told[0]?.payload)).toMatchObject({ ownerId: tenant.agent.id })

  await as(tenant.agent).put(`/todoLists/${id}`, { priority: 'high' })
  await remindDueTasks()
  expect(await eventsOf(tenant, 'task.due')).toHaveLength(1)
  await as(tenant.agent).put(`/todoLists/${id}`, { limitDate: inDays(-0.001) })
  await remindDueTasks()
  expect(await eventsOf(tenant, 'task.due')).toHaveLength(2)
})

test('the owner is reminded before the limit, once; a new limit is a new reminder, and the next of a series has its own', async () => {
  const tenant = await seedTenant()
  const limitDate = inDays(1)
  const about = { name: 'Ligar', ownerId: tenant.agent.id, limitDate, remindBefore: 30, recurrence: 1 }
  const { id } = (await as(tenant.admin).post('/todoLists', about)).body
  const rows = () =>
    withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.tasks).orderBy(schema.tasks.createdAt))
  const before = (moment: Date | null | undefined) => ((moment?.getTime() ?? 0) - Date.now()) / 86_400_000
  expect(before((await rows())[0]?.remindAt)).toBeCloseTo(1 - 30 / 1_440, 2)
  await remindDueTasks()
  expect(await eventsOf(tenant, 'task.due')).toEqual([])
  await withTenant(tenant.tenantId, (tx) => tx.db.update(schema.tasks).set({ remindAt: new Date() }))
  await Promise.all([remindDueTasks(), remindDueTasks()])
  expect(await eventsOf(tenant, 'task.due')).toMatchObject([
    { payload: { id, isSoon: true }, audience: { kind: 'users', userIds: [tenant.agent.id] } },
  ])
  await as(tenant.agent).put(`/todoLists/${id}`, { limitDate: inDays(2) })
  expect(before((await rows())[0]?.remindAt)).toBeCloseTo(2 - 30 / 1_440, 2)
  await as(tenant.agent).put(`/todoLists/${id}`, { status: 'done' })
  const [, next] = await rows()
  expect(next).toMatchObject({ remindBefore: 30 })
  expect((next?.limitDate?.getTime() ?? 0) - (next?.remindAt?.getTime() ?? 0)).toBe(30 * 60_000)
})

test('a list of tasks costs one statement, however long', async () => {
  const tenant = await seedTenant()
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.execute(sql`insert into tasks (tenant_id, id, name, owner_id, user_id)
      select ${tenant.tenantId}, gen_random_uuid(), 'Tarefa ' || n, ${tenant.agent.id}, ${tenant.agent.id} from generate_series(1, 60) n`),
  )
  const { listTasks } = await import('./tasks.service.ts')
  const { tasksQuery } = await import('@balcao/contract/operations/tasks.ts')
  const actor = { tenantId: tenant.tenantId, userId: tenant.agent.id, permissions: new Set() } as never // all this reads
  await listTasks(actor, tasksQuery.parse({}))
  const before = kit.statementCount()
  expect((await listTasks(actor, tasksQuery.parse({}))).items).toHaveLength(40)
  expect(kit.statementCount() - before).toBeLessThanOrEqual(3) // begin, page, commit
})
