import { messagePage } from '@balcao/contract/conversations/messages.ts'
import { desc, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const {
  as,
  seedTenant,
  createUser,
  createContact,
  createConnection,
  createTicket,
  withTenant,
  schema,
  statementCount,
  invalidateDirectory,
} = await startTestApp()
const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
const { agent } = tenant
const connectionId = await createConnection(tenant)

const openTicket = async (more: object = {}) =>
  createTicket(tenant, { connectionId, queue: 'Vendas', userId: agent.id, ...more })
const text = (body: string, more: object = {}) => ({ id: v7(), body, ...more })
const ticketOf = async (id: string) => {
  const [row] = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.tickets).where(eq(schema.tickets.id, id)),
  )
  if (!row) throw new Error('no ticket')
  return row
}
const receive = async (ticketId: string, body: string) => {
  const ticket = await ticketOf(ticketId)
  const [row] = await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .insert(schema.messages)
      .values({
        tenantId: tenant.tenantId,
        ticketId,
        contactId: ticket.contactId,
        connectionId: ticket.connectionId,
        fromMe: false,
        type: 'text',
        body,
        status: 'received',
        providerId: v7(),
        timestamp: new Date(),
      })
      .returning(),
  )
  if (!row) throw new Error('not stored')
  return row
}

test('a message is queued and the ticket knows: answered, nobody waits, last message', async () => {
  const ticketId = await openTicket()
  const reply = await as(agent).post(`/messages/${ticketId}`, text('Bom dia'))
  expect(reply).toMatchObject({
    status: 200,
    body: { status: 'queued', body: 'Bom dia', fromMe: true, user: { id: agent.id } },
  })
  expect(reply.body.seq).toBeGreaterThan(0)
  expect(await ticketOf(ticketId)).toMatchObject({
    answered: true,
    waitingSince: null,
    lastMessage: 'Bom dia',
    version: 2,
  })
})

test('a page holds what the contract names and nothing else, whatever is kept with a message', async () => {
  const ticketId = await openTicket()
  await receive(ticketId, 'Bom dia')
  await as(agent).post(`/messages/${ticketId}`, text('Olá'))
  const { id } = await receive(ticketId, 'Onde fica?')
  const more = { segredo: 'do provedor' }
  const reactions = [{ emoji: '👍', fromMe: false, userId: null, ...more }]
  const location = { latitude: -23.5, longitude: -46.6, name: 'Loja', address: 'Rua das Flores, 100', ...more }
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.messages).set({ reactions, location }).where(eq(schema.messages.id, id)),
  )
  const { body } = await as(agent).get(`/messages/${ticketId}`)
  expect(body.items).toHaveLength(3)
  expect(body).toEqual(messagePage.parse(body))
  expect(body.items.at(-1)).toMatchObject({ location: { name: 'Loja' }, reactions: [{ emoji: '👍' }] })
})

test('the ticket names who of the team wrote last, in reads, lists and events', async () => {
  const colleague = await createUser(tenant.tenantId, { name: 'Bruno Reis', queueIds: [tenant.queues.Vendas ?? ''] })
  const ticketId = await openTicket()
  const face = async () => (await as(agent).get(`/tickets/${ticketId}`)).body
  expect(await face()).toMatchObject({ lastAuthor: null })

  await as(colleague).post(`/messages/${ticketId}`, text('Posso ajudar?'))
  const written = { lastMessage: 'Posso ajudar?', lastAuthor: { id: colleague.id, name: 'Bruno Reis' } }
  expect(await face()).toMatchObject(written)
  const { items } = (await as(agent).get('/tickets')).body
  expect(items.find((one: { id: string }) => one.id === ticketId)).toMatchObject(written)
  const [event] = await withTenant(tenant.tenantId, ({ db }) =>
    db.select().from(schema.outbox).orderBy(desc(schema.outbox.seq)).limit(1),
  )
  expect(event?.payload).toMatchObject({ ticket: { id: ticketId, ...written } })

  await as(colleague).post(`/messages/${ticketId}`, text('só entre nós', { type: 'note' }))
  await as(agent).post(`/messages/${ticketId}`, text('Sou eu agora'))
  expect(await face()).toMatchObject({ lastMessage: 'Sou eu agora', lastAuthor: { id: agent.id } })

  await withTenant(tenant.tenantId, async (tx) => {
    const before = await ticketOf(ticketId)
    await tx.db.update(schema.tickets).set({ lastAuthorId: colleague.id }).where(eq(schema.tickets.id, before.id))
  })
  await as(tenant.admin).put('/ticketsLastMessageAt')
  expect(await face()).toMatchObject({ lastAuthor: { id: agent.id } })
})

