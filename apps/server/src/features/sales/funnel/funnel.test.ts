import type { Opportunity } from '@balcao/contract/sales/opportunities.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createUser, createContact, createTicket, withTenant, schema } = kit

const day = (ahead: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(new Date(Date.now() + ahead * 86_400_000))

const seed = async () => {
  const tenant = await seedTenant()
  const post = async (path: string, body: object) => (await as(tenant.admin).post(path, body)).body
  const pipeline = await post('/pipelines', { name: 'Vendas' })
  const given = (await as(tenant.admin).get('/stages')).body.items as { id: string; name: string }[]
  expect(given.map(({ name }) => name)).toEqual(['Novo', 'Contato', 'Proposta', 'Negociação'])
  for (const { id } of given) await as(tenant.admin).delete(`/stages/${id}`)
  const stage = (name: string, position: number, more: object = {}) =>
    post('/stages', { name, position, color: '#0b7a75', pipelineId: pipeline.id, probability: 50, ...more })
  const first = await stage('Contato', 1, { probability: 10 })
  const second = await stage('Proposta', 2, { requires: ['value'] })
  const contactId = await createContact(tenant, { name: 'Padaria Sol' })
  const make = async (name: string, more: object = {}): Promise<Opportunity> =>
    post('/opportunities', { name, stageId: first.id, contactId, ...more })
  return { tenant, pipeline, first, second, contactId, make, stage }
}
type Seeded = Awaited<ReturnType<typeof seed>>
const boardOf = async ({ tenant, pipeline }: Seeded, query = '') =>
  (await as(tenant.admin).get(`/opportunities/board?pipelineId=${pipeline.id}${query}`)).body.columns as {
    stageId: string
    total: number
    value: number
    weighted: number
    cards: Opportunity[]
    nextCursor: string | null
  }[]
const names = (cards: Opportunity[]) => cards.map(({ name }) => name)

test('a new opportunity is of whoever writes it, on top of its stage, with its conversation', async () => {
  const seeded = await seed()
  const { tenant, first, contactId, make } = seeded
  const ticketId = await createTicket(tenant, { contactId, userId: tenant.admin.id })
  await make('Reforma')
  const made = await make('Fornada', { value: 150_000, closingForecast: day(10) })
  expect(made).toMatchObject({
    ...{ status: 'open', stageId: first.id, value: 150_000, closingForecast: day(10), ticketId, version: 1 },
    ...{ contact: { name: 'Padaria Sol' }, responsible: { id: tenant.admin.id } },
  })
  const [column] = await boardOf(seeded)
  expect(column).toMatchObject({ total: 2, value: 150_000, weighted: 15_000 })
  expect(names(column?.cards ?? [])).toEqual(['Fornada', 'Reforma'])
})

test('a stage asks for what it requires, and its cards stand where they are put', async () => {
  const seeded = await seed()
  const { tenant, second, make } = seeded
  const cards = []
  for (const name of ['C', 'B', 'A']) cards.push(await make(name, { value: 100 }))
  const empty = await make('Sem valor')
  const move = (one: Opportunity | undefined, body: object) => as(tenant.admin).put(`/opportunities/${one?.id}`, body)
  expect((await move(empty, { stageId: second.id })).body.details).toMatchObject([
    { path: 'value', message: 'Valor: preencha para entrar em “Proposta”.' },
  ])
  const [c, b, a] = cards
  await move(c, { stageId: second.id, beforeId: null })
  await move(b, { stageId: second.id, beforeId: null })
  await move(a, { stageId: second.id, beforeId: b?.id })
  const shown = async () => names((await boardOf(seeded)).find(({ stageId }) => stageId === second.id)?.cards ?? [])
  expect(await shown()).toEqual(['C', 'A', 'B'])
  // Halved until no number lies between them.
  for (let n = 0; n < 70; n += 1) await move(n % 2 ? a : b, { beforeId: n % 2 ? b?.id : a?.id })
  expect(await shown()).toEqual(['C', 'A', 'B'])
})

test('a move its author takes back at once leaves no trace, neither in its story nor in how long it stands there', async () => {
  const seeded = await seed()
  const { tenant, pipeline, first, second, make } = seeded
  const cards = []
  for (const name of ['C', 'B', 'A']) cards.push(await make(name, { value: 100 }))
  const id = cards[1]?.id ?? ''
  const before = { stageSince: new Date(Date.now() - 9 * 86_400_000) }
  await withTenant(tenant.tenantId, async (tx) => {
    await tx.db.update(schema.opportunities).set(before).where(eq(schema.opportunities.id, id))
    await tx.db
      .update(schema.opportunityMoves)
      .set({ at: before.stageSince })
      .where(eq(schema.opportunityMoves.opportunityId, id))
  })
  const put = (body: object, user = tenant.admin) => as(user).put(`/opportunities/${id}`, body)
  const storyOf = async () =>
    (await as(tenant.admin).get(`/opportunities/${id}/timeline`)).body.map(({ kind }: { kind: string }) => kind)
  await put({ stageId: second.id })
  expect(await storyOf()).toEqual(['stage', 'created'])
  const back = (await put({ stageId: first.id, beforeId: cards[0]?.id })).body
  expect(back.stageSince).toBe(before.stageSince.toISOString())
  expect(names((await boardOf(seeded))[0]?.cards ?? [])).toEqual(['A', 'B', 'C'])
  expect(await storyOf()).toEqual(['created'])
  const { stages } = (
    await as(tenant.admin).get(
      `/opportunities/dashboard?pipelineId=${pipeline.id}&startDate=${day(-1)}&endDate=${day(0)}`,
    )
  ).body
  expect(stages.find(({ stageId }: { stageId: string }) => stageId === second.id)).toMatchObject({ entered: 0 })

  // What a colleague moved, or the author long ago, is a move of its own.
  const colleague = await createUser(tenant.tenantId, { profile: 'admin' })
  await put({ stageId: second.id }, colleague)
  await put({ stageId: first.id })
  expect(await storyOf()).toEqual(['stage', 'stage', 'created'])
})

test('products make the value; the list orders and pages by it', async () => {
  const { tenant, make } = await seed()
  const made = await make('Kit', {
    items: [
      { name: 'Forno', quantity: 2, price: 100_050, discountPercent: 10 },
      { name: 'Frete', price: 5_000 },
    ],
  })
  expect(made.value).toBe(185_090)
  await make('Barato', { value: 1 })
  await make('Médio', { value: 500 })
  const walked: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await as(tenant.admin).get(`/opportunities?sort=value&direction=asc&limit=1&count=true${cursor}`)
    expect(body.count).toBe(3)
    walked.push(...names(body.items))
    if (!body.hasMore) break
    cursor = `&cursor=${body.nextCursor}`
  }
  expect(walked).toEqual(['Barato', 'Médio', 'Kit'])
  expect(names((await as(tenant.admin).get('/opportunities?valorMin=2&searchParam=padaria')).body.items)).toEqual([
    'Médio',
    'Kit',
  ])
  expect((await as(tenant.admin).get('/opportunities?cursor=bm9wZQ')).status).toBe(422)
})

