import { blankConfig } from '@balcao/contract/automation/assistants/config.ts'
import { botNames, botStatusKeys } from '@balcao/contract/conversations/tickets.ts'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startWaba, until } from '../src/features/conversations/messages/test-waba.ts'
import { startTestApp } from './kit.ts'

/** The calls under "Tickets" and "Messages", with the bodies that outside callers send. */
const kit = await startTestApp()
const {
  app,
  as,
  seedTenant,
  createUser,
  createContact,
  createConnection,
  createTicket,
  withTenant,
  schema,
  invalidateDirectory,
} = kit
const { schedules } = schema
const tenant = await seedTenant({ queues: ['Vendas'] })
const { admin, agent } = tenant
/** One of each kind, to be turned on and off. */
await withTenant(tenant.tenantId, ({ db }) =>
  db.insert(schema.assistants).values(
    botNames.map((bot) => ({
      ...{ tenantId: tenant.tenantId, name: bot, bot, publishedId: v7() },
      config: blankConfig(),
    })),
  ),
)
invalidateDirectory(tenant.tenantId)

const { connectionId: wabaId, sim: waba } = await startWaba(kit, tenant)
/** What a customer wrote on WhatsApp, where one can react; Meta lets us answer for a day. */
const wamid = await waba.customer({ waId: '5521988880001' }).sendText('Olá')
const heard = await until(async () =>
  withTenant(tenant.tenantId, async ({ db }) => {
    const [row] = await db.select().from(schema.messages).where(eq(schema.messages.providerId, wamid))
    return row
  }),
)
await as(admin).put(`/tickets/${heard.ticketId}`, { status: 'open', userId: admin.id })
let lastNumber = 80_000_000
/** What a call is made on, new for each: an open conversation of the administrator, a waiting and a closed one. */
const sceneOf = async () => {
  lastNumber += 1
  const contactId = await createContact(tenant, { number: `55119${lastNumber}` })
  const connectionId = await createConnection(tenant)
  const ticketId = await createTicket(tenant, { contactId, connectionId, queue: 'Vendas', userId: admin.id })
  const waiting = await createTicket(tenant, { queue: 'Vendas' })
  const theirs = await createTicket(tenant, { queue: 'Vendas', userId: agent.id })
  const shut = await createTicket(tenant, { status: 'closed' })
  const messageId = v7()
  expect((await as(admin).post(`/messages/${ticketId}`, { id: messageId, body: 'Olá' })).status).toBe(200)
  const noteId = v7()
  expect((await as(admin).post(`/messages/${ticketId}`, { id: noteId, type: 'note', body: 'Nota' })).status).toBe(200)
  const paused = await createTicket(tenant, { userId: admin.id })
  await as(admin).post(`/ticketsPause/${paused}/pause`, {})
  const newcomer = await createContact(tenant)
  return {
    heardId: heard.id,
    contactId,
    connectionId,
    wabaId,
    ticketId,
    waiting,
    theirs,
    shut,
    messageId,
    paused,
    newcomer,
    noteId,
  }
}
type Scene = Awaited<ReturnType<typeof sceneOf>>

