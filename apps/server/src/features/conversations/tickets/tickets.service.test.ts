import { otherOpenTicket, type Ticket, ticket } from '@balcao/contract/conversations/tickets.ts'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { type OutboxEvent, onCommittedEvents } from '../../../kit/outbox.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { viewersOf } from './tickets.policy.ts'

const {
  as,
  seedTenant,
  createUser,
  createContact,
  createConnection,
  createTicket,
  schema,
  withTenant,
  invalidateDirectory,
} = await startTestApp()

const events: OutboxEvent[] = []
onCommittedEvents((committed) => events.push(...committed))
const eventsOf = (ticketId: string) =>
  events.filter((event) => event.audience.kind === 'ticket' && event.audience.facts.id === ticketId)

const logsOf = async (user: { token: string }, id: string) =>
  (await as(user).get(`/tickets/${id}/logs`)).body.items.map((log: { type: string }) => log.type).reverse()
const linesOf = (tenantId: number, ticketId: string) =>
  withTenant(tenantId, (tx) =>
    tx.rows<{ type: string; body: string }>(
      { name: '', text: 'select type, body from messages where tenant_id = $1 and ticket_id = $2 order by seq' },
      [tenantId, ticketId],
    ),
  )

test('an agent begins a conversation; a second one on the same channel points to the first', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const [contactId, channelId] = [await createContact(tenant), await createConnection(tenant)]
  const reply = await as(tenant.agent).post('/tickets', { contactId, channelId, queueId: tenant.queues.Vendas })
  expect(reply.status).toBe(201)
  expect(ticket.parse(reply.body)).toMatchObject({
    status: 'open',
    userId: tenant.agent.id,
    username: 'Ana Souza',
    contactId,
    whatsappId: channelId,
  })
  expect(reply.body.protocol).toMatch(/^\d{14}$/)
  expect(reply.body.startedAt).not.toBeNull()
  expect(await logsOf(tenant.agent, reply.body.id)).toEqual(['create'])
  expect(eventsOf(reply.body.id).map((event) => event.name)).toEqual(['ticket.created', 'message.created'])

  const second = await as(tenant.admin).post('/tickets', { contactId, channelId })
  expect(second).toMatchObject({ status: 409, body: { error: 'ERR_OTHER_OPEN_TICKET' } })
  expect(otherOpenTicket.parse(second.body.details)).toEqual({
    ticketId: reply.body.id,
    userId: tenant.agent.id,
    userName: 'Ana Souza',
  })
})

test('a group keeps its one ticket also when somebody of the team begins', async () => {
  const tenant = await seedTenant()
  const [contactId, channelId] = [await createContact(tenant), await createConnection(tenant)]
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.contacts).set({ isGroup: true }).where(eq(schema.contacts.id, contactId)),
  )
  const begin = () => as(tenant.agent).post('/tickets', { contactId, channelId })
  const first = (await begin()).body
  await as(tenant.agent).put(`/tickets/${first.id}`, { status: 'closed' })
  expect(await begin()).toMatchObject({
    status: 201,
    body: { id: first.id, protocol: first.protocol, status: 'open', userId: tenant.agent.id, closedAt: null },
  })
  expect((await begin()).body).toMatchObject({ error: 'ERR_OTHER_OPEN_TICKET', details: { ticketId: first.id } })
})

test('a conversation is begun for a colleague who can attend, with a contact one may know of', async () => {
  const tenant = await seedTenant({ settings: { DirectTicketsToWallets: true } })
  const beto = await createUser(tenant.tenantId, { name: 'Beto' })
  const channelId = await createConnection(tenant)
  const begin = async (more: object, contact: { walletIds?: string[] } = {}) =>
    as(tenant.agent).post('/tickets', { contactId: await createContact(tenant, contact), channelId, ...more })
  const made = await begin({ userId: beto.id })
  expect(made.body).toMatchObject({ status: 'open', userId: beto.id, username: 'Beto' })
  expect((await linesOf(tenant.tenantId, made.body.id)).map((line) => line.body)).toEqual([
    'Ana Souza iniciou o atendimento para Beto.',
  ])
  expect((await begin({ status: 'pending', userId: beto.id })).body).toMatchObject({
    status: 'pending',
    userId: beto.id,
  })
  expect((await begin({ status: 'pending' })).body).toMatchObject({ status: 'pending', userId: null })
  const stranger = await seedTenant()
  expect((await begin({ userId: stranger.agent.id })).status).toBe(422)
  expect((await begin({}, { walletIds: [beto.id] })).body.error).toBe('ERR_NO_CONTACT_FOUND')
  expect((await begin({}, { walletIds: [tenant.agent.id] })).status).toBe(201)
})