test('the same id twice, and twenty times at once, is one message; elsewhere it is a conflict', async () => {
  const ticketId = await openTicket()
  const message = text('uma vez')
  const replies = await Promise.all(Array.from({ length: 20 }, () => as(agent).post(`/messages/${ticketId}`, message)))
  expect(new Set(replies.map((reply) => `${reply.status} ${reply.body.id} ${reply.body.seq}`)).size).toBe(1)
  const page = await as(agent).get(`/messages/${ticketId}`)
  expect(page.body.items).toHaveLength(1)
  expect(await as(agent).post(`/messages/${await openTicket()}`, message)).toMatchObject({
    status: 409,
    body: { error: 'ERR_DUPLICATED' },
  })
})

test('whoever may not see the ticket finds none; a stranger neither', async () => {
  const ticketId = await openTicket({ queue: 'Suporte', userId: tenant.supervisor.id })
  const stranger = (await seedTenant()).admin
  for (const caller of [agent, stranger]) {
    expect(await as(caller).post(`/messages/${ticketId}`, text('oi'))).toMatchObject({
      status: 404,
      body: { error: 'ERR_NO_TICKET_FOUND' },
    })
    expect(await as(caller).get(`/messages/${ticketId}`)).toMatchObject({ status: 404 })
    expect(await as(caller).post(`/messages/${ticketId}/read`)).toMatchObject({ status: 404 })
    expect(await as(caller).post(`/messages/${ticketId}/typing`)).toMatchObject({ status: 404 })
  }
})

test('closed and pending tickets take no answer; a pending one takes a note', async () => {
  expect(await as(agent).post(`/messages/${await openTicket({ status: 'closed' })}`, text('oi'))).toMatchObject({
    status: 409,
    body: { error: 'ERR_TICKET_CLOSED' },
  })
  const pending = await createTicket(tenant, { connectionId, queue: 'Vendas' })
  expect(await as(agent).post(`/messages/${pending}`, text('oi'))).toMatchObject({
    status: 409,
    body: { error: 'ERR_INVALID_TRANSITION', message: 'Aceite o atendimento antes de responder.' },
  })
  expect(await as(agent).post(`/messages/${pending}`, text('ligar antes', { type: 'note' }))).toMatchObject({
    status: 200,
    body: { type: 'note', status: 'received' },
  })
  expect(await ticketOf(pending)).toMatchObject({ lastMessage: '', version: 1 })
})

test('what the channel cannot carry is refused; outside the 24 h window so is free text, and a newer closed ticket still opens it', async () => {
  expect(
    await as(agent).post(`/messages/${await openTicket()}`, text('', { type: 'sticker', mediaId: v7() })),
  ).toMatchObject({ status: 422, body: { error: 'ERR_CHANNEL_UNSUPPORTED' } })
  const waba = await createConnection(tenant, { kind: 'waba' })
  const contactId = await createContact(tenant)
  const ticketId = await openTicket({ connectionId: waba, contactId })
  expect(await as(agent).post(`/messages/${ticketId}`, text('oi'))).toMatchObject({
    status: 409,
    body: { error: 'ERR_WINDOW_CLOSED' },
  })
  const closed = await openTicket({ connectionId: waba, contactId, status: 'closed' })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(schema.tickets)
      .set({ lastInboundAt: new Date(Date.now() - 3_600_000) })
      .where(eq(schema.tickets.id, closed)),
  )
  expect(await as(agent).post(`/messages/${ticketId}`, text('oi'))).toMatchObject({ status: 200 })
})

