import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, withTenant, schema } = kit

const addMessage = async (
  tenantId: number,
  of: { ticketId: string; contactId: string; connectionId: string },
  more: Partial<typeof schema.messages.$inferInsert> = {},
) => {
  const id = v7()
  await withTenant(tenantId, (tx) =>
    tx.db.insert(schema.messages).values({
      tenantId,
      id,
      ...of,
      fromMe: false,
      type: 'text',
      body: 'oi',
      status: 'received',
      timestamp: new Date(),
      ...more,
    }),
  )
  return id
}

test('the history of a contact goes over all the conversations one may see', async () => {
  const tenant = await kit.seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const contactId = await kit.createContact(tenant)
  const connectionId = await kit.createConnection(tenant)
  const of = { contactId, connectionId }
  const old = await kit.createTicket(tenant, { ...of, queue: 'Vendas', status: 'closed' })
  const hidden = await kit.createTicket(tenant, { ...of, queue: 'Suporte', status: 'closed' })
  const now = await kit.createTicket(tenant, { ...of, queue: 'Vendas' })
  for (const [ticketId, body] of [
    [old, 'antes'],
    [hidden, 'escondido'],
    [now, 'agora'],
  ] as const)
    await addMessage(tenant.tenantId, { ...of, ticketId }, { body })

  const whole = await as(tenant.agent).get(`/messagesContact/${contactId}`)
  expect(whole.body.items.map((one: { body: string }) => one.body)).toEqual(['antes', 'agora'])
  expect(whole.body.tickets.map((one: { id: string }) => one.id)).toEqual([old, now])

  const last = await as(tenant.admin).get(`/messagesContact/${contactId}?limit=1`)
  expect(last.body.items[0].body).toBe('agora')
  const before = await as(tenant.admin).get(`/messagesContact/${contactId}?limit=1&before=${last.body.nextCursor}`)
  expect(before.body.items[0].body).toBe('escondido')
  expect((await as(tenant.agent).get(`/messagesContact/${v7()}`)).body.error).toBe('ERR_NO_CONTACT_FOUND')
})

test('the history tells over which connection each was said, and shows those of one', async () => {
  const tenant = await kit.seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const contactId = await kit.createContact(tenant, { number: '5511970004321' })
  const [whatsapp, second, secret] = [
    await kit.createConnection(tenant, { kind: 'waba', name: 'Loja' }),
    await kit.createConnection(tenant, { kind: 'waba', name: 'Suporte' }),
    await kit.createConnection(tenant, { kind: 'waba', name: 'Diretoria' }),
  ]
  const ticketId = await kit.createTicket(tenant, { contactId, connectionId: whatsapp, userId: tenant.agent.id })
  const hidden = await kit.createTicket(tenant, { contactId, connectionId: secret, queue: 'Suporte' })
  await addMessage(tenant.tenantId, { contactId, ticketId: hidden, connectionId: secret }, { body: 'escondido' })
  await addMessage(tenant.tenantId, { contactId, ticketId, connectionId: whatsapp }, { body: 'pela loja' })
  await as(tenant.agent).put(`/ticketsChannelId/${ticketId}`, { whatsappId: second })
  await addMessage(tenant.tenantId, { contactId, ticketId, connectionId: second }, { body: 'pelo suporte' })

  const read = async (query = '') => (await as(tenant.agent).get(`/messagesContact/${contactId}${query}`)).body
  const whole = await read()
  expect(whole.connections).toEqual([
    { id: whatsapp, name: 'Loja', channel: 'waba' },
    { id: second, name: 'Suporte', channel: 'waba' },
  ])
  const texts = ({ items }: { items: { type: string; body: string; whatsappId: string }[] }) =>
    items.flatMap(({ type, body, whatsappId }) => (type === 'text' ? [[body, whatsappId]] : []))
  expect(texts(whole)).toEqual([
    ['pela loja', whatsapp],
    ['pelo suporte', second],
  ])
  expect(texts(await read(`?whatsappIds=${whatsapp}`))).toEqual([['pela loja', whatsapp]])
  expect(texts(await read(`?whatsappIds=${secret}`))).toEqual([])
})