type Call = [method: string, path: string, body?: (of: Scene) => object]
const calls: Call[] = [
  ['GET', '/tickets?searchParam=&pageNumber=1&status[]=open&status[]=pending&showAll=true&count=true&queuesIds[]='],
  ['GET', '/tickets/:ticketId'],
  ['GET', '/tickets/:ticketId/logs'],
  ['PUT', '/tickets/:waiting', () => ({ status: 'open', userId: admin.id })],
  ['PUT', '/tickets/:ticketId', () => ({ unreadMessages: 0 })],
  ['PUT', '/tickets/:ticketId', () => ({ typebotStatus: false })],
  ['PUT', '/tickets/:waiting', () => ({ typebotStatus: true })],
  ['PUT', '/tickets/:ticketId', () => ({ tags: [], value: 1_000 })],
  [
    'PUT',
    '/tickets/:ticketId',
    () => ({ userId: admin.id, queueId: tenant.queues.Vendas, status: 'open', isTransference: 1 }),
  ],
  ['PUT', '/ticketsForce/:ticketId', () => ({ status: 'close', userId: admin.id })],
  ['PUT', '/ticketsForce/:ticketId'],
  ['PUT', '/ticketsNull/:ticketId', () => ({ status: 'pending', userId: null })],
  ['PUT', '/ticketsNull/:ticketId'],
  ['PUT', '/ticketsChatBot/:waiting', () => ({ bot: 'typebot' })],
  ['PUT', '/ticketsChatBot/:waiting', () => ({ chatFlowId: null })],
  ['PUT', '/ticketsChannelId/:ticketId', (of) => ({ channel: 'waba', whatsappId: of.wabaId })],
  [
    'PUT',
    '/ticketsChannel',
    (of) => ({ whatsappId: of.connectionId, newWhatsappId: of.wabaId, channel: 'webchat', newChannel: 'waba' }),
  ],
  [
    'POST',
    '/tickets',
    (of) => ({
      contactId: of.newcomer,
      status: 'open',
      userId: admin.id,
      channel: 'webchat',
      channelId: of.connectionId,
      isActiveDemand: true,
    }),
  ],
  ['GET', '/ticketsClear'],
  ['GET', '/ticketsMarkAllUnread'],
  ['PUT', '/ticketsUpdateAllUnreadMessages'],
  ['GET', '/ticketscheck/:contactId/:connectionId'],
  ['POST', '/ticketsNotification/:theirs'],
  ['PUT', '/ticketsLastMessageAt'],
  ['POST', '/ticketsPause/:ticketId/pause', () => ({ pauseReason: 'Aguardando' })],
  ['POST', '/ticketsPause/:ticketId/pause'],
  ['POST', '/ticketsPause/:paused/pause/end'],
  ['GET', '/messages/:ticketId?pageNumber=1'],
  ['GET', '/exportMessages/:ticketId?format=text'],
  ['GET', '/messagesContact/:contactId'],
  ['GET', '/searchMessage?searchParam=ola'],
  ['GET', '/scheduleMessages?page=1'],
  ['POST', '/messages/:ticketId', () => ({ id: v7(), body: 'Bom dia' })],
  ['POST', '/messages/:ticketId', () => ({ body: 'Sem número' })],
  [
    'POST',
    '/messagesSchedule',
    ({ contactId, connectionId }) => ({
      contactId,
      connectionId,
      body: 'Oi',
      scheduleDate: new Date(Date.now() + 9e6).toISOString(),
    }),
  ],
  ['PATCH', '/messages/:noteId', () => ({ body: 'Olá!' })],
  ['POST', '/forward-messages', (of) => ({ messages: [of.messageId], contact: of.contactId })],
  [
    'POST',
    '/forward-messages',
    (of) => ({ messages: [{ id: of.messageId }], contact: { id: of.contactId, name: 'João' } }),
  ],
  ['DELETE', '/messages', (of) => ({ id: of.noteId, messageId: null })],
  ['POST', '/messages/syncOld', (of) => ({ ticketId: of.ticketId })],
  ['POST', '/messages/syncOldByUser', (of) => ({ contactId: of.contactId, whatsappId: of.connectionId })],
  ['POST', '/messages/sendBirthday', (of) => ({ whatsappId: of.connectionId, message: 'Parabéns' })],
  ['POST', '/messages/ghostMessage', (of) => ({ id: v7(), ticketId: of.ticketId, body: 'Oi' })],
  [
    'POST',
    '/messages/mentionMessage',
    (of) => ({ id: v7(), ticketId: of.ticketId, body: 'Oi', mentions: ['5511987654321'] }),
  ],
  ['POST', '/messages/mentionAllMessage', (of) => ({ id: v7(), ticketId: of.ticketId, body: 'Oi' })],
  ['POST', '/messages/reactionMessage', (of) => ({ messageId: of.heardId, emoji: '👍' })],
  ['POST', '/messages/editMessage', (of) => ({ messageId: of.noteId, body: 'Oi' })],
  ['POST', '/messages/listParticipants', (of) => ({ ticketId: of.ticketId })],
  ['POST', '/messagesUpdateSyncTime', () => ({ tenantId: tenant.tenantId })],
  ['POST', '/messages/:ticketId/vcard', () => ({ contact: { name: 'Maria' } })],
  ['POST', '/messages/:ticketId/location', () => ({ location: { latitude: -23.5, longitude: -46.6 } })],
  ['POST', '/messages/:ticketId/typing', () => ({ state: 'composing' })],
  ['POST', '/messages/:ticketId/recording', () => ({ state: 'recording' })],
  ['POST', '/messages/:ticketId/paused'],
  ['POST', '/pending/resolvePending', (of) => ({ whatsappId: of.connectionId, action: 'retry' })],
  ['POST', '/noRedis', (of) => ({ id: v7(), ticketId: of.ticketId, body: 'Oi' })],
  [
    'POST',
    '/sendButton',
    (of) => ({
      id: v7(),
      ticketId: of.ticketId,
      body: 'Como prefere?',
      interactive: { kind: 'buttons', options: [{ id: 's', title: 'Sim' }] },
    }),
  ],
]