test('the signature is written above the text when asked, or always when the company says so; never on notes', async () => {
  const ticketId = await openTicket({ connectionId: await createConnection(tenant, { kind: 'telegram' }) })
  expect((await as(agent).post(`/messages/${ticketId}`, text('Olá', { sign: true }))).body.body).toBe(
    '*Ana Souza*:\nOlá',
  )
  expect((await as(agent).post(`/messages/${ticketId}`, text('Olá', { sign: true, type: 'note' }))).body.body).toBe(
    'Olá',
  )
  expect(await as(agent).post(`/messages/${ticketId}`, text('a'.repeat(4_096), { sign: true }))).toMatchObject({
    status: 422,
    body: { details: [{ path: 'body' }] },
  })
  const signed = await seedTenant({ settings: { signed: true } })
  const other = await createTicket(signed, {
    userId: signed.agent.id,
    connectionId: await createConnection(signed, { kind: 'telegram' }),
  })
  expect((await as(signed.agent).post(`/messages/${other}`, text('Olá'))).body.body).toBe('*Ana Souza*:\nOlá')
})

test('whoever answers what nobody has, has it; a note takes nothing', async () => {
  const nobodys = await createTicket(tenant, { status: 'open', queue: 'Vendas' })
  const owner = async () => (await as(agent).get(`/tickets/${nobodys}`)).body.userId
  await as(agent).post(`/messages/${nobodys}`, text('Só para nós', { type: 'note' }))
  expect(await owner()).toBeNull()
  const sent = await as(agent).post(`/messages/${nobodys}`, text('Olá'))
  expect(sent).toMatchObject({ status: 200, body: { body: 'Olá', status: 'queued' } })
  expect(await owner()).toBe(agent.id)
})

test('an answer quotes only messages of the same contact', async () => {
  const ticketId = await openTicket()
  const quoted = await receive(ticketId, 'quanto custa?')
  expect(await as(agent).post(`/messages/${ticketId}`, text('R$ 10', { quotedId: quoted.id }))).toMatchObject({
    status: 200,
    body: { quoted: { id: quoted.id, body: 'quanto custa?', fromMe: false } },
  })
  const foreign = await receive(await openTicket(), 'de outra pessoa')
  expect(await as(agent).post(`/messages/${ticketId}`, text('x', { quotedId: foreign.id }))).toMatchObject({
    status: 422,
    body: { details: [{ path: 'quotedId' }] },
  })
  // Of another conversation of the same contact it is for those who see that one.
  const contactId = await createContact(tenant)
  const mine = await createTicket(tenant, { contactId, queue: 'Vendas', userId: agent.id })
  const elsewhere = await receive(await createTicket(tenant, { contactId, queue: 'Suporte' }), 'só para o suporte')
  const quoting = () => text('y', { quotedId: elsewhere.id })
  expect((await as(agent).post(`/messages/${mine}`, quoting())).status).toBe(422)
  expect((await as(tenant.admin).post(`/messages/${mine}`, quoting())).body.quoted.body).toBe('só para o suporte')
})

test('when the customer or a colleague wrote meanwhile, sending asks first; my own and notes do not count', async () => {
  const ticketId = await openTicket()
  const seen = await receive(ticketId, 'primeira')
  expect(await as(agent).post(`/messages/${ticketId}`, text('minha', { seenSeq: seen.seq }))).toMatchObject({
    status: 200,
  })
  await as(tenant.admin).post(`/messages/${ticketId}`, text('nota', { type: 'note' }))
  expect(await as(agent).post(`/messages/${ticketId}`, text('outra minha', { seenSeq: seen.seq }))).toMatchObject({
    status: 200,
  })
  const colleague = await as(tenant.admin).post(`/messages/${ticketId}`, text('já respondi'))
  const message = text('repetindo', { seenSeq: seen.seq })
  expect(await as(agent).post(`/messages/${ticketId}`, message)).toMatchObject({
    status: 409,
    body: { error: 'ERR_CONFLICT', details: { newer: [{ id: colleague.body.id }] } },
  })
  const notices = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.outbox).where(eq(schema.outbox.name, 'ticket.notice')),
  )
  expect(notices).toMatchObject([
    { payload: { ticketId, kind: 'held' }, audience: { kind: 'users', userIds: [agent.id] } },
  ])
  expect(await as(agent).post(`/messages/${ticketId}`, { ...message, force: true })).toMatchObject({ status: 200 })
})

