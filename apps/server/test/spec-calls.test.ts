import { v7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { startTestApp } from './kit.ts'

/** The calls of spec §7 under "Tickets" and "Messages", with the bodies it and domain §4.3 and §5.2 name for them. */
const { app, as, seedTenant, createUser, createContact, createConnection, createTicket, withTenant, schema } =
  await startTestApp()
const { schedules } = schema
const tenant = await seedTenant({ queues: ['Vendas'] })
const { admin, agent } = tenant
const contactId = await createContact(tenant)
const connectionId = await createConnection(tenant)
const ticketId = await createTicket(tenant, { contactId, connectionId, queue: 'Vendas', userId: admin.id })
const messageId = v7()
const shut = await createTicket(tenant, { status: 'closed' })

beforeAll(async () => {
  await as(admin).post('/messages/:ticketId', { id: messageId, body: 'Olá' })
})

type Call = [method: string, path: string, body?: object]
const calls: Call[] = [
  ['GET', '/tickets?searchParam=&pageNumber=1&status[]=open&status[]=pending&showAll=true&count=true&queuesIds[]='],
  ['GET', '/tickets/:ticketId'],
  ['GET', '/tickets/:ticketId/logs'],
  ['PUT', '/tickets/:ticketId', { status: 'open', userId: admin.id }],
  ['PUT', '/tickets/:ticketId', { unreadMessages: 0 }],
  ['PUT', '/tickets/:ticketId', { typebotStatus: false }],
  ['PUT', '/tickets/:ticketId', { tags: [], value: 1_000 }],
  ['PUT', '/tickets/:ticketId', { userId: admin.id, queueId: tenant.queues.Vendas, status: 'open', isTransference: 1 }],
  ['PUT', '/ticketsForce/:shut', { status: 'close', userId: admin.id }],
  ['PUT', '/ticketsForce/:shut'],
  ['PUT', '/ticketsNull/:shut', { status: 'pending', userId: null }],
  ['PUT', '/ticketsNull/:shut'],
  ['PUT', '/ticketsChatBot/:shut', { chatFlowId: null }],
  ['PUT', '/ticketsChannelId/:ticketId', { channel: 'webchat', whatsappId: connectionId }],
  ['PUT', '/ticketsChannel', { whatsappId: v7(), newWhatsappId: v7(), channel: 'webchat', newChannel: 'webchat' }],
  [
    'POST',
    '/tickets',
    { contactId, status: 'open', userId: admin.id, channel: 'webchat', channelId: connectionId, isActiveDemand: true },
  ],
  ['GET', '/ticketsClear'],
  ['GET', '/ticketsMarkAllUnread'],
  ['PUT', '/ticketsUpdateAllUnreadMessages'],
  ['GET', '/ticketscheck/:contactId/:connectionId'],
  ['POST', '/ticketsNotification/:ticketId'],
  ['PUT', '/ticketsLastMessageAt'],
  ['POST', '/ticketsPause/:ticketId/pause', { pauseReason: 'Aguardando' }],
  ['POST', '/ticketsPause/:ticketId/pause'],
  ['POST', '/ticketsPause/:ticketId/pause/end'],
  ['GET', '/messages/:ticketId?pageNumber=1'],
  ['GET', '/exportMessages/:ticketId?format=text'],
  ['GET', '/messagesContact/:contactId'],
  ['GET', '/searchMessage?searchParam=ola'],
  ['GET', '/scheduleMessages?page=1'],
  ['POST', '/messages/:ticketId', { id: v7(), body: 'Bom dia' }],
  [
    'POST',
    '/messagesSchedule',
    { contactId, connectionId, body: 'Oi', scheduleDate: new Date(Date.now() + 9e6).toISOString() },
  ],
  ['PATCH', '/messages/:messageId', { body: 'Olá!' }],
  ['POST', '/forward-messages', { messages: [messageId], contact: contactId }],
  ['POST', '/forward-messages', { messages: [{ id: messageId }], contact: { id: contactId, name: 'João' } }],
  ['DELETE', '/messages', { id: messageId, messageId: null }],
  ['POST', '/messages/syncOld', { ticketId }],
  ['POST', '/messages/syncOldByUser', { contactId, whatsappId: connectionId }],
  ['POST', '/messages/sendBirthday', { whatsappId: connectionId, message: 'Parabéns' }],
  ['POST', '/messages/ghostMessage', { id: v7(), ticketId, body: 'Oi' }],
  ['POST', '/messages/mentionMessage', { id: v7(), ticketId, body: 'Oi', mentions: ['5511987654321'] }],
  ['POST', '/messages/mentionAllMessage', { id: v7(), ticketId, body: 'Oi' }],
  ['POST', '/messages/reactionMessage', { messageId, emoji: '👍' }],
  ['POST', '/messages/editMessage', { messageId, body: 'Oi' }],
  ['POST', '/messages/listParticipants', { ticketId }],
  ['POST', '/messagesUpdateSyncTime', { tenantId: tenant.tenantId }],
  ['POST', '/messages/:ticketId/vcard', { contact: { name: 'Maria' } }],
  ['POST', '/messages/:ticketId/location', { location: { latitude: -23.5, longitude: -46.6 } }],
  ['POST', '/messages/:ticketId/typing', { state: 'composing' }],
  ['POST', '/messages/:ticketId/recording', { state: 'recording' }],
  ['POST', '/messages/:ticketId/paused'],
  ['POST', '/pending/resolvePending', { whatsappId: connectionId, action: 'retry' }],
  ['POST', '/noRedis', { id: v7(), ticketId, body: 'Oi' }],
  [
    'POST',
    '/sendButton',
    {
      id: v7(),
      ticketId,
      body: 'Como prefere?',
      interactive: { kind: 'buttons', options: [{ id: 's', title: 'Sim' }] },
    },
  ],
]

const ids: Record<string, string> = { ticketId, shut, contactId, connectionId, messageId }

test.each(calls)(
  '%s %s is there, with a slash at its end too, and takes the body of the specification',
  async (method, path, payload) => {
    const call = path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '')
    for (const url of [call, call.includes('?') ? call.replace('?', '/?') : `${call}/`]) {
      const reply = await app.inject({
        method: method as 'GET',
        url: `/api${url}`,
        headers: { authorization: `Bearer ${admin.token}` },
        ...(payload && { payload }),
      })
      // What the state of the conversation, or the channel, does not allow is a refusal of its own.
      const refusal = reply.statusCode < 400 ? '' : reply.json().error
      expect(['ERR_NOT_FOUND', 'ERR_VALIDATION', 'ERR_INTERNAL']).not.toContain(refusal)
    }
  },
)

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
