import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, createUser, createTicket, createContact, schema, withTenant, statementCount } =
  await startTestApp()

type Tenant = Awaited<ReturnType<typeof seedTenant>>
const lane = async (tenant: Tenant, name: string, position: number, more = {}) =>
  (await as(tenant.admin).post('/kanban', { name, color: '#112233', position, ...more })).body.id as string
const boardOf = async (tenant: Tenant, query = '', user = tenant.admin) =>
  (await as(user).get(`/contactsKanban${query}`)).body.columns as {
    id: string
    name: string
    total: number
    cards: { id: string; name: string }[]
    nextCursor: string | null
  }[]
const told = (columns: Awaited<ReturnType<typeof boardOf>>) =>
  Object.fromEntries(columns.map(({ name, cards }) => [name, cards.map((card) => card.name)]))

test('the board has a column for each stage, in their order, and the newest of each first', async () => {
  const tenant = await seedTenant()
  const won = await lane(tenant, 'Fechado', 2)
  const first = await lane(tenant, 'Novo', 1, { limit: 2 })
  const [ana, bia, caio] = await Promise.all(['Ana', 'Bia', 'Caio'].map((name) => createContact(tenant, { name })))
  for (const id of [ana, bia]) await as(tenant.agent).put(`/contacts/${id}`, { kanban: first })
  const board = await boardOf(tenant)
  expect(told(board)).toEqual({ 'Sem etapa': ['Caio'], Novo: ['Bia', 'Ana'], Fechado: [] })
  expect(board.map(({ name }) => name)).toEqual(['Sem etapa', 'Novo', 'Fechado'])
  expect(board[1]).toMatchObject({ id: first, total: 2, limit: 2, nextCursor: null })

  await as(tenant.agent).put(`/contacts/${ana}`, { kanban: won })
  await as(tenant.agent).put(`/contacts/${bia}`, { notes: 'fica onde está' })
  await as(tenant.agent).put(`/contacts/${caio}`, { kanban: first })
  expect(told(await boardOf(tenant))).toEqual({ 'Sem etapa': [], Novo: ['Caio', 'Bia'], Fechado: ['Ana'] })
  expect(told(await boardOf(tenant, '?searchParam=bia'))).toEqual({ 'Sem etapa': [], Novo: ['Bia'], Fechado: [] })
  expect((await as(tenant.admin).get(`/contacts?kanbanIds=${won}`)).body.items).toMatchObject([
    { name: 'Ana', kanban: won },
  ])
})

test('a column is read page by page, and the whole board in the same few statements', async () => {
  const tenant = await seedTenant()
  const id = await lane(tenant, 'Novo', 1)
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.insert(schema.contacts).values(
      Array.from({ length: 70 }, (_, n) => ({
        tenantId: tenant.tenantId,
        name: `Pessoa ${n}`,
        laneId: id,
        laneAt: new Date(1_700_000_000_000 + (n % 35) * 1_000),
      })),
    ),
  )
  const names: string[] = []
  let cursor: string | null = ''
  for (let page = 0; cursor !== null; page += 1) {
    const [column] = await boardOf(tenant, `?column=${id}${cursor && `&cursor=${cursor}`}`)
    expect(column).toMatchObject({ id, total: 70 })
    names.push(...(column?.cards.map(({ name }) => name) ?? []))
    cursor = column?.nextCursor ?? null
    expect(page).toBeLessThan(3)
  }
  expect(new Set(names).size).toBe(70)
  expect(names.slice(0, 2).toSorted()).toEqual(['Pessoa 34', 'Pessoa 69'])

  const statements = async () => {
    const before = statementCount()
    await boardOf(tenant)
    return statementCount() - before
  }
  // The least of some: events of what was written a moment ago are still on their way, by statements of their own.
  const least = async () => Math.min(await statements(), await statements(), await statements())
  const spent = await least()
  for (let n = 0; n < 6; n += 1) await lane(tenant, `Etapa ${n}`, 5 + n)
  expect(await least()).toBe(spent)
})