/** What no channel of today can do. Each gets its success with the channels named here. */
const withSessions = { error: 'ERR_CHANNEL_UNSUPPORTED', comesWith: 'WhatsApp sessions: groups and older messages' }
const later: Record<string, typeof withSessions> = {
  'POST /messages/syncOld': withSessions,
  'POST /messages/syncOldByUser': withSessions,
  'POST /messagesUpdateSyncTime': withSessions,
  'POST /messages/listParticipants': withSessions,
  'POST /messages/mentionMessage': withSessions,
  'POST /messages/mentionAllMessage': withSessions,
  'POST /messages/ghostMessage': withSessions,
}

test.each(calls)(
  '%s %s does what the specification says, with a slash at its end too',
  async (method, path, bodyOf) => {
    for (const slash of ['', '/']) {
      const scene = await sceneOf()
      const call = path.replace(/:(\w+)/g, (_, name: string) => scene[name as keyof Scene] ?? '')
      const url = call.includes('?') ? call.replace('?', `${slash}?`) : call + slash
      const reply = await app.inject({
        method: method as 'GET',
        url: `/api${url}`,
        headers: { authorization: `Bearer ${admin.token}` },
        ...(bodyOf && { payload: bodyOf(scene) }),
      })
      const known = later[`${method} ${path}`]
      if (known) expect(reply.json().error).toBe(known.error)
      else expect(reply.statusCode, reply.body).toBeLessThan(300)
    }
  },
)

test('a ticket answers the twelve flags, who takes part and what is scheduled by their names', async () => {
  const { waiting, ticketId, contactId, connectionId } = await sceneOf()
  await as(admin).post('/messagesSchedule', {
    contactId,
    connectionId,
    body: 'Até amanhã',
    scheduleDate: new Date(Date.now() + 9e6).toISOString(),
  })
  expect((await as(admin).get(`/tickets/${ticketId}`)).body.scheduledMessages).toMatchObject([
    { body: 'Até amanhã', status: 'pending', mediaName: null },
  ])
  for (const key of botStatusKeys) {
    const on = (await as(admin).put(`/tickets/${waiting}`, { [key]: true })).body
    expect(botStatusKeys.filter((one) => on[one])).toEqual([key])
    expect((await as(admin).get(`/tickets/${waiting}`)).body[key]).toBe(true)
  }
  const share = (ids: string[]) => as(admin).put(`/tickets/${ticketId}`, { groupUserIdArray: ids })
  expect((await share([agent.id, tenant.supervisor.id])).body.groupUserIdArray).toEqual([
    agent.id,
    tenant.supervisor.id,
  ])
  expect((await share([agent.id])).body).toMatchObject({ groupUserIdArray: [agent.id], sharedWith: [agent.id] })
  expect((await share([v7()])).status).toBe(422)
  expect((await share([])).body.groupUserIdArray).toEqual([])
  expect(await as(admin).put(`/tickets/${ticketId}`, { protocol: 'x' })).toMatchObject({
    status: 422,
    body: { details: [{ message: expect.stringContaining('protocol') }] },
  })
})