test('what a new conversation refers to must be there and be ours (T03)', async () => {
  const [tenant, other] = [await seedTenant({ queues: ['Vendas'] }), await seedTenant({ queues: ['Vendas'] })]
  const [contactId, channelId] = [await createContact(tenant), await createConnection(tenant)]
  const tries: [object, number, string][] = [
    [{ contactId: await createContact(other), channelId }, 404, 'ERR_NO_CONTACT_FOUND'],
    [{ contactId, channelId: await createConnection(other) }, 404, 'ERR_NO_WAPP_FOUND'],
    [{ contactId, channelId, queueId: other.queues.Vendas }, 422, 'ERR_VALIDATION'],
    [{ contactId: 'x', channelId }, 422, 'ERR_VALIDATION'],
    [{ contactId, channelId, status: 'closed' }, 422, 'ERR_VALIDATION'],
  ]
  for (const [body, status, error] of tries) {
    expect(await as(tenant.agent).post('/tickets', body)).toMatchObject({ status, body: { error } })
  }
})

test('fifty people accept at once: one has it, the others are told who', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const agents = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      createUser(tenant.tenantId, { name: `Agente ${i}`, queueIds: Object.values(tenant.queues) }),
    ),
  )
  const id = await createTicket(tenant, { queue: 'Vendas' })

  const replies = await Promise.all(
    agents.map((agent) => as(agent).put(`/tickets/${id}`, { status: 'open', userId: agent.id })),
  )

  const won = replies.filter((reply) => reply.status === 200)
  expect(won).toHaveLength(1)
  const winner = won[0]?.body as Ticket
  const lost = replies.filter((reply) => reply.status !== 200)
  for (const reply of lost) {
    expect(reply).toMatchObject({
      status: 409,
      body: { error: 'ERR_TICKET_TAKEN', details: { userId: winner.userId, userName: winner.username } },
    })
  }
  expect(await logsOf(tenant.admin, id)).toEqual(['open'])
  expect(winner).toMatchObject({ status: 'open', version: 2 })
})

test('states move as drawn: accept, return, close, reopen; anything else is refused', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const me = as(tenant.agent)
  const id = await createTicket(tenant, { queue: 'Vendas', chatFlowId: v7() })
  const put = (body: object) => me.put(`/tickets/${id}`, body)

  expect((await put({ status: 'open' })).body).toMatchObject({
    status: 'open',
    userId: tenant.agent.id,
    chatFlowId: null,
    version: 2,
  })
  expect((await put({ status: 'open' })).body).toMatchObject({ version: 2 })
  expect((await put({ status: 'open', userId: null })).body.error).toBe('ERR_INVALID_TRANSITION')
  expect((await put({ status: 'pending' })).body).toMatchObject({
    status: 'pending',
    userId: null,
    queueId: tenant.queues.Vendas,
  })
  expect((await put({ status: 'open' })).status).toBe(200)
  expect((await put({ status: 'close' })).body).toMatchObject({
    status: 'closed',
    userId: tenant.agent.id,
    unreadMessages: 0,
  })
  expect(await put({ status: 'closed' })).toMatchObject({ status: 409, body: { error: 'ERR_INVALID_TRANSITION' } })
  expect((await put({ queueId: null })).body.error).toBe('ERR_INVALID_TRANSITION')
  expect((await put({ userId: null })).body.error).toBe('ERR_INVALID_TRANSITION')
  expect((await put({ isTransference: true, userId: tenant.admin.id })).body.error).toBe('ERR_INVALID_TRANSITION')
  expect((await put({ tagIds: [v7()] })).body.error).toBe('ERR_TICKET_CLOSED')
  expect((await put({ status: 'pending' })).body).toMatchObject({ status: 'pending', userId: null, closedAt: null })
  expect((await put({ status: 'closed', userId: tenant.agent.id })).body).toMatchObject({
    status: 'closed',
    userId: tenant.agent.id,
  })
  expect((await put({ status: 'open' })).body).toMatchObject({
    status: 'open',
    userId: tenant.agent.id,
    closedAt: null,
  })
  expect(await logsOf(tenant.agent, id)).toEqual(['open', 'pending', 'open', 'closed', 'reopen', 'closed', 'reopen'])
  const lines = await linesOf(tenant.tenantId, id)
  expect(lines.map((line) => line.body)).toEqual([
    'Ana Souza aceitou o atendimento.',
    'Ana Souza devolveu o atendimento para a espera.',
    'Ana Souza aceitou o atendimento.',
    'Ana Souza encerrou o atendimento.',
    'Ana Souza reabriu o atendimento.',
    'Ana Souza encerrou o atendimento.',
    'Ana Souza reabriu o atendimento.',
  ])
})

