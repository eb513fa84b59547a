import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { app, as, seedTenant, createConnection, createContact, createTicket, withTenant, schema } = kit

test('protocols are those of visible tickets, found by number, contact and day', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const contactId = await createContact(tenant, { name: 'Inês Couto', number: '5511987654321' })
  const own = await createTicket(tenant, { queue: 'Vendas', contactId, userId: tenant.agent.id })
  const closed = await createTicket(tenant, { queue: 'Vendas', status: 'closed' })
  const hidden = await createTicket(tenant, { queue: 'Suporte' })
  const list = async (query: string, by = tenant.agent) =>
    (await as(by).get(`/ticketProtocols?${query}`)).body.items.map((row: { id: string }) => row.id)

  expect(await list('')).toEqual([closed, own])
  expect(await list('', tenant.admin)).toEqual([hidden, closed, own])
  expect(await list('status=closed')).toEqual([closed])
  expect(await list('searchParam=ines')).toEqual([own])
  expect(await list('searchParam=(11) 98765-4321')).toEqual([own])
  const { protocol } = (await as(tenant.admin).get('/ticketProtocols?searchParam=ines')).body.items[0]
  expect(protocol).toBeTruthy()
  expect(await list('dateTo=2020-01-01')).toEqual([])
  const first = (await as(tenant.admin).get('/ticketProtocols?limit=2&count=true')).body
  expect(first).toMatchObject({ hasMore: true, count: 3 })
  expect(await list(`limit=2&cursor=${first.nextCursor}`, tenant.admin)).toEqual([own])
  expect((await as(tenant.admin).get('/ticketProtocols')).body.items[2]).toMatchObject({
    user: { name: tenant.agent.name },
    queue: { name: 'Vendas' },
    contact: { name: 'Inês Couto' },
  })
})

const seedTicket = async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const { tenantId, agent } = tenant
  const connectionId = await createConnection(tenant, { config: { allowAnyDomain: true } })
  const contactId = await createContact(tenant, { name: 'Maria <b>Lima</b>' })
  const ticketId = await createTicket(tenant, { queue: 'Vendas', userId: agent.id, connectionId, contactId })
  const write = (more: Partial<typeof schema.messages.$inferInsert>) =>
    withTenant(tenantId, (tx) =>
      tx.db.insert(schema.messages).values({
        tenantId,
        id: v7(),
        ticketId,
        contactId,
        connectionId,
        fromMe: false,
        type: 'text',
        status: 'received',
        timestamp: new Date(),
        ...more,
      }),
    )
  const messages = () => withTenant(tenantId, (tx) => tx.db.select().from(schema.messages).orderBy(schema.messages.seq))
  const make = async () => {
    const reply = await as(agent).post(`/ticketProtocols/${ticketId}/links`)
    expect(reply.status).toBe(201)
    return { ...reply.body, token: new URL(reply.body.url).pathname.split('/').at(-1) ?? '' }
  }
  return { ...tenant, ticketId, write, messages, make }
}
const read = (path: string) => app.inject({ url: `/api/protocol/${path}` })

test('sending a protocol tells the customer its number and its page, and is recorded', async () => {
  const { agent, ticketId, messages, tenantId } = await seedTicket()
  const sent = await as(agent).post('/ticketProtocols', { ticketId })
  expect(sent).toMatchObject({ status: 201, body: { id: ticketId, link: { isActive: true, user: { id: agent.id } } } })
  const [message] = await messages()
  expect(message).toMatchObject({ id: sent.body.messageId, status: 'queued', userId: agent.id, fromMe: true })
  expect(message?.body).toBe(`Seu protocolo é ${sent.body.protocol}. Acompanhe em ${sent.body.link.url}`)
  expect((await as(agent).get(`/ticketProtocols/${ticketId}/logs`)).body.items).toMatchObject([
    { type: 'protocol', note: 'Enviado ao cliente', user: { id: agent.id } },
  ])
  const [link] = await withTenant(tenantId, (tx) => tx.db.select().from(schema.protocolLinks))
  expect(sent.body.link.url).not.toContain(link?.hash)
  expect(link?.hash).toHaveLength(43)
})

test('a protocol is sent where one may answer: not in a waiting, a closed or somebody else’s conversation', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const waba = await createConnection(tenant, { kind: 'waba' })
  for (const [ticketId, error] of [
    [await createTicket(tenant, { queue: 'Vendas' }), 'ERR_INVALID_TRANSITION'],
    [await createTicket(tenant, { queue: 'Vendas', status: 'closed' }), 'ERR_TICKET_CLOSED'],
    [await createTicket(tenant, { queue: 'Suporte', userId: tenant.admin.id }), 'ERR_NO_TICKET_FOUND'],
    [await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, connectionId: waba }), 'ERR_WINDOW_CLOSED'],
  ])
    expect((await as(tenant.agent).post('/ticketProtocols', { ticketId })).body.error).toBe(error)
  expect(await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.protocolLinks))).toEqual([])
})

test('whoever has the address reads how it stands, and nothing of the inside', async () => {
  const { make, agent, admin, ticketId } = await seedTicket()
  const { token } = await make()
  const reply = await read(token)
  expect(reply.statusCode).toBe(200)
  expect(reply.headers).toMatchObject({
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer',
  })
  expect(reply.json()).toEqual({
    company: { name: expect.any(String), logoUrl: null, color: '#0b7a75', timezone: 'America/Sao_Paulo' },
    protocol: expect.any(String),
    status: 'open',
    queue: 'Vendas',
    createdAt: expect.any(String),
    closedAt: null,
    expiresAt: expect.any(String),
  })
  for (const secret of [agent.email, admin.email, agent.id, ticketId, agent.name])
    expect(reply.body).not.toContain(secret)
})

