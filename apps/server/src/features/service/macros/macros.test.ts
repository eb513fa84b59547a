import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createUser, createTicket, createContact, withTenant, schema } = kit

const company = async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const [vip, late] = [v7(), v7()]
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.insert(schema.tags).values([
      { tenantId: tenant.tenantId, id: vip, name: 'VIP', color: '#112233' },
      { tenantId: tenant.tenantId, id: late, name: 'Atraso', color: '#332211' },
    ]),
  )
  kit.invalidateDirectory(tenant.tenantId)
  const contactId = await createContact(tenant, { name: 'João & Cia' })
  const ticketId = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, contactId })
  return { ...tenant, vip, late, ticketId, contactId }
}
type Company = Awaited<ReturnType<typeof company>>

const create = async (who: { token: string }, actions: object[], more: object = {}) => {
  const reply = await as(who).post('/macros', { name: `Macro ${v7()}`, actions, ...more })
  expect(reply).toMatchObject({ status: 201 })
  return reply.body.id as string
}
const run = (who: { token: string }, id: string, ticketId: string, runId = v7()) =>
  as(who).post(`/macros/${id}/run`, { ticketId, runId })
const conversation = async ({ admin, ticketId }: Company) =>
  (await as(admin).get(`/messages/${ticketId}`)).body.items.filter((one: { type: string }) => one.type !== 'system')
const ticketOf = async ({ admin, ticketId }: Company) => (await as(admin).get(`/tickets/${ticketId}`)).body

test('steps run in order, each as when it is done by hand', async () => {
  const all = await company()
  const id = await create(all.agent, [
    { kind: 'send', body: 'Olá {{name}}, protocolo {{protocol}}.' },
    { kind: 'note', body: 'Cliente {{firstName}} avisado' },
    { kind: 'addTags', tagIds: [all.vip, all.late] },
    { kind: 'removeTags', tagIds: [all.late] },
    { kind: 'priority', priority: 'urgent' },
    { kind: 'close', reasonId: null },
  ])
  expect(await run(all.agent, id, all.ticketId)).toMatchObject({
    status: 200,
    body: { done: 6, total: 6, refused: null },
  })
  const ticket = await ticketOf(all)
  expect(ticket).toMatchObject({ status: 'closed', priority: 'urgent', tags: [{ id: all.vip }] })
  expect(await conversation(all)).toMatchObject([
    { type: 'text', status: 'queued', body: `Olá João & Cia, protocolo ${ticket.protocol}.` },
    { type: 'note', status: 'received', body: 'Cliente João avisado' },
  ])
})

test('it stops at the first refusal and says which step and why', async () => {
  const all = await company()
  const id = await create(all.agent, [
    { kind: 'note', body: 'antes' },
    { kind: 'transfer', queueId: all.queues.Suporte, userId: null },
    { kind: 'send', body: 'depois' },
  ])
  const reply = await run(all.agent, id, all.ticketId)
  expect(reply.body).toMatchObject({ done: 2, total: 3, refused: { step: 3, kind: 'send' } })
  expect(reply.body.refused.message).toMatch(/Atendimento não encontrado/)
  expect((await conversation(all)).map((one: { body: string }) => one.body)).toEqual(['antes'])
})

test('the same run twice, and ten times at once, happens once; its answer stays', async () => {
  const all = await company()
  const id = await create(all.agent, [
    { kind: 'send', body: 'uma vez' },
    { kind: 'transfer', queueId: all.queues.Suporte, userId: null },
  ])
  const runId = v7()
  const replies = await Promise.all(Array.from({ length: 10 }, () => run(all.agent, id, all.ticketId, runId)))
  replies.push(await run(all.agent, id, all.ticketId, runId))
  expect(new Set(replies.map((reply) => JSON.stringify(reply.body)))).toEqual(
    new Set([JSON.stringify({ done: 2, total: 2, refused: null })]),
  )
  expect(await conversation(all)).toHaveLength(1)
})

test('it may do nothing its person may not: permissions and the right to see hold', async () => {
  const all = await company()
  const id = await create(
    all.admin,
    [
      { kind: 'priority', priority: 'high' },
      { kind: 'send', body: 'x' },
    ],
    { scope: 'everyone' },
  )
  const outsider = await createUser(all.tenantId, { queueIds: [all.queues.Suporte ?? ''] })
  expect((await run(outsider, id, all.ticketId)).status).toBe(404)
  const noInbox = await createUser(all.tenantId, {
    queueIds: [all.queues.Vendas ?? ''],
    menuPermissions: { atendimento: false },
  })
  const refused = await run(noInbox, id, all.ticketId)
  expect(refused.body).toMatchObject({ done: 0, refused: { step: 1 } })
  expect((await ticketOf(all)).priority).toBe('normal')
  const stranger = await seedTenant()
  expect((await run(stranger.admin, id, all.ticketId)).status).toBe(404)
})

test('scopes are those of quick messages: mine, my queue, everyone', async () => {
  const all = await company()
  const steps = [{ kind: 'note', body: 'x' }]
  const mine = await create(all.agent, steps)
  const queue = await create(all.admin, steps, { scope: 'queue', queueId: all.queues.Suporte })
  const everyone = await create(all.supervisor, steps, { scope: 'everyone' })
  const ids = async (who: { token: string }) =>
    (await as(who).get('/macros')).body.items.map((one: { id: string }) => one.id).toSorted()
  expect(await ids(all.agent)).toEqual([mine, everyone].toSorted())
  expect(await ids(all.admin)).toEqual([queue, everyone].toSorted())
  expect((await run(all.agent, queue, all.ticketId)).status).toBe(404)
  expect((await as(all.agent).post('/macros', { name: 'y', actions: steps, scope: 'everyone' })).status).toBe(422)
  expect((await as(all.agent).put(`/macros/${everyone}`, { name: 'meu' })).status).toBe(403)
  expect((await as(all.agent).delete(`/macros/${everyone}`)).status).toBe(403)
})

test('a macro that names what does not exist is refused, field by field', async () => {
  const all = await company()
  const other = await company()
  const wrong = async (actions: object[]) => {
    const reply = await as(all.agent).post('/macros', { name: v7(), actions })
    expect(reply.status).toBe(422)
    return reply.body.details[0]
  }
  expect(await wrong([{ kind: 'addTags', tagIds: [other.vip] }])).toMatchObject({ path: 'actions.0.tagIds' })
  expect(await wrong([{ kind: 'transfer', queueId: null, userId: null }])).toMatchObject({ path: 'actions.0.queueId' })
  expect(await wrong([{ kind: 'transfer', queueId: null, userId: other.agent.id }])).toMatchObject({
    path: 'actions.0.userId',
  })
  expect(await wrong([{ kind: 'send', body: 'Olá {{nome}}' }])).toMatchObject({
    message: 'A variável {{nome}} não existe.',
  })
  expect(
    await wrong([
      { kind: 'close', reasonId: null },
      { kind: 'note', body: 'x' },
    ]),
  ).toMatchObject({ path: 'actions.0.kind' })
})

test('a text that comes out empty is a refusal, not an empty message', async () => {
  const all = await company()
  await withTenant(all.tenantId, (tx) =>
    tx.db.update(schema.contacts).set({ email: null }).where(eq(schema.contacts.id, all.contactId)),
  )
  const id = await create(all.agent, [{ kind: 'send', body: '{{email}}' }])
  expect((await run(all.agent, id, all.ticketId)).body.refused.message).toMatch(/ficou vazio/)
})
