import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { type OutboxEvent, onCommittedEvents } from '../../../kit/outbox.ts'
import { createJobs } from '../../core/jobs/jobs.loop.ts'

const { run: runJobs } = createJobs()

const { as, seedTenant, createContact, createTicket, schema, withTenant } = await startTestApp()
const events: OutboxEvent[] = []
onCommittedEvents((committed) => events.push(...committed))
const finish = async () => {
  while ((await runJobs()).did);
}

test('a tag in use says where; another takes its place everywhere, and it goes', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const me = as(tenant.supervisor)
  const tag = async (name: string) => (await me.post('/tags', { name, color: '#112233' })).body.id as string
  const [old, next] = [await tag('Vip'), await tag('Ouro')]
  const contacts = await Promise.all(Array.from({ length: 130 }, () => createContact(tenant)))
  await withTenant(tenant.tenantId, async ({ db }) => {
    const { tenantId } = tenant
    await db.insert(schema.contactTags).values(contacts.map((contactId) => ({ tenantId, contactId, tagId: old })))
    await db.insert(schema.contactTags).values({ tenantId, contactId: contacts[0] ?? '', tagId: next })
  })
  const ticketId = await createTicket(tenant, { queue: 'Vendas' })
  await as(tenant.admin).put(`/tickets/${ticketId}`, { tagIds: [old] })

  expect((await me.get(`/tags/${old}/uses`)).body).toMatchObject({ contacts: 130, tickets: 1, connections: 0 })
  expect((await me.delete(`/tags/${old}`)).status).toBe(409)
  expect((await as(tenant.agent).get(`/tags/${old}/uses`)).status).toBe(403)
  expect((await me.post(`/tags/${old}/replace`, { replacementId: old })).status).toBe(422)
  events.length = 0
  const asked = await me.post(`/tags/${old}/replace`, { replacementId: next })
  expect(asked).toMatchObject({ status: 202, body: { kind: 'replaceTag', total: 131 } })
  await finish()

  expect((await me.get(`/bulkJobs/${asked.body.id}`)).body).toMatchObject({ state: 'done', done: 131, failed: 0 })
  expect((await me.get(`/tags/${next}/uses`)).body).toMatchObject({ contacts: 130, tickets: 1, connections: 0 })
  expect((await me.get(`/tags/${old}`)).status).toBe(404)
  expect((await as(tenant.admin).get(`/tickets/${ticketId}`)).body.tags).toMatchObject([{ id: next }])
  expect(events.map(({ name }) => name)).toEqual(expect.arrayContaining(['ticket.updated', 'tag.deleted']))
  const trail = (await as(tenant.admin).get(`/audit?entityId=${old}`)).body.items
  expect(trail.map((row: { action: string }) => row.action)).toEqual(['tag.deleted', 'bulk.replaceTag', 'tag.created'])
})

test('a queue gives its conversations and channels to another, without a sound to the customer', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Loja'], agentIn: ['Vendas'] })
  const { Vendas, Loja } = tenant.queues
  const open = await createTicket(tenant, { queue: 'Vendas' })
  const closed = await createTicket(tenant, { queue: 'Vendas', status: 'closed' })
  const me = as(tenant.admin)
  events.length = 0
  await me.post(`/queue/${Vendas}/replace`, { replacementId: Loja })
  await finish()
  for (const id of [open, closed]) expect((await me.get(`/tickets/${id}`)).body).toMatchObject({ queueId: Loja })
  expect((await me.get(`/queue/${Vendas}`)).status).toBe(404)
  const told = events.find(({ name }) => name === 'ticket.updated')
  expect(told?.audience).toMatchObject({ facts: { queueId: Loja }, before: { queueId: Vendas } })
  const lines = await withTenant(tenant.tenantId, ({ db }) =>
    db.select().from(schema.messages).where(eq(schema.messages.ticketId, open)),
  )
  expect(lines).toEqual([])
})