test('a wrong, a foreign, a revoked and an old address get the same answer', async () => {
  const [company, other] = [await seedTicket(), await seedTicket()]
  const { token, id } = await company.make()
  const secret = token.split(/-(.*)/s)[1] ?? ''
  const old = await company.make()
  await withTenant(company.tenantId, (tx) =>
    tx.db
      .update(schema.protocolLinks)
      .set({ expiresAt: new Date(Date.now() - 1_000) })
      .where(eq(schema.protocolLinks.id, old.id)),
  )
  expect((await as(other.admin).delete(`/ticketProtocols/${company.ticketId}/links/${id}`)).status).toBe(404)
  expect((await read(token)).statusCode).toBe(200)
  expect((await as(company.agent).delete(`/ticketProtocols/${company.ticketId}/links/${id}`)).status).toBe(204)

  const answers = new Set<string>()
  for (const wrong of [
    token,
    old.token,
    `${other.tenantId.toString(36)}-${secret}`,
    `zzzzz-${secret}`,
    `zzzzzzzz-${secret}`,
    'x',
    `${'a'.repeat(90)}`,
    '..%2F..',
  ]) {
    for (const path of ['', '/transcript', `/verify?sha256=${'a'.repeat(64)}`]) {
      const reply = await read(wrong + path)
      expect(reply.statusCode).toBe(404)
      answers.add(JSON.stringify({ ...reply.json(), requestId: '' }))
      expect(reply.headers['cache-control']).toBe('private, no-store')
    }
  }
  expect([...answers]).toHaveLength(1)
})

test('the transcript holds what both sides said, as text, and proves itself by its fingerprint', async () => {
  const { write, make, agent, ticketId } = await seedTicket()
  await write({ body: 'Oi <script>alert(1)</script>' })
  await write({ fromMe: true, status: 'sent', body: 'Olá!', userId: agent.id })
  await write({ fromMe: true, status: 'queued', body: 'ainda não saiu' })
  await write({ fromMe: true, status: 'failed', body: 'não chegou' })
  await write({ fromMe: true, type: 'note', body: 'cliente difícil' })
  await write({ fromMe: true, type: 'system', body: 'Ana Souza aceitou o atendimento.' })
  await write({ body: 'apagada', isDeleted: true })
  const { token } = await make()
  for (const format of ['html', 'text']) {
    const reply = await read(`${token}/transcript?format=${format}`)
    expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="protocolo-\w+\.(html|txt)"$/)
    expect(reply.headers['content-security-policy']).toContain('sandbox')
    expect(reply.body).toContain('Olá!')
    for (const hidden of [
      'ainda não saiu',
      'não chegou',
      'cliente difícil',
      'aceitou',
      ': apagada',
      agent.email,
      agent.name,
    ])
      expect(reply.body).not.toContain(hidden)
    if (format === 'html') {
      expect(reply.body).not.toContain('<script>')
      expect(reply.body).toContain('Maria &lt;b&gt;Lima&lt;/b&gt;')
    }
    const sha256 = createHash('sha256').update(reply.body).digest('hex')
    expect(reply.headers['x-content-sha256']).toBe(sha256)
    expect((await read(`${token}/verify?sha256=${sha256.toUpperCase()}`)).json()).toMatchObject({ isGenuine: true })
    const forged = createHash('sha256').update(reply.body.replace('Olá!', 'Olá, tudo grátis!')).digest('hex')
    expect((await read(`${token}/verify?sha256=${forged}`)).json()).toEqual({ isGenuine: false, issuedAt: null })
    expect((await read(`${token}/transcript?format=${format}`)).body).toBe(reply.body)
  }
  const text = (await read(`${token}/transcript?format=text`)).body
  const [content, printed] = text.split('SHA-256 do conteúdo acima: ')
  expect(printed?.trim()).toBe(
    createHash('sha256')
      .update(content?.slice(0, -1) ?? '')
      .digest('hex'),
  )

  // A file of another conversation of the same company proves nothing here.
  const other = await seedTicket()
  const elsewhere = await other.make()
  const sha256 = createHash('sha256').update(text).digest('hex')
  expect((await read(`${elsewhere.token}/verify?sha256=${sha256}`)).json().isGenuine).toBe(false)
  expect((await as(agent).get(`/ticketProtocols/${ticketId}/links`)).body.items).toHaveLength(1)
})

test('the addresses of a ticket are seen by those who see it, without the addresses themselves', async () => {
  const { make, agent, ticketId, supervisor } = await seedTicket()
  const { token, url } = await make()
  const listed = await as(supervisor).get(`/ticketProtocols/${ticketId}/links`)
  expect(listed.body.items).toMatchObject([{ isActive: true, user: { id: agent.id, name: agent.name } }])
  expect(JSON.stringify(listed.body)).not.toContain(token.slice(5))
  expect(url).toMatch(/\/protocolo\/[0-9a-z]+-[\w-]{43}$/)
  const other = await seedTicket()
  expect((await as(other.admin).get(`/ticketProtocols/${ticketId}/links`)).status).toBe(404)
  expect((await as(other.admin).get(`/ticketProtocols/${ticketId}/logs`)).status).toBe(404)
})

test('somebody who tries addresses is slowed down', async () => {
  const answers = await Promise.all(
    Array.from({ length: 80 }, () => app.inject({ url: '/api/protocol/x', remoteAddress: '203.0.113.9' })),
  )
  expect(answers.filter((one) => one.statusCode === 429).length).toBeGreaterThan(10)
})
