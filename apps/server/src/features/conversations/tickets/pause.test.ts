import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { type OutboxEvent, onCommittedEvents } from '../../../kit/outbox.ts'
import { ingest } from '../../intake/inbound/inbound.service.ts'
import { wakeDueTickets } from './pause.loop.ts'

const kit = await startTestApp()
const { as, seedTenant, createUser, createContact, createConnection, createTicket, schema, withTenant } = kit

const events: OutboxEvent[] = []
onCommittedEvents((committed) => events.push(...committed))
const noticesOf = (ticketId: string) =>
  events.filter(
    (event) => event.name === 'ticket.notice' && (event.payload as { ticketId: string }).ticketId === ticketId,
  )
type Tenant = Awaited<ReturnType<typeof seedTenant>>
const logsOf = async (user: { token: string }, id: string) =>
  (await as(user).get(`/tickets/${id}/logs`)).body.items.map((log: { type: string }) => log.type).reverse()
const linesOf = async (user: { token: string }, id: string) =>
  (await as(user).get(`/messages/${id}`)).body.items.map((one: { body: string }) => one.body)
const setTicket = (tenant: Tenant, id: string, change: Partial<typeof schema.tickets.$inferInsert>) =>
  withTenant(tenant.tenantId, ({ db }) => db.update(schema.tickets).set(change).where(eq(schema.tickets.id, id)))
const rowOf = async (tenant: Tenant, id: string) =>
  (await withTenant(tenant.tenantId, ({ db }) => db.select().from(schema.tickets).where(eq(schema.tickets.id, id))))[0]
const wabaConfig = {
  accessToken: 'token-token-token-token',
  phoneNumberId: '100200300',
  wabaId: '2001',
  appSecret: 'segredo-segredo-segredo',
  verifyToken: 'verificar-verificar',
}
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

test('a conversation is put away until a moment, with the reason, and taken up again', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const me = as(tenant.agent)
  const id = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id })
  const until = '2027-01-05T11:00:00.000Z'
  const paused = await me.post(`/ticketsPause/${id}/pause`, {
    until,
    pauseReason: 'Espera o estoque',
    wakesOnReply: false,
  })
  expect(paused).toMatchObject({
    status: 200,
    body: { pausedUntil: until, pauseReason: 'Espera o estoque', wakesOnReply: false, status: 'open' },
  })
  expect(paused.body.pausedAt).not.toBeNull()
  expect(await linesOf(tenant.agent, id)).toEqual([
    'Ana Souza pausou o atendimento até 05/01/2027 às 08:00. Motivo: Espera o estoque',
  ])
  // Said anew, the rest so far still counts.
  const again = await me.post(`/ticketsPause/${id}/pause`, {})
  expect(again.body).toMatchObject({ pausedAt: paused.body.pausedAt, pausedUntil: null, wakesOnReply: true })

  await setTicket(tenant, id, { pausedAt: new Date(Date.now() - 60_000) })
  expect((await me.post(`/ticketsPause/${id}/pause/end`)).body).toMatchObject({ pausedAt: null, pauseReason: null })
  expect((await rowOf(tenant, id))?.pausedMs).toBeGreaterThanOrEqual(60_000)
  await me.post(`/ticketsPause/${id}/pause/end`)
  expect(await logsOf(tenant.agent, id)).toEqual(['pause', 'pause', 'resume'])
})

test('a pause is refused where the company has none, for what is closed, and for the past', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const id = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id })
  const pause = (body: object = {}) => as(tenant.agent).post(`/ticketsPause/${id}/pause`, body)
  expect(await pause({ until: inHours(-1) })).toMatchObject({ status: 422, body: { details: [{ path: 'until' }] } })
  expect(await pause({ until: inHours(24 * 400) })).toMatchObject({ status: 422 })
  await as(tenant.agent).put(`/tickets/${id}`, { status: 'closed' })
  expect(await pause()).toMatchObject({ status: 409, body: { error: 'ERR_TICKET_CLOSED' } })

  const strict = await seedTenant({ queues: ['Vendas'], settings: { allowPause: false } })
  const other = await createTicket(strict, { queue: 'Vendas', userId: strict.agent.id })
  expect(await as(strict.agent).post(`/ticketsPause/${other}/pause`)).toMatchObject({
    status: 409,
    body: { message: 'A sua empresa não usa a pausa de atendimentos.' },
  })
})