test('only a file of one’s own, of the right kind, can be sent', async () => {
  const other = await createUser(tenant.tenantId, { queueIds: [tenant.queues.Vendas ?? ''] })
  const file = async (userId: string) => {
    const id = v7()
    await withTenant(tenant.tenantId, (tx) =>
      tx.db.insert(schema.files).values({
        tenantId: tenant.tenantId,
        id,
        kind: 'image',
        name: 'foto.png',
        mime: 'image/png',
        size: 10,
        sha256: 'x',
        key: `1/${id}`,
        userId,
      }),
    )
    return id
  }
  const ticketId = await openTicket()
  const mine = await file(agent.id)
  expect(await as(agent).post(`/messages/${ticketId}`, text('veja', { type: 'image', mediaId: mine }))).toMatchObject({
    status: 200,
    body: { mediaState: 'ready', media: { id: mine, name: 'foto.png' } },
  })
  expect((await ticketOf(ticketId)).lastMessage).toBe('veja')
  expect(
    await as(agent).post(`/messages/${ticketId}`, text('', { type: 'image', mediaId: await file(other.id) })),
  ).toMatchObject({ status: 422, body: { details: [{ path: 'mediaId' }] } })
  expect(await as(agent).post(`/messages/${ticketId}`, text('', { type: 'audio', mediaId: mine }))).toMatchObject({
    status: 422,
  })
  const telegram = await openTicket({ connectionId: await createConnection(tenant, { kind: 'telegram' }) })
  const caption = text('a'.repeat(1_100), { type: 'image', mediaId: mine })
  expect(await as(agent).post(`/messages/${telegram}`, caption)).toMatchObject({
    status: 422,
    body: { details: [{ path: 'body', message: expect.stringContaining('no máximo 1.024') }] },
  })
})

test('pages run from the newest back, and forward from what was missed; reading marks nothing and costs few statements', async () => {
  const ticketId = await openTicket({ unreadMessages: 3 })
  for (let n = 1; n <= 25; n += 1) await receive(ticketId, `m${n}`)
  const bodies = (reply: { body: { items: { body: string }[] } }) => reply.body.items.map((one) => one.body)
  await as(agent).get(`/messages/${ticketId}?limit=10`)
  const before = statementCount()
  const first = await as(agent).get(`/messages/${ticketId}?limit=10`)
  expect(statementCount() - before).toBeLessThanOrEqual(5)
  expect(bodies(first)).toEqual(Array.from({ length: 10 }, (_, n) => `m${16 + n}`))
  expect(first.body).toMatchObject({ hasMore: true })
  const second = await as(agent).get(`/messages/${ticketId}?limit=10&before=${first.body.nextCursor}`)
  expect(bodies(second)).toEqual(Array.from({ length: 10 }, (_, n) => `m${6 + n}`))
  expect(bodies(await as(agent).get(`/messages/${ticketId}?limit=10&pageNumber=2`))).toEqual(bodies(second))
  expect(bodies(await as(agent).get(`/messages/${ticketId}?after=${first.body.items[7].seq}`))).toEqual(['m24', 'm25'])
  expect((await ticketOf(ticketId)).unreadMessages).toBe(3)
  expect(await as(agent).post(`/messages/${ticketId}/read`)).toMatchObject({ status: 204 })
  expect((await ticketOf(ticketId)).unreadMessages).toBe(0)
})