test('reopening next to a newer ticket answers with that one', async () => {
  const tenant = await seedTenant()
  const [contactId, connectionId] = [await createContact(tenant), await createConnection(tenant)]
  const old = await createTicket(tenant, { contactId, connectionId, status: 'closed' })
  const active = await createTicket(tenant, { contactId, connectionId, userId: tenant.admin.id })
  for (const status of ['open', 'pending']) {
    expect(await as(tenant.agent).put(`/tickets/${old}`, { status })).toMatchObject({
      status: 409,
      body: {
        error: 'ERR_OTHER_OPEN_TICKET',
        details: { ticketId: active, userId: tenant.admin.id, userName: 'Carla Dias' },
      },
    })
  }
  await as(tenant.admin).put(`/tickets/${active}`, { status: 'closed' })
  const both = await Promise.all([old, active].map((id) => as(tenant.agent).put(`/tickets/${id}`, { status: 'open' })))
  expect(both.map((reply) => reply.status).sort()).toEqual([200, 409])
  expect(both.find((reply) => reply.status === 409)?.body.error).toBe('ERR_OTHER_OPEN_TICKET')
})

test('a transfer carries its note to the team, the log tells both sides, and who lost the right is told to forget', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const { Suporte = '' } = tenant.queues
  const target = await createUser(tenant.tenantId, { name: 'Bruno Reis', queueIds: [Suporte] })
  const id = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id })

  const toQueue = await as(tenant.agent).put(`/tickets/${id}`, {
    isTransference: true,
    queueId: Suporte,
    note: 'Cliente quer trocar o produto',
  })
  expect(toQueue).toMatchObject({ status: 200, body: { status: 'pending', userId: null, queueId: Suporte } })
  expect((await as(tenant.agent).get(`/tickets/${id}`)).status).toBe(404)
  expect((await as(target).get(`/tickets/${id}`)).status).toBe(200)
  const updated = eventsOf(id).find((event) => event.name === 'ticket.updated')
  const directory = await getDirectory(tenant.tenantId)
  if (updated?.audience.kind !== 'ticket' || !updated.audience.before) throw new Error('no audience')
  expect(viewersOf(directory, updated.audience.before)).toContain(tenant.agent.id)
  expect(viewersOf(directory, updated.audience.facts)).not.toContain(tenant.agent.id)

  const logs = (await as(target).get(`/tickets/${id}/logs`)).body.items
  expect(logs).toMatchObject([
    { type: 'receivedTransfer', user: null, queue: { name: 'Suporte' }, note: 'Cliente quer trocar o produto' },
    { type: 'transfered', user: { name: 'Ana Souza' }, queue: { name: 'Suporte' } },
  ])
  expect(await linesOf(tenant.tenantId, id)).toEqual([
    { type: 'system', body: 'Ana Souza transferiu o atendimento para a fila Suporte.' },
    { type: 'note', body: 'Cliente quer trocar o produto' },
  ])

  const toPerson = await as(target).put(`/tickets/${id}`, {
    isTransference: true,
    userId: tenant.agent.id,
    queueId: Suporte,
  })
  expect(toPerson.body).toMatchObject({ status: 'open', userId: tenant.agent.id, username: 'Ana Souza' })
  const told = (await linesOf(tenant.tenantId, id)).length
  const again = { isTransference: true, userId: tenant.agent.id, note: 'De novo' }
  expect(await as(target).put(`/tickets/${id}`, again)).toMatchObject({
    status: 409,
    body: { error: 'ERR_INVALID_TRANSITION', message: 'Ana Souza já está com este atendimento.' },
  })
  const asked = await as(target).put(`/tickets/${id}`, { isTransference: true, userId: tenant.agent.id })
  expect(asked).toMatchObject({ status: 200, body: { userId: tenant.agent.id } })
  expect(await linesOf(tenant.tenantId, id)).toHaveLength(told)
  const back = await as(tenant.agent).put(`/tickets/${id}`, {
    isTransference: true,
    status: 'pending',
    userId: target.id,
  })
  expect(back.body).toMatchObject({ status: 'pending', userId: target.id })
  expect((await as(tenant.admin).put(`/tickets/${id}`, { status: 'open' })).body).toMatchObject({
    error: 'ERR_TICKET_OFFERED',
    details: { userName: 'Bruno Reis' },
  })
})