test('a message answers its ticket, the name of its file and when it was due', async () => {
  const { ticketId, messageId } = await sceneOf()
  const [first] = (await as(admin).get(`/messages/${ticketId}`)).body.items.filter(
    (one: { id: string }) => one.id === messageId,
  )
  expect(first).toMatchObject({ ticket: { id: ticketId }, mediaName: null, scheduleDate: null })
})

test('a file and a time that a message was to go out at are told by their names', async () => {
  const { ticketId, contactId, connectionId } = await sceneOf()
  const { storeFile } = await import('../src/features/core/media/media.service.ts')
  const { tenantId } = tenant
  const stored = await storeFile({ tenantId, userId: admin.id, bytes: Buffer.from('a'), name: 'orçamento.txt' })
  const sent = await as(admin).post(`/messages/${ticketId}`, { id: v7(), type: 'document', mediaId: stored.id })
  expect(sent.body).toMatchObject({ mediaName: 'orçamento.txt', scheduleDate: null })

  const scheduleDate = new Date(Date.now() + 9e6).toISOString()
  const schedule = await as(admin).post('/messagesSchedule', { contactId, connectionId, body: 'Oi', scheduleDate })
  expect(schedule.status).toBeLessThan(300)
  const now = await as(admin).put(`/tickets/${ticketId}`, { unreadMessages: 1 })
  expect(now.body.scheduledMessages).toMatchObject([{ body: 'Oi' }])
  await withTenant(tenantId, async ({ db }) => {
    const messageId = sent.body.id
    await db.update(schema.messages).set({ sendType: 'schedule' }).where(eq(schema.messages.id, messageId))
    await db.update(schedules).set({ messageId }).where(eq(schedules.contactId, contactId))
  })
  const [read] = (await as(admin).get(`/messages/${ticketId}`)).body.items.filter(
    (one: { id: string }) => one.id === sent.body.id,
  )
  expect(read).toMatchObject({ mediaName: 'orçamento.txt', scheduleDate })
})

test('sharing and the rest of one call are done together or not at all', async () => {
  const { ticketId } = await sceneOf()
  const both = { groupUserIdArray: [agent.id], queueId: v7() }
  expect((await as(admin).put(`/tickets/${ticketId}`, both)).status).toBe(422)
  expect((await as(admin).get(`/tickets/${ticketId}`)).body.groupUserIdArray).toEqual([])
  const { version } = (await as(admin).get(`/tickets/${ticketId}`)).body
  const fine = { groupUserIdArray: [agent.id], priority: 'high', version }
  expect(await as(admin).put(`/tickets/${ticketId}`, fine)).toMatchObject({
    status: 200,
    body: { groupUserIdArray: [agent.id], priority: 'high' },
  })
  const late = { groupUserIdArray: [], version }
  expect((await as(admin).put(`/tickets/${ticketId}`, late)).body.error).toBe('ERR_CONFLICT')
  expect((await as(admin).get(`/tickets/${ticketId}`)).body.groupUserIdArray).toEqual([agent.id])
})