test('winning and losing ask why; its story tells what was done', async () => {
  const { tenant, make, second } = await seed()
  const reason = (await as(tenant.admin).post('/opportunity-reasons', { name: 'Preço', outcome: 'lose' })).body
  const made = await make('Reforma', { value: 100 })
  const put = (body: object) => as(tenant.admin).put(`/opportunities/${made.id}`, body)
  expect((await put({ status: 'lose' })).body.details).toMatchObject([{ path: 'reasonId' }])
  await put({ stageId: second.id })
  expect((await put({ status: 'lose', reasonId: reason.id })).body).toMatchObject({
    ...{ status: 'lose', reason: { name: 'Preço' }, closedAt: expect.any(String) },
  })
  expect((await put({ status: 'open' })).body).toMatchObject({ status: 'open', reason: null, closedAt: null })
  await as(tenant.admin).post(`/opportunities/${made.id}/notes`, { body: 'Ligar na terça.' })
  const { body } = await as(tenant.admin).get(`/opportunities/${made.id}/timeline`)
  expect(body.map(({ kind, from, to }: { kind: string; from: string; to: string }) => [kind, from, to])).toEqual([
    ['note', null, 'Ligar na terça.'],
    ['status', 'Perdida', 'Em aberto'],
    ['status', 'Em aberto', 'Perdida'],
    ['stage', 'Contato', 'Proposta'],
    ['created', null, 'Contato'],
  ])
  expect((await as(tenant.admin).delete(`/opportunity-reasons/${reason.id}`)).status).toBe(204)
})