test('nobody is handed work who cannot do it, and nothing foreign is linked (T03)', async () => {
  const [tenant, other] = [await seedTenant({ queues: ['Vendas', 'Parada'] }), await seedTenant({ queues: ['Vendas'] })]
  const { Parada = '' } = tenant.queues
  const blocked = await createUser(tenant.tenantId)
  const outside = await createUser(tenant.tenantId, { menuPermissions: { atendimento: false } })
  const tagId = v7()
  await withTenant(other.tenantId, (tx) =>
    tx.db.insert(schema.tags).values({ tenantId: other.tenantId, id: tagId, name: 'VIP', color: '#111111' }),
  )
  await withTenant(tenant.tenantId, async (tx) => {
    await tx.rows({ name: '', text: 'update queues set is_active = false where tenant_id = $1 and id = $2' }, [
      tenant.tenantId,
      Parada,
    ])
    await tx.rows({ name: '', text: 'update users set is_blocked = true where tenant_id = $1 and id = $2' }, [
      tenant.tenantId,
      blocked.id,
    ])
  })
  invalidateDirectory(tenant.tenantId)
  const id = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id })
  const before = (await as(tenant.admin).get(`/tickets/${id}`)).body
  const bodies: [object, string][] = [
    [{ queueId: other.queues.Vendas }, 'queueId'],
    [{ queueId: Parada }, 'queueId'],
    [{ isTransference: true, queueId: Parada }, 'queueId'],
    [{ isTransference: true }, 'queueId'],
    [{ userId: other.agent.id }, 'userId'],
    [{ isTransference: true, userId: blocked.id }, 'userId'],
    [{ isTransference: true, userId: outside.id }, 'userId'],
    [{ tagIds: [tagId] }, 'tagIds'],
    [{ kanban: v7() }, 'kanban'],
    [{ status: 'resolved' }, 'status'],
    [{ unreadMessages: -1 }, 'unreadMessages'],
  ]
  for (const [body, path] of bodies) {
    const reply = await as(tenant.agent).put(`/tickets/${id}`, body)
    expect(reply).toMatchObject({ status: 422, body: { error: 'ERR_VALIDATION', details: [{ path }] } })
  }
  expect((await as(tenant.agent).put(`/tickets/${id}`, { tenantId: other.tenantId, protocol: '1' })).status).toBe(422)
  expect((await as(tenant.admin).get(`/tickets/${id}`)).body).toEqual(before)
})

test('reading, tagging and counting move nothing in the list; a stale version is told what changed', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const id = await createTicket(tenant, { queue: 'Vendas', unreadMessages: 3 })
  const tagId = v7()
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.insert(schema.tags).values({ tenantId: tenant.tenantId, id: tagId, name: 'VIP', color: '#111111' }),
  )
  const seen = (await as(tenant.agent).get(`/tickets/${id}`)).body
  expect(seen).toMatchObject({ unreadMessages: 3, userId: null, version: 1, status: 'pending' })

  const read = await as(tenant.agent).put(`/tickets/${id}`, { unreadMessages: 0 })
  expect(read.body).toMatchObject({
    unreadMessages: 0,
    version: 2,
    updatedAt: seen.updatedAt,
    userId: null,
    status: 'pending',
  })
  expect((await as(tenant.agent).put(`/tickets/${id}`, { tagIds: [tagId] })).body).toMatchObject({
    tags: [{ name: 'VIP' }],
    updatedAt: seen.updatedAt,
  })
  expect((await as(tenant.agent).put(`/tickets/${id}`, { unreadMessages: 1 })).body).toMatchObject({
    unreadMessages: 1,
  })
  const stale = await as(tenant.agent).put(`/tickets/${id}`, { tagIds: [], version: 1 })
  expect(stale).toMatchObject({ status: 409, body: { error: 'ERR_CONFLICT', details: { current: { version: 4 } } } })
  expect(await logsOf(tenant.agent, id)).toEqual(['tags'])
})