test('what was put away until now comes back once, however many processes look, and its agent is told', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const ids = await Promise.all(
    Array.from({ length: 12 }, () => createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id })),
  )
  for (const id of ids) await as(tenant.agent).post(`/ticketsPause/${id}/pause`, { until: inHours(1) })
  const later = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id })
  await as(tenant.agent).post(`/ticketsPause/${later}/pause`, { until: inHours(1) })
  for (const id of ids) await setTicket(tenant, id, { pausedUntil: new Date(Date.now() - 1_000) })

  await Promise.all([wakeDueTickets(), wakeDueTickets(), wakeDueTickets()])
  for (const id of ids) {
    expect(await logsOf(tenant.agent, id)).toEqual(['pause', 'resume'])
    expect((await linesOf(tenant.agent, id)).at(-1)).toBe('A pausa terminou.')
    expect(noticesOf(id)).toMatchObject([
      { payload: { kind: 'woke' }, audience: { kind: 'users', userIds: [tenant.agent.id] } },
    ])
  }
  expect((await rowOf(tenant, later))?.pausedAt).not.toBeNull()

  const alarm = await startTestWorkers('pause alarm')
  await setTicket(tenant, later, { pausedUntil: new Date(Date.now() - 1_000) })
  await expect.poll(async () => (await rowOf(tenant, later))?.pausedAt ?? null, { timeout: 8_000 }).toBeNull()
  await alarm.stop()
}, 20_000)

test('the customer who writes wakes it; the end of the pause at the same moment wakes it once', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const contactId = await createContact(tenant, { number: '5511987650009' })
  const connectionId = await createConnection(tenant, { kind: 'waba', externalId: '100200300', config: wabaConfig })
  const id = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, contactId, connectionId })
  let n = 0
  const write = () =>
    ingest(tenant.tenantId, connectionId, [
      {
        kind: 'message',
        providerId: `pausa-${n++}`,
        fromMe: false,
        from: { identities: [{ kind: 'phone', value: '5511987650009' }] },
        content: { type: 'text', body: 'Voltei' },
        timestamp: new Date(),
      },
    ])
  await as(tenant.agent).post(`/ticketsPause/${id}/pause`, { wakesOnReply: false })
  await write()
  expect((await rowOf(tenant, id))?.pausedAt).not.toBeNull()
  await as(tenant.agent).post(`/ticketsPause/${id}/pause`, { wakesOnReply: true })
  await write()
  expect((await rowOf(tenant, id))?.pausedAt).toBeNull()
  expect(await logsOf(tenant.agent, id)).toEqual(['pause', 'pause', 'resume'])

  for (let round = 0; round < 8; round += 1) {
    await as(tenant.agent).post(`/ticketsPause/${id}/pause`, { until: inHours(1) })
    await setTicket(tenant, id, { pausedUntil: new Date(Date.now() - 1_000) })
    const before = (await logsOf(tenant.agent, id)).length
    const results = await Promise.all([
      write(),
      wakeDueTickets(),
      as(tenant.agent).post(`/ticketsPause/${id}/pause/end`),
    ])
    expect(results[2].status).toBe(200)
    await wakeDueTickets() // what it skipped while the others held it
    expect(await rowOf(tenant, id)).toMatchObject({ pausedAt: null, pausedUntil: null })
    expect((await logsOf(tenant.agent, id)).slice(before)).toEqual(['resume'])
  }
  expect((await rowOf(tenant, id))?.unreadMessages).toBe(n)
})