test('a star is of one person, of a message one may see, and listed newest first', async () => {
  const tenant = await kit.seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const contactId = await kit.createContact(tenant)
  const connectionId = await kit.createConnection(tenant)
  const of = {
    contactId,
    connectionId,
    ticketId: await kit.createTicket(tenant, { contactId, connectionId, queue: 'Vendas' }),
  }
  const [one, two] = [
    await addMessage(tenant.tenantId, of, { body: 'um' }),
    await addMessage(tenant.tenantId, of, { body: 'dois' }),
  ]
  const hiddenTicket = await kit.createTicket(tenant, { queue: 'Suporte' })
  const hidden = await addMessage(tenant.tenantId, { ...of, ticketId: hiddenTicket })

  for (const id of [one, two, one]) expect((await as(tenant.agent).post(`/messages/${id}/star`)).status).toBe(204)
  expect((await as(tenant.agent).post(`/messages/${hidden}/star`)).status).toBe(404)

  const list = async (user: { token: string }, query = '') =>
    (await as(user).get(`/messages/starred${query}`)).body.items.map((row: { body: string }) => row.body)
  expect(await list(tenant.agent)).toEqual(['dois', 'um'])
  expect(await list(tenant.agent, `?ticketId=${hiddenTicket}`)).toEqual([])
  expect(await list(tenant.admin)).toEqual([])
  await as(tenant.agent).delete(`/messages/${two}/star`)
  expect(await list(tenant.agent)).toEqual(['um'])
})

test('what a message said before is there for the team', async () => {
  const tenant = await kit.seedTenant({ queues: ['Vendas'] })
  const connectionId = await kit.createConnection(tenant)
  const contactId = await kit.createContact(tenant)
  const ticketId = await kit.createTicket(tenant, { contactId, connectionId, userId: tenant.agent.id, queue: 'Vendas' })
  const id = v7()
  await as(tenant.agent).post(`/messages/${ticketId}`, { id, type: 'note', body: 'primeira' })

  const edited = await as(tenant.agent).post('/messages/editMessage', { messageId: id, body: 'segunda' })
  await as(tenant.agent).post('/messages/editMessage', { messageId: id, body: 'terceira' })

  expect(edited.body).toMatchObject({ body: 'segunda' })
  const { body } = await as(tenant.admin).get(`/messages/${id}/edits`)
  expect(body.edits.map((one: { body: string }) => one.body)).toEqual(['primeira', 'segunda'])
})

test('the other ways to send are the one way to send', async () => {
  const tenant = await kit.seedTenant({ queues: ['Vendas'] })
  const ticketId = await kit.createTicket(tenant, { userId: tenant.agent.id, queue: 'Vendas' })
  const { post } = as(tenant.agent)

  expect((await post('/noRedis', { ticketId, id: v7(), body: 'já' })).status).toBe(403) // not for whoever only attends
  expect((await as(tenant.admin).post('/noRedis', { ticketId, id: v7(), body: 'já' })).body).toMatchObject({
    body: 'já',
    status: 'queued',
  })
  const trail = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.audit))
  expect(trail).toMatchObject([{ action: 'message.direct', entityId: ticketId, userId: tenant.admin.id }])
  const card = await post(`/messages/${ticketId}/vcard`, { contact: { name: 'Maria', phones: ['+5511999990000'] } })
  expect(card.body).toMatchObject({ type: 'contact', contacts: [{ name: 'Maria' }] })
  const place = await post(`/messages/${ticketId}/location`, { location: { latitude: -23.5, longitude: -46.6 } })
  expect(place.body).toMatchObject({ type: 'location', location: { latitude: -23.5 } })
})

test('what no channel of ours can do is said in a clear sentence', async () => {
  const tenant = await kit.seedTenant({ queues: ['Vendas'] })
  const contactId = await kit.createContact(tenant)
  const connectionId = await kit.createConnection(tenant, { kind: 'telegram' })
  const ticketId = await kit.createTicket(tenant, { userId: tenant.agent.id, queue: 'Vendas', connectionId, contactId })
  const { post } = as(tenant.admin)
  const said = { ticketId, id: v7(), body: 'Oi, pessoal' }
  for (const [path, body] of [
    ['/messages/listParticipants', { ticketId }],
    ['/messages/ghostMessage', said],
    ['/messages/mentionAllMessage', said],
    ['/messages/mentionMessage', { ...said, mentions: ['5511'] }],
    ['/messages/syncOld', { ticketId }],
    ['/messages/syncOldByUser', { contactId, whatsappId: connectionId }],
    ['/messagesUpdateSyncTime', { whatsappId: connectionId }],
  ] as const) {
    const reply = await post(path, body)
    expect(reply, path).toMatchObject({ status: 422, body: { error: 'ERR_CHANNEL_UNSUPPORTED' } })
    expect(reply.body.message).toContain('Telegram')
  }
})