test('what people set up follows: macros, automatic answers, kept filters and deadlines', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Loja'] })
  const { Vendas = '', Loja = '' } = tenant.queues
  const me = as(tenant.admin)
  const tag = (await me.post('/tags', { name: 'Vip', color: '#112233' })).body.id as string
  const transfer = { kind: 'transfer', queueId: Vendas, userId: null }
  const actions = [{ kind: 'addTags', tagIds: [tag] }, transfer]
  const macro = (await me.post('/macros', { name: 'Passar', scope: 'everyone', actions })).body.id
  const rule = (await me.post('/auto-reply', { name: 'Passar', actions })).body.id
  const query = `fila=${Vendas}&todos=1&etiqueta=${tag}`
  const filter = (await me.post('/savedFilters', { name: 'Meu', query })).body.id
  const target = { queueId: Vendas, priority: null, firstAnswer: 30, resolution: null }
  await me.put('/settings', { slaTargets: [target] })

  await me.post(`/queue/${Vendas}/replace`, { replacementId: Loja })
  await me.post(`/tags/${tag}/replace`, { replacementId: null })
  await finish()
  const kept = await withTenant(tenant.tenantId, async ({ db }) => ({
    macros: await db.select().from(schema.macros).where(eq(schema.macros.id, macro)),
    rules: await db.select().from(schema.autoReplies).where(eq(schema.autoReplies.id, rule)),
    filters: await db.select().from(schema.savedFilters).where(eq(schema.savedFilters.id, filter)),
  }))
  expect(kept.macros).toMatchObject([{ actions: [{ ...transfer, queueId: Loja }] }])
  expect(kept.rules).toMatchObject([{ actions: [{ ...transfer, queueId: Loja }] }])
  expect(kept.filters).toMatchObject([{ query: `fila=${Loja}&todos=1` }])
  expect((await me.get('/settings')).body.slaTargets).toEqual([{ ...target, queueId: Loja }])
})

test('what a queue’s people kept ready stays: with the other queue, or for everyone where there is none', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Loja', 'Só texto'] })
  const { Vendas = '', Loja = '', 'Só texto': plain = '' } = tenant.queues
  const me = as(tenant.admin)
  const keep = async (key: string, queueId: string | null) => {
    const scope = queueId ? 'queue' : 'everyone'
    return (await me.post('/fastreply', { key, message: key, scope, queueId })).body.id as string
  }
  const macro = async (name: string, action: object) =>
    (await me.post('/macros', { name, scope: 'queue', queueId: Vendas, actions: [action] })).body.id as string
  const [frete, prazo, oi] = [await keep('frete', Vendas), await keep('prazo', Vendas), await keep('oi', plain)]
  await keep('frete', null)
  await keep('prazo', Loja)
  const greets = await macro('Saudar', { kind: 'send', body: 'Oi' })
  const passes = await macro('Passar', { kind: 'transfer', queueId: Vendas, userId: null })
  const uses = { contacts: 0, tickets: 0, connections: 0, quickMessages: 2, macros: 2, emptiedMacros: 1, flows: [] }
  expect((await me.get(`/queue/${Vendas}/uses`)).body).toEqual(uses)

  await me.delete(`/queue/${plain}`)
  expect((await me.get(`/fastreply/${oi}`)).body).toMatchObject({ scope: 'everyone', queueId: null })

  await me.post(`/queue/${Vendas}/replace`, { replacementId: Loja })
  await finish()
  expect((await me.get(`/fastreply/${frete}`)).body).toMatchObject({ key: 'frete', queueId: Loja })
  const { key } = (await me.get(`/fastreply/${prazo}`)).body
  expect(key).toMatch(/^prazo-vendas-.{4}$/) // the other queue has one of that name

  await me.post(`/queue/${Loja}/replace`, { replacementId: null })
  await finish()
  expect((await me.get(`/fastreply/${frete}`)).body).toMatchObject({ scope: 'everyone', queueId: null })
  expect((await me.get(`/fastreply/${prazo}`)).body).toMatchObject({ key, scope: 'everyone' })
  expect((await me.get(`/macros/${greets}`)).body).toMatchObject({ scope: 'everyone', queueId: null })
  expect((await me.get(`/macros/${passes}`)).status).toBe(404) // it did nothing else
})

test('a reason is taken away from every conversation; a stranger’s is not there', async () => {
  const [tenant, other] = [await seedTenant(), await seedTenant()]
  const me = as(tenant.admin)
  const { id } = (await me.post('/reasons', { name: 'Engano' })).body
  const ticketId = await createTicket(tenant, { status: 'closed' })
  await withTenant(tenant.tenantId, ({ db }) =>
    db.update(schema.tickets).set({ reasonId: id }).where(eq(schema.tickets.id, ticketId)),
  )
  for (const call of [
    as(other.admin).get(`/reasons/${id}/uses`),
    as(other.admin).post(`/reasons/${id}/replace`, { replacementId: null }),
  ])
    expect((await call).status).toBe(404)
  await me.post(`/reasons/${id}/replace`, { replacementId: null })
  await finish()
  expect((await me.get(`/tickets/${ticketId}`)).body).toMatchObject({ reason: null })
  expect((await me.get(`/reasons/${id}`)).status).toBe(404)
})