test('a message kept in memory is never older than the database', async () => {
  const ticketId = await openTicket()
  const asked = await receive(ticketId, 'Que horas abre?')
  const quoting = (await as(agent).post(`/messages/${ticketId}`, text('Às nove', { quotedId: asked.id }))).body
  const run = (statement: string, ...values: unknown[]) =>
    withTenant(tenant.tenantId, (tx) => tx.rows({ name: '', text: statement }, [tenant.tenantId, ...values]))
  const read = async () => (await as(agent).get(`/messages/${ticketId}`)).body.items
  const [, first] = await read()
  expect(first).toMatchObject({ quoted: { body: 'Que horas abre?' }, status: 'queued', user: { id: agent.id } })

  await run(`update messages set status = 'read' where tenant_id = $1 and id = $2`, quoting.id)
  expect((await read())[1]).toEqual({ ...first, status: 'read' })
  await run(`update messages set body = '', is_deleted = true where tenant_id = $1 and id = $2`, asked.id)
  expect(await read()).toMatchObject([{ isDeleted: true, body: '' }, { quoted: { body: '' } }])
  await run(`update users set name = 'Ana de Tal' where tenant_id = $1 and id = $2`, agent.id)
  invalidateDirectory(tenant.tenantId)
  expect((await read())[1]).toMatchObject({ user: { name: 'Ana de Tal' } })
  await run(`update users set name = $3 where tenant_id = $1 and id = $2`, agent.id, first.user.name)
  invalidateDirectory(tenant.tenantId)
  expect((await read())[1]).toMatchObject({ user: first.user })
})

test('search finds words without accents, only in tickets one may see', async () => {
  const mine = await openTicket()
  const found = await receive(mine, 'O orçamento da geladeira ficou pronto')
  await receive(await openTicket({ queue: 'Suporte', userId: tenant.supervisor.id }), 'orçamento da geladeira secreto')
  const reply = await as(agent).get('/searchMessage?searchParam=orcamento%20da%20GELADEIRA')
  expect(reply.body.items.map((one: { id: string }) => one.id)).toEqual([found.id])
  expect((await as(tenant.admin).get('/searchMessage?searchParam=geladeira')).body.items).toHaveLength(2)
})

test('a message is edited and taken back by its author where the channel can; what it said is kept', async () => {
  const ticketId = await openTicket()
  const { body: sent } = await as(agent).post(`/messages/${ticketId}`, text('errro'))
  expect(await as(agent).patch(`/messages/${sent.id}`, { body: 'erro' })).toMatchObject({ status: 403 })
  const isSent = { status: 'sent' as const, providerId: sent.id }
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.messages).set(isSent).where(eq(schema.messages.id, sent.id)),
  )
  expect(await as(agent).patch(`/messages/${sent.id}`, { body: 'erro' })).toMatchObject({
    status: 200,
    body: { body: 'erro', version: 2 },
  })
  const [row] = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.messages).where(eq(schema.messages.id, sent.id)),
  )
  expect(row?.edits).toMatchObject([{ body: 'errro' }])
  expect(await as(agent).delete('/messages', { id: sent.id })).toMatchObject({
    status: 200,
    body: { isDeleted: true, body: '' },
  })
})

test('another tenant cannot resend, react, edit or delete', async () => {
  const { body: sent } = await as(agent).post(`/messages/${await openTicket()}`, text('nossa'))
  const { admin } = await seedTenant()
  expect(await as(admin).post(`/messages/${sent.id}/resend`)).toMatchObject({ status: 404 })
  expect(await as(admin).post('/messages/reactionMessage', { messageId: sent.id, emoji: '👍' })).toMatchObject({
    status: 404,
  })
  expect(await as(admin).patch(`/messages/${sent.id}`, { body: 'x' })).toMatchObject({ status: 404 })
  expect(await as(admin).delete('/messages', { id: sent.id })).toMatchObject({ status: 404 })
})

test('a channel whose window shows who writes gets no signature', async () => {
  const sent = await as(agent).post(`/messages/${await openTicket()}`, text('Bom dia', { sign: true }))
  expect(sent.body.body).toBe('Bom dia')
})