test('who gets it from somebody else gets it awake', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'] })
  const away = async () => {
    const id = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id })
    await as(tenant.agent).post(`/ticketsPause/${id}/pause`, { until: inHours(72) })
    expect((await rowOf(tenant, id))?.pausedAt).not.toBeNull()
    return id
  }
  const change = (id: string, patch: object) => as(tenant.agent).put(`/tickets/${id}`, patch)
  const awake = { status: 'pending', userId: null, pausedAt: null, pausedUntil: null }

  const handed = await away()
  await change(handed, { queueId: tenant.queues.Suporte, isTransference: true, note: 'Veja, por favor' })
  expect(await rowOf(tenant, handed)).toMatchObject({ ...awake, queueId: tenant.queues.Suporte })
  const returned = await away()
  await change(returned, { status: 'pending' })
  expect(await rowOf(tenant, returned)).toMatchObject(awake)
  const labelled = await away()
  await change(labelled, { priority: 'high' })
  expect((await rowOf(tenant, labelled))?.pausedUntil).not.toBeNull()
  expect((await as(tenant.admin).delete(`/users/${tenant.agent.id}`)).status).toBe(204)
  expect(await rowOf(tenant, labelled)).toMatchObject(awake)
})

test('colleagues are invited, see it wherever it is, are told, and leave', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const guest = await createUser(tenant.tenantId, { name: 'Bruno Reis', queueIds: [tenant.queues.Suporte ?? ''] })
  const id = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id })
  const me = as(tenant.agent)
  expect((await as(guest).get(`/tickets/${id}`)).status).toBe(404)

  const share = (...userIds: string[]) => me.post('/ticket-shared', { ticketId: id, userIds })
  expect((await share(guest.id, tenant.agent.id)).body.sharedWith).toEqual([guest.id])
  expect((await share(guest.id)).body.sharedWith).toEqual([guest.id])
  expect(noticesOf(id)).toMatchObject([
    {
      payload: { kind: 'shared', text: 'Ana Souza compartilhou com você a conversa com João da Silva.' },
      audience: { kind: 'users', userIds: [guest.id] },
    },
  ])
  expect((await as(guest).get(`/tickets/${id}`)).status).toBe(200)
  expect((await as(guest).get(`/ticket-shareds/ticket/${id}`)).body.items).toEqual([
    { id: guest.id, name: 'Bruno Reis' },
  ])
  const shared = await as(guest).get('/ticket-shared-user/user')
  expect(shared.body.items.map((one: { id: string }) => one.id)).toEqual([id])
  expect((await me.get('/ticket-shared-user/user')).body.items).toEqual([])

  expect((await as(guest).delete(`/ticket-shared/${id}/${guest.id}`)).status).toBe(204)
  expect((await as(guest).get(`/tickets/${id}`)).status).toBe(404)
  expect(await me.delete(`/ticket-shared/${id}/${guest.id}`)).toMatchObject({ status: 404 })
  expect(await logsOf(tenant.agent, id)).toEqual(['share', 'share'])
  expect(await linesOf(tenant.agent, id)).toEqual([
    'Ana Souza compartilhou o atendimento com Bruno Reis.',
    'Bruno Reis saiu do atendimento.',
  ])
})

test('nobody is invited who cannot attend, of another company, or beyond twenty', async () => {
  const [tenant, other] = [await seedTenant({ queues: ['Vendas'] }), await seedTenant()]
  const blind = await createUser(tenant.tenantId, { menuPermissions: { atendimento: false } })
  const id = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id })
  const share = (userIds: string[]) => as(tenant.agent).post('/ticket-shared', { ticketId: id, userIds })
  const refused = { status: 422, body: { details: [{ path: 'userIds' }] } }
  expect(await share([other.agent.id])).toMatchObject(refused)
  expect(await share([blind.id])).toMatchObject(refused)
  expect((await share([])).status).toBe(422)
  const crowd = await Promise.all(Array.from({ length: 21 }, () => createUser(tenant.tenantId)))
  expect((await share(crowd.slice(0, 20).map((one) => one.id))).body.sharedWith).toHaveLength(20)
  expect(await share([crowd[20]?.id ?? ''])).toMatchObject(refused)
  await as(tenant.agent).put(`/tickets/${id}`, { status: 'closed' })
  expect(await share([tenant.admin.id])).toMatchObject({ status: 409 })
})