test('automatic answers and segments follow a tag that another replaces', async () => {
  const tenant = await seedTenant()
  const me = as(tenant.admin)
  const tag = async (name: string) => (await me.post('/tags', { name, color: '#112233' })).body.id as string
  const [twice, kept] = [await tag('V.I.P.'), await tag('VIP')]
  const keywords = [{ text: 'preço', mode: 'contains' }]
  const answer = await me.post('/auto-reply', {
    ...{ name: 'Preço', starts: 'words', keywords, parts: [{ kind: 'text', body: 'R$ 10' }] },
    actions: [{ kind: 'addTags', tagIds: [twice] }],
  })
  expect(answer.status).toBe(201)
  const rules = { match: 'all', rules: [{ field: 'tags', op: 'any', value: [twice] }] }
  const segment = await me.post('/segments', { name: 'Vips', rules })
  expect(segment.status).toBe(201)

  await me.post(`/tags/${twice}/replace`, { replacementId: kept })
  await finish()
  expect((await me.get(`/auto-reply/${answer.body.id}`)).body.actions).toEqual([{ kind: 'addTags', tagIds: [kept] }])
  expect((await me.get(`/segments/${segment.body.id}`)).body.rules.rules).toMatchObject([{ value: [kept] }])
})

test('flows follow what another replaces: the draft is changed, and what runs is a version more', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Loja'] })
  const { Vendas = '', Loja = '' } = tenant.queues
  const me = as(tenant.admin)
  const tag = async (name: string) => (await me.post('/tags', { name, color: '#112233' })).body.id as string
  const [twice, kept] = [await tag('V.I.P.'), await tag('VIP')]
  const { id } = (await me.post('/chat-flow', { name: 'Recepção' })).body
  const node = (nodeId: string, kind: string, data: object, next = {}) => ({ id: nodeId, kind, data, next })
  const upserts = [
    node('start', 'start', {}, { next: 'a' }),
    node('a', 'action', { actions: [{ kind: 'addTags', tagIds: [twice, kept] }] }, { next: 'p' }),
    node('p', 'handOver', { queueId: Vendas, userId: '', body: '', summary: true }),
  ]
  const settings = { retries: { most: 2, to: { kind: 'queue', id: Vendas } } }
  const { revision } = (await me.post(`/chat-flow/${id}/draft`, { base: 1, upserts, settings })).body
  expect(await me.post(`/chat-flow/${id}/publish`, { revision })).toMatchObject({ status: 200 })
  const flows = [{ id, name: 'Recepção' }]
  expect((await me.get(`/queue/${Vendas}/uses`)).body).toMatchObject({ flows })
  expect((await me.get(`/tags/${twice}/uses`)).body).toMatchObject({ flows })
  expect((await me.get(`/chat-flow-naming/${kept}`)).body).toEqual({ items: flows })
  expect((await me.get(`/chat-flow-naming/${v7()}`)).body).toEqual({ items: [] })

  await me.post(`/queue/${Vendas}/replace`, { replacementId: Loja })
  await finish()
  await me.post(`/tags/${twice}/replace`, { replacementId: kept })
  await finish()
  const flow = (await me.get(`/chat-flow/${id}`)).body
  expect(flow).toMatchObject({ isChanged: false, published: { number: 3 } })
  const running = (await me.get(`/chat-flow/${id}/versions/${flow.published.id}`)).body
  const draft = (await me.get(`/chat-flow/${id}/draft`)).body
  for (const graph of [running, draft]) {
    expect(graph.settings).toMatchObject({ retries: { to: { kind: 'queue', id: Loja } } })
    expect(graph.nodes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'a', data: { actions: [{ kind: 'addTags', tagIds: [kept] }] } }),
        expect.objectContaining({ id: 'p', data: expect.objectContaining({ queueId: Loja }) }),
      ]),
    )
  }
  expect((await me.get(`/chat-flow/${id}/problems`)).body.items).toEqual([])

  // One that another flow passes through does not go.
  const outer = (await me.post('/chat-flow', { name: 'De fora' })).body
  const passes = [node('start', 'start', {}, { next: 'f' }), node('f', 'flow', { flowId: id, returns: true })]
  await me.post(`/chat-flow/${outer.id}/draft`, { base: 1, upserts: passes })
  expect(await me.delete(`/chat-flow/${id}`)).toMatchObject({
    ...{ status: 409, body: { message: 'O fluxo De fora passa por este. Troque lá antes.' } },
  })
})