test('who may not see a ticket finds it by no door (T09), and an administrator is told why', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const stranger = await seedTenant()
  const id = await createTicket(tenant, { queue: 'Suporte' })
  for (const user of [tenant.agent, stranger.admin]) {
    const doors = [
      as(user).get(`/tickets/${id}`),
      as(user).get(`/tickets/${id}/logs`),
      as(user).get(`/tickets/${id}/draft`),
      as(user).put(`/tickets/${id}/draft`, { body: 'oi' }),
      as(user).put(`/tickets/${id}`, { status: 'open' }),
      as(user).put(`/tickets/${id}`, { isTransference: true, queueId: tenant.queues.Vendas }),
    ]
    for (const reply of await Promise.all(doors))
      expect(reply).toMatchObject({ status: 404, body: { error: 'ERR_NO_TICKET_FOUND' } })
    expect((await as(user).get('/tickets?status=open,pending,closed&showAll=true')).body.items).toEqual([])
  }
  expect((await as(stranger.admin).delete(`/tickets/${id}`)).status).toBe(404)
  expect((await as(tenant.agent).get(`/tickets/${id}/visibility`)).status).toBe(403)
  expect((await as(tenant.admin).get(`/tickets/${id}/visibility?userId=${tenant.agent.id}`)).body).toEqual({
    isVisible: false,
    rule: 'queues',
    text: 'O atendimento é de uma fila da qual o usuário não participa.',
  })
  expect((await as(tenant.admin).get(`/tickets/${id}/visibility`)).body).toMatchObject({
    isVisible: true,
    rule: 'showAll',
  })
  expect((await as(tenant.admin).get(`/tickets/${id}/visibility?userId=${stranger.agent.id}`)).status).toBe(404)
})

test('a long history is read page by page to its beginning', async () => {
  const tenant = await seedTenant()
  const ticketId = await createTicket(tenant)
  const rows = Array.from({ length: 230 }, () => ({ tenantId: tenant.tenantId, ticketId, type: 'tags' as const }))
  await withTenant(tenant.tenantId, (tx) => tx.db.insert(schema.ticketLogs).values(rows))
  const read = async (query = '') => (await as(tenant.agent).get(`/tickets/${ticketId}/logs${query}`)).body
  const first = await read()
  expect(first).toMatchObject({ hasMore: true, nextCursor: expect.any(String) })
  const second = await read(`?cursor=${first.nextCursor}`)
  expect(second).toMatchObject({ hasMore: false, nextCursor: null })
  expect(new Set([...first.items, ...second.items].map((log) => log.id)).size).toBe(230)
  expect((await as(tenant.agent).get(`/tickets/${ticketId}/logs?cursor=x`)).status).toBe(422)
})

test('only an administrator deletes, and the audit remembers', async () => {
  const tenant = await seedTenant()
  const id = await createTicket(tenant)
  expect((await as(tenant.supervisor).delete(`/tickets/${id}`)).status).toBe(403)
  expect((await as(tenant.admin).delete(`/tickets/${id}`)).status).toBe(204)
  expect((await as(tenant.admin).get(`/tickets/${id}`)).status).toBe(404)
  expect(eventsOf(id).map((event) => event.name)).toEqual(['ticket.hidden'])
  const audit = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.audit))
  expect(audit).toMatchObject([{ action: 'ticket.deleted', entityId: id, userId: tenant.admin.id }])
})

test('protocols made in parallel are all different and tell the day', async () => {
  const tenant = await seedTenant()
  const channelId = await createConnection(tenant)
  const contacts = await Promise.all(Array.from({ length: 30 }, () => createContact(tenant)))
  const made = await Promise.all(
    contacts.map((contactId) => as(tenant.agent).post('/tickets', { contactId, channelId })),
  )
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(new Date()).replaceAll('-', '')
  const protocols = made.map((reply) => reply.body.protocol as string)
  expect(new Set(protocols).size).toBe(30)
  for (const protocol of protocols) expect(protocol.slice(0, 8)).toBe(day)
})

test('accept, transfer and close at the same instant leave a legal ticket and a whole log (T49)', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  for (let round = 0; round < 5; round += 1) {
    const id = await createTicket(tenant, { queue: 'Vendas' })
    const replies = await Promise.all([
      as(tenant.agent).put(`/tickets/${id}`, { status: 'open' }),
      as(tenant.admin).put(`/tickets/${id}`, { isTransference: true, userId: tenant.supervisor.id }),
      as(tenant.supervisor).put(`/tickets/${id}`, { status: 'closed' }),
      as(tenant.supervisor).put(`/tickets/${id}`, { status: 'closed' }),
    ])
    const last = (await as(tenant.admin).get(`/tickets/${id}`)).body as Ticket
    expect(replies.every((reply) => [200, 409].includes(reply.status))).toBe(true)
    expect(last.version).toBe(1 + replies.filter((reply) => reply.status === 200).length)
    expect(last.status === 'open' ? last.userId !== null : last.status === 'closed').toBe(true)
    expect(last.closedAt !== null).toBe(last.status === 'closed')
  }
})