test('by tags a contact stands in the column of each, and who has none stands apart', async () => {
  const tenant = await seedTenant()
  const tag = async (name: string) => (await as(tenant.admin).post('/tags', { name, color: '#112233' })).body.id
  const [vip, late] = [await tag('VIP'), await tag('Atrasado')]
  const [ana] = await Promise.all(['Ana', 'Bia'].map((name) => createContact(tenant, { name })))
  await as(tenant.agent).put(`/contact-tags/${ana}`, { tags: [vip, late] })
  expect(told(await boardOf(tenant, '?by=tag'))).toEqual({ 'Sem etiqueta': ['Bia'], Atrasado: ['Ana'], VIP: ['Ana'] })
})

test('where wallets close contacts, the board hides and counts alike; another company has its own', async () => {
  const tenant = await seedTenant({ settings: { DirectTicketsToWallets: true } })
  const other = await seedTenant()
  const id = await lane(tenant, 'Novo', 1)
  const contactId = await createContact(tenant, { name: 'Ana' })
  const rival = await createUser(tenant.tenantId)
  await as(tenant.admin).put(`/contacts/${contactId}`, { kanban: id, walletIds: [tenant.agent.id] })
  const seen = async (user: Tenant['admin']) => (await boardOf(tenant, `?column=${id}`, user))[0]
  expect(await seen(tenant.agent)).toMatchObject({ total: 1, cards: [{ name: 'Ana' }] })
  expect(await seen(rival)).toMatchObject({ total: 0, cards: [] })
  expect(await boardOf(other)).toMatchObject([{ name: 'Sem etapa', total: 0 }])
  expect(await as(other.admin).post('/contacts', { name: 'X', kanban: id })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'kanban', message: 'Esta etapa não existe mais.' }] },
  })
})

test('a conversation shows the stage of its contact, finds by it and moves it', async () => {
  const tenant = await seedTenant()
  const id = await lane(tenant, 'Novo', 1)
  const contactId = await createContact(tenant, { name: 'Ana' })
  const ticketId = await createTicket(tenant, { contactId, userId: tenant.admin.id })
  expect((await as(tenant.admin).put(`/tickets/${ticketId}`, { kanban: id })).body).toMatchObject({ kanban: id })
  expect((await as(tenant.admin).get(`/contacts/${contactId}`)).body).toMatchObject({ kanban: id })
  const found = await as(tenant.admin).get(`/tickets?status=open&kanbanIds=${id}`)
  expect(found.body.items).toMatchObject([{ id: ticketId, kanban: id }])
  await as(tenant.admin).put(`/contacts/${contactId}`, { kanban: null })
  expect((await as(tenant.admin).get(`/tickets/${ticketId}`)).body).toMatchObject({ kanban: null })
})

test('a stage with contacts is not deleted by itself; they pass to another, and their conversations stay', async () => {
  const tenant = await seedTenant()
  const [from, to] = [await lane(tenant, 'Novo', 1), await lane(tenant, 'Depois', 2)]
  const contactId = await createContact(tenant, { name: 'Ana' })
  await as(tenant.admin).put(`/contacts/${contactId}`, { kanban: from })
  expect(await as(tenant.admin).delete(`/kanban/${from}`)).toMatchObject({
    status: 409,
    body: { error: 'ERR_IN_USE', message: 'Esta etapa tem 1 contato. Passe-os a outra antes.' },
  })
  await as(tenant.admin).put(`/contacts/${contactId}`, { kanban: to })
  expect((await as(tenant.admin).delete(`/kanban/${from}`)).status).toBe(204)
  expect((await as(tenant.agent).post('/kanban', { name: 'Minha', color: '#112233' })).status).toBe(403)
})

test('a stage needs no more than a name, and a contact is moved with its name and number along', async () => {
  const tenant = await seedTenant()
  const made = await as(tenant.admin).post('/kanban', { name: 'Novo' })
  expect(made).toMatchObject({ status: 201, body: { name: 'Novo', color: expect.stringMatching(/^#/) } })
  const id = await createContact(tenant, { name: 'Ana', number: '5511987650001' })
  const moved = await as(tenant.agent).put(`/contacts/${id}`, {
    ...{ name: 'Ana', number: '5511987650001', kanban: made.body.id },
  })
  expect(moved).toMatchObject({ status: 200, body: { name: 'Ana', kanban: made.body.id } })
  expect(told(await boardOf(tenant))).toMatchObject({ 'Sem etapa': [], Novo: ['Ana'] })
})