test('what is stuck is counted, sent again where the conversation is open, or given up', async () => {
  const tenant = await kit.seedTenant({ queues: ['Vendas'] })
  const connectionId = await kit.createConnection(tenant)
  const make = async (status: 'open' | 'closed') => {
    const contactId = await kit.createContact(tenant)
    const ticketId = await kit.createTicket(tenant, { contactId, connectionId, queue: 'Vendas', status })
    return { contactId, connectionId, ticketId }
  }
  const [open, closed] = [await make('open'), await make('closed')]
  const [failed, unsure] = [
    await addMessage(tenant.tenantId, open, { fromMe: true, status: 'failed', error: 'x', attempts: 6 }),
    await addMessage(tenant.tenantId, closed, { fromMe: true, status: 'uncertain' }),
  ]
  const { get, post } = as(tenant.admin)
  const read = (id: string) =>
    withTenant(
      tenant.tenantId,
      async (tx) => (await tx.db.select().from(schema.messages).where(eq(schema.messages.id, id)))[0],
    )

  expect((await get('/pending')).body.items).toEqual([{ whatsappId: connectionId, failed: 1, uncertain: 1 }])
  expect((await as(tenant.agent).get('/pending')).status).toBe(403)
  const retried = await post('/pending/resolvePending', { whatsappId: connectionId, action: 'retry' })
  expect(retried.body).toEqual({ done: 1, left: 1, hasMore: false })
  expect(await read(failed)).toMatchObject({ status: 'queued', error: null, attempts: 0, version: 2 })
  const dropped = await post('/pending/resolvePending', { whatsappId: connectionId, action: 'drop' })
  expect(dropped.body).toEqual({ done: 1, left: 0, hasMore: false })
  expect(await read(unsure)).toMatchObject({ isDeleted: true })
  expect((await get('/pending')).body.items).toEqual([])
})

test('a birthday is congratulated once a year, where the contact can be reached', async () => {
  const tenant = await kit.seedTenant()
  const connectionId = await kit.createConnection(tenant, { kind: 'telegram' })
  const [month, day] = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/Sao_Paulo',
    month: '2-digit',
    day: '2-digit',
  })
    .format(new Date())
    .split('/')
  const born = async (name: string, birthdayDate: string, identity?: string) => {
    const { body } = await as(tenant.admin).post('/contacts', { name, birthdayDate })
    if (identity)
      await withTenant(tenant.tenantId, (tx) =>
        tx.db
          .insert(schema.contactIdentities)
          .values({ tenantId: tenant.tenantId, kind: 'telegram', value: identity, contactId: body.id }),
      )
    return body.id
  }
  const ana = await born('Ana', `1990-${month}-${day}`, '1')
  await born('Bia', `1985-${month}-${day}`)
  await born('Caio', `1985-${month === '01' ? '02' : '01'}-10`, '3')

  const today = await as(tenant.agent).get('/contactsBirthday')
  expect(today.body.items).toMatchObject([
    { name: 'Ana', isGreeted: false, birthdayDate: `1990-${month}-${day}` },
    { name: 'Bia' },
  ])

  const send = () =>
    as(tenant.agent).post('/messages/sendBirthday', { whatsappId: connectionId, message: 'Parabéns, {{firstName}}!' })
  expect((await send()).body).toMatchObject({ sent: 1, skipped: [{ contact: { name: 'Bia' } }] })
  expect((await send()).body.sent).toBe(0)
  const rows = await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .select()
      .from(schema.audience)
      .where(and(eq(schema.audience.tenantId, tenant.tenantId), eq(schema.audience.contactId, ana))),
  )
  expect(rows).toHaveLength(1)
  expect((await as(tenant.agent).get('/contactsBirthday')).body.items[0]).toMatchObject({
    name: 'Ana',
    isGreeted: true,
  })
})

test('on WhatsApp a birthday is congratulated within the 24 hours of the contact’s last word', async () => {
  const tenant = await kit.seedTenant()
  const connectionId = await kit.createConnection(tenant, { kind: 'waba' })
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(new Date())
  const heard = async (number: string, hoursAgo?: number) => {
    const contactId = await kit.createContact(tenant, { name: number, number })
    await as(tenant.admin).put(`/contacts/${contactId}`, { birthdayDate: `2000${today.slice(4)}` })
    if (hoursAgo === undefined) return
    const ticketId = await kit.createTicket(tenant, { contactId, connectionId, status: 'closed' })
    await withTenant(tenant.tenantId, (tx) =>
      tx.db
        .update(schema.tickets)
        .set({ lastInboundAt: new Date(Date.now() - hoursAgo * 3_600_000) })
        .where(eq(schema.tickets.id, ticketId)),
    )
  }
  await heard('5511987650001', 1)
  await heard('5511987650002', 30)
  await heard('5511987650003')
  const reply = await as(tenant.agent).post('/messages/sendBirthday', {
    whatsappId: connectionId,
    message: 'Parabéns!',
  })
  expect(reply).toMatchObject({
    status: 200,
    body: { sent: 1, skipped: [{ contact: { name: '5511987650002' } }, { contact: { name: '5511987650003' } }] },
  })
})