test('with their menus hidden the names that other screens need stay readable, in short; what is behind does not', async () => {
  const company = await seedTenant({ queues: ['Vendas'] })
  await as(company.admin).post('/tags', { name: 'VIP', color: '#112233' })
  await as(company.admin).post('/reasons', { name: 'Venda' })
  await as(company.admin).post('/places', { name: 'Loja', address: 'Rua A, 1' })
  const hidden = { filas: false, etiquetas: false, motivos: false, usuarios: false, sessoes: false, lojas: false }
  const person = await createUser(company.tenantId, { profile: 'admin', menuPermissions: hidden })
  const names = async (path: string) => {
    const { status, body } = await as(person).get(path)
    const items: { name: string }[] = Array.isArray(body) ? body : body.items
    return [status, items.map(({ name }) => name)]
  }
  expect(await names('/queue')).toEqual([200, ['Vendas']])
  expect(await names('/tags')).toEqual([200, ['VIP']])
  expect(await names('/reasons')).toEqual([200, ['Venda']])
  expect(await names('/places')).toEqual([200, ['Loja']])
  expect((await names('/users/options'))[0]).toBe(200)
  const [option] = (await as(person).get('/users/options')).body
  expect(option).not.toHaveProperty('email')
  expect((await as(person).get('/whatsapp')).status).toBe(200)
  for (const [method, path] of [
    ['GET', '/users'],
    ['GET', `/users/${company.agent.id}`],
    ['POST', '/queue'],
    ['POST', '/tags'],
    ['POST', '/reasons'],
    ['POST', '/places'],
    ['GET', '/pending'],
  ] as const)
    expect((await as(person).send(method, path, method === 'GET' ? undefined : {})).status, path).toBe(403)
})

test('typing, recording and pausing are refused to whoever may not see the conversation', async () => {
  const elsewhere = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const id = await createTicket(elsewhere, { queue: 'Suporte' })
  for (const sign of ['typing', 'recording', 'paused'])
    expect((await as(elsewhere.agent).post(`/messages/${id}/${sign}`)).status, sign).toBe(404)
})

const contactId = await createContact(tenant)
const connectionId = await createConnection(tenant)

test('a forced close closes, and nothing else', async () => {
  const id = await createTicket(tenant, { userId: admin.id })
  expect(await as(admin).put(`/ticketsForce/${id}`, { status: 'open', userId: admin.id })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'status' }] },
  })
  expect((await as(admin).put(`/ticketsForce/${id}`, { status: 'closed' })).body).toMatchObject({ status: 'closed' })
})

test('tags, the reason and the farewell are known by their older names too', async () => {
  const tag = (await as(admin).post('/tags', { name: 'VIP', color: '#112233' })).body
  const reason = (await as(admin).post('/reasons', { name: 'Venda' })).body
  const id = await createTicket(tenant, { userId: admin.id })
  expect((await as(admin).put(`/tickets/${id}`, { tags: [{ id: tag.id, name: 'VIP' }] })).body.tags).toMatchObject([
    { id: tag.id },
  ])
  const closed = await as(admin).put(`/tickets/${id}`, {
    status: 'closed',
    reasons: [reason.id],
    isFarewellMessage: false,
  })
  expect(closed.body).toMatchObject({ status: 'closed', reason: { id: reason.id } })
})

test('a conversation may be begun for a colleague, who must be able to serve it', async () => {
  const start = async (userId: string) =>
    as(admin).post('/tickets', {
      contactId: await createContact(tenant),
      channelId: connectionId,
      status: 'open',
      userId,
    })
  expect(await start(agent.id)).toMatchObject({ status: 201, body: { status: 'open', userId: agent.id } })
  const menuless = await createUser(tenant.tenantId, { menuPermissions: { atendimento: false } })
  for (const userId of [v7(), menuless.id])
    expect(await start(userId)).toMatchObject({ status: 422, body: { details: [{ path: 'userId' }] } })
})

test('the second page of the scheduled messages may be asked for as page', async () => {
  const dueAt = new Date(Date.now() + 9e8)
  await withTenant(tenant.tenantId, ({ db }) =>
    db.insert(schedules).values(
      Array.from({ length: 41 }, () => ({
        tenantId: tenant.tenantId,
        contactId,
        connectionId,
        body: 'x',
        dueAt,
        attemptAt: dueAt,
        wallTime: '2026-01-01T10:00',
        timeZone: 'UTC',
        createdBy: admin.id,
      })),
    ),
  )
  const page = async (query: string) => (await as(admin).get(`/scheduleMessages?${query}`)).body.items
  expect((await page('page=2')).length).toBeGreaterThan(0)
  expect(await page('page=2')).toEqual(await page('pageNumber=2'))
})