test('what stands in the past, of a stranger or was changed meanwhile is refused by its field', async () => {
  const { tenant, make, first, contactId } = await seed()
  const other = await seed()
  const post = async (body: object) =>
    (await as(tenant.admin).post('/opportunities', { name: 'x', stageId: first.id, contactId, ...body })).body
  expect((await post({ closingForecast: day(-1) })).details).toMatchObject([{ path: 'closingForecast' }])
  expect((await post({ stageId: other.first.id })).details).toMatchObject([{ path: 'stageId' }])
  expect((await post({ contactId: other.contactId })).details).toMatchObject([{ path: 'contactId' }])
  expect((await post({ responsibleId: other.tenant.agent.id })).details).toMatchObject([{ path: 'responsibleId' }])
  const made = await make('Minha')
  expect((await as(tenant.admin).put(`/opportunities/${made.id}`, { name: 'Outra', version: 1 })).body.version).toBe(2)
  expect(await as(tenant.admin).put(`/opportunities/${made.id}`, { name: 'Tarde', version: 1 })).toMatchObject({
    status: 409,
    body: { details: { current: { name: 'Outra' } } },
  })
  expect((await as(other.tenant.admin).get(`/opportunities/${made.id}`)).status).toBe(404)
  expect((await as(tenant.admin).delete(`/stages/${first.id}`)).body.message).toContain('1 oportunidade')
})

test('with privacy one sees only what is theirs, in lists, boards, numbers and events', async () => {
  const { tenant, make, pipeline } = await seed()
  const colleague = await createUser(tenant.tenantId, { name: 'Rui Paz' })
  await as(tenant.admin).put('/settings', { privacidadeFunil: true })
  const mine = await make('Do Rui', { responsibleId: colleague.id })
  await make('Da chefia')
  expect(names((await as(colleague).get('/opportunities')).body.items)).toEqual(['Do Rui'])
  expect(names((await as(tenant.supervisor).get('/opportunities')).body.items)).toHaveLength(2)
  expect((await as(tenant.agent).get(`/opportunities/${mine.id}`)).status).toBe(404)
  const { body } = await as(colleague).get(
    `/opportunities/dashboard?pipelineId=${pipeline.id}&startDate=${day(0)}&endDate=${day(0)}`,
  )
  expect(body.open.count).toBe(1)
  await as(tenant.admin).put(`/opportunities/${mine.id}`, { responsibleId: tenant.agent.id })
  expect((await as(colleague).get(`/opportunities/${mine.id}`)).status).toBe(404)
  const told = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.outbox).where(eq(schema.outbox.name, 'opportunity.deleted')),
  )
  expect(told.map(({ audience }) => audience)).toEqual([{ kind: 'user', userId: colleague.id }])
})

test('the numbers of a pipeline are those one counts by hand', async () => {
  const { tenant, pipeline, first, second, make } = await seed()
  const reason = (await as(tenant.admin).post('/opportunity-reasons', { name: 'Preço', outcome: 'lose' })).body
  const put = (one: Opportunity, body: object) => as(tenant.admin).put(`/opportunities/${one.id}`, body)
  const month = day(3).slice(0, 7)
  await make('Aberta', { value: 10_000, closingForecast: day(3), source: 'Site' })
  const won = await make('Ganha', { value: 50_000, source: 'Indicação' })
  await put(won, { stageId: second.id })
  await put(won, { status: 'win' })
  const lost = await make('Perdida', { value: 7_000, source: 'Site' })
  await put(lost, { status: 'lose', reasonId: reason.id })
  const { body } = await as(tenant.admin).get(
    `/opportunities/dashboard?pipelineId=${pipeline.id}&startDate=${day(0)}&endDate=${day(0)}`,
  )
  expect(body).toMatchObject({
    open: { count: 1, value: 10_000, weighted: 1_000, late: 0, cold: 0 },
    created: { count: 3, value: 67_000 },
    won: { count: 1, value: 50_000 },
    lost: { count: 1, value: 7_000 },
    stages: [
      { stageId: first.id, count: 1, value: 10_000, weighted: 1_000, entered: 3, advanced: 1 },
      { stageId: second.id, count: 0, entered: 1, advanced: 1 },
    ],
    reasons: [
      { reason: 'Preço', status: 'lose', count: 1, value: 7_000 },
      { reason: 'Sem motivo', status: 'win', count: 1, value: 50_000 },
    ],
    people: [
      { user: { id: tenant.admin.id }, open: { count: 1 }, won: { count: 1, value: 50_000 }, lost: { count: 1 } },
    ],
    sources: [
      { source: 'Indicação', created: 1, won: { count: 1, value: 50_000 } },
      { source: 'Site', created: 2, won: { count: 0 } },
    ],
    forecast: [{ month, count: 1, value: 10_000, weighted: 1_000 }],
  })
})
