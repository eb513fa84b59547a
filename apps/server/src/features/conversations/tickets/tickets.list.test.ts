import { pageOf } from '@balcao/contract/common.ts'
import { inboxPage } from '@balcao/contract/conversations/inbox-page.ts'
import { ticketsOfInbox } from '@balcao/contract/conversations/ticket-row.ts'
import { ticket, ticketCounters } from '@balcao/contract/conversations/tickets.ts'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { type Kit, startTestApp } from '../../../../test/kit.ts'

const kit: Kit = await startTestApp()
const {
  as,
  call,
  seedTenant,
  createUser,
  createContact,
  createConnection,
  createTicket,
  schema,
  withTenant,
  statementCount,
} = kit

const idsOf = (reply: { body: { items: { id: string }[] } }) => reply.body.items.map((item) => item.id)
const addMessage = (
  tenantId: number,
  ids: { ticketId: string; contactId: string; connectionId: string },
  body: string,
) =>
  withTenant(tenantId, (tx) =>
    tx.db
      .insert(schema.messages)
      .values({ tenantId, ...ids, fromMe: false, type: 'text', body, status: 'received', timestamp: new Date() }),
  )
const setTold = (tenantId: number, ticketId: string, at: Date) =>
  withTenant(tenantId, (tx) =>
    tx.rows(
      {
        name: '',
        text: 'update tickets set last_message_at = $3, updated_at = now() where tenant_id = $1 and id = $2',
      },
      [tenantId, ticketId, at],
    ),
  )

test('a page answers exactly what the contract says, tags, queue, agent and wallets included', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const contactId = await createContact(tenant, {
    name: 'Zoë Ávila',
    number: '5511999990000',
    walletIds: [tenant.agent.id],
  })
  const id = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, contactId, unreadMessages: 2 })
  const [one, two] = [v7(), v7()]
  await withTenant(tenant.tenantId, async (tx) => {
    const { tenantId } = tenant
    await tx.db.insert(schema.tags).values([
      { tenantId, id: one, name: 'VIP', color: '#111111' },
      { tenantId, id: two, name: 'Ágil', color: '#222222' },
    ])
    await tx.db.insert(schema.ticketTags).values([
      { tenantId, ticketId: id, tagId: one },
      { tenantId, ticketId: id, tagId: two },
    ])
    await tx.db.insert(schema.contactTags).values({ tenantId, contactId, tagId: one })
  })

  const reply = await as(tenant.agent).get('/tickets')

  expect(reply.status).toBe(200)
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(pageOf(ticket.strict()).strict().parse(reply.body)).toEqual(reply.body)
  expect(reply.body.items[0]).toMatchObject({
    id,
    status: 'open',
    username: 'Ana Souza',
    queue: { name: 'Vendas', color: '#0b7a75' },
    contact: { name: 'Zoë Ávila', wallets: [tenant.agent.id], tags: [{ name: 'VIP' }] },
    tags: [{ name: 'Ágil' }, { name: 'VIP' }],
    unreadMessages: 2,
  })
  expect((await as(tenant.agent).get(`/tickets/${id}`)).body).toMatchObject(reply.body.items[0])
})

test('the short form says the same in less, and says nothing when nothing changed', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'], agentIn: ['Vendas'] })
  for (let i = 0; i < 45; i += 1)
    await createTicket(tenant, { queue: 'Vendas', ...(i % 3 === 0 && { userId: tenant.agent.id }) })
  await createTicket(tenant)
  const [vip = '', agil = ''] = [v7(), v7()]
  const contactId = await createContact(tenant, { name: `Zoë "${vip}", [${vip}]`, walletIds: [tenant.agent.id] })
  const full = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, contactId })
  await withTenant(tenant.tenantId, async ({ db, tenantId }) => {
    const cards = [
      { tenantId, id: vip, name: 'VIP', color: '#b91c1c' },
      { tenantId, id: agil, name: 'Ágil', color: '#4f46e5' },
    ]
    await db.insert(schema.tags).values(cards)
    await db.insert(schema.ticketTags).values([vip, agil].map((tagId) => ({ tenantId, ticketId: full, tagId })))
    await db.insert(schema.contactTags).values({ tenantId, contactId, tagId: vip })
    await db
      .update(schema.tickets)
      .set({
        sharedWith: [tenant.supervisor.id, tenant.agent.id],
        lastMessage: `"${vip}", null, null]`,
        lastAuthorId: tenant.admin.id,
        waitingSince: new Date(),
        pausedAt: new Date(),
        pauseReason: `até "${vip}",null]`,
      })
      .where(eq(schema.tickets.id, full))
  })
  kit.invalidateDirectory(tenant.tenantId)
  const authorization = `Bearer ${tenant.agent.token}`
  const get = (query: string, etag?: string) =>
    call('GET', `/tickets?${query}`, undefined, { authorization, ...(etag && { 'if-none-match': etag }) })
  for (const query of [
    '',
    'sort=waiting&status=pending',
    'searchParam=silva',
    'count=true&limit=5',
    'searchParam=nada%20disto',
    'isPaused=true',
  ]) {
    const full = (await get(query)).body
    const short = inboxPage.strict().parse((await get(`${query}&view=inbox`)).body)
    const { rows, refs: _refs, ...page } = short
    expect({ ...page, items: ticketsOfInbox(short) }).toEqual(full)
    expect(rows).toHaveLength(full.items.length)
  }
  const first = await get('view=inbox')
  const bytes = (reply: { body: unknown }) => JSON.stringify(reply.body).length
  expect(bytes(first)).toBeLessThan(bytes(await get('')) / 3)
  const etag = String(first.headers.etag)
  expect(await get('view=inbox', etag)).toMatchObject({ status: 304, body: '' })
  await createTicket(tenant, { queue: 'Vendas' })
  expect((await get('view=inbox', etag)).status).toBe(200)
})

test('a row kept in memory is never older than the database', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const { tenantId } = tenant
  const contactId = await createContact(tenant, { name: 'Zoë' })
  const connectionId = await createConnection(tenant)
  const id = await createTicket(tenant, { queue: 'Vendas', contactId, connectionId })
  await createTicket(tenant, { queue: 'Vendas' })
  const [one, two] = [v7(), v7()]
  const run = (text: string, ...values: unknown[]) =>
    withTenant(tenantId, (tx) => tx.rows({ name: '', text }, [tenantId, ...values]))
  await withTenant(tenantId, (tx) =>
    tx.db.insert(schema.tags).values([
      { tenantId, id: one, name: 'VIP', color: '#111111' },
      { tenantId, id: two, name: 'Ágil', color: '#222222' },
    ]),
  )
  const changes: (() => Promise<unknown>)[] = [
    () => run('insert into ticket_tags (tenant_id, ticket_id, tag_id) values ($1, $2, $3)', id, one),
    () => run('update ticket_tags set tag_id = $3 where tenant_id = $1 and ticket_id = $2', id, two),
    () => run('delete from ticket_tags where tenant_id = $1 and ticket_id = $2', id),
    () => run('insert into contact_tags (tenant_id, contact_id, tag_id) values ($1, $2, $3)', contactId, one),
    () => run('update contact_tags set tag_id = $3 where tenant_id = $1 and contact_id = $2', contactId, two),
    () => run('delete from contact_tags where tenant_id = $1 and contact_id = $2', contactId),
    () =>
      run(
        'insert into contact_wallets (tenant_id, contact_id, user_id) values ($1, $2, $3)',
        contactId,
        tenant.agent.id,
      ),
    () => run('delete from contact_wallets where tenant_id = $1 and contact_id = $2', contactId),
    () => run(`update contacts set name = 'Zoé Ávila' where tenant_id = $1 and id = $2`, contactId),
    () => as(tenant.admin).put(`/whatsapp/${connectionId}`, { name: 'Balcão da loja' }),
    () => run('update tickets set unread_messages = 3 where tenant_id = $1 and id = $2', id),
    () => run('update tickets set user_id = $3 where tenant_id = $1 and id = $2', id, tenant.agent.id),
  ]
  const read = async () =>
    ticketsOfInbox(inboxPage.parse((await as(tenant.admin).get('/tickets?view=inbox&showAll=true')).body))
  let before = await read()
  for (const [n, change] of changes.entries()) {
    await change()
    const now = await read()
    expect(now, `change ${n}`).not.toEqual(before)
    expect(now).toEqual((await as(tenant.admin).get('/tickets?showAll=true')).body.items)
    before = now
  }
  const sent = statementCount()
  await read()
  expect(statementCount() - sent).toBeLessThanOrEqual(3) // the tenant, the page, and now and then the directory
})

test('at most five statements, whatever the page holds', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  for (let i = 0; i < 45; i += 1) await createTicket(tenant, { queue: 'Vendas' })
  for (const url of [
    '/tickets',
    '/tickets?limit=200',
    '/tickets?view=inbox',
    '/tickets?searchParam=silva&count=true',
    '/tickets?pageNumber=9&count=true&searchParam=silva',
  ]) {
    await as(tenant.admin).get(url)
    const before = statementCount()
    const reply = await as(tenant.admin).get(url)
    expect(reply.status).toBe(200)
    expect(statementCount() - before).toBeLessThanOrEqual(5)
  }
  const page = await as(tenant.admin).get('/tickets')
  expect(page.body).toMatchObject({ hasMore: true })
  expect(page.body.items).toHaveLength(40)
  expect(page.body).not.toHaveProperty('count')
  expect((await as(tenant.admin).get('/tickets?count=true&pageNumber=2')).body).toMatchObject({
    hasMore: false,
    count: 45,
  })
  expect((await as(tenant.admin).get('/tickets?count=true&pageNumber=9')).body).toMatchObject({ items: [], count: 45 })
})

test('pages by key lose and repeat nothing while tickets arrive; the newest message comes first, whatever else changed', async () => {
  const tenant = await seedTenant()
  const made: string[] = []
  for (let i = 0; i < 12; i += 1) {
    const id = await createTicket(tenant, {
      status: i % 2 ? 'pending' : 'open',
      userId: i % 2 ? undefined : tenant.agent.id,
    })
    await setTold(tenant.tenantId, id, new Date(1_700_000_000_000 + (i >> 1) * 1_000)) // pairs share a moment
    made.unshift(id)
  }
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const reply = await as(tenant.agent).get(`/tickets?limit=5${cursor ? `&cursor=${cursor}` : ''}`)
    seen.push(...idsOf(reply))
    cursor = reply.body.nextCursor
    await createTicket(tenant)
  } while (cursor)
  expect([...seen].sort()).toEqual([...made].sort())
  const moments = (await as(tenant.agent).get('/tickets')).body.items.map(
    (item: { lastMessageAt: string | null; createdAt: string }) => item.lastMessageAt ?? item.createdAt,
  )
  expect(moments).toEqual([...moments].sort().reverse())

  const rising = async (more: string) => (await as(tenant.agent).get(`/tickets?orderAsc=true&limit=8${more}`)).body
  const first = await rising('')
  const second = await rising(`&cursor=${first.nextCursor}`)
  expect([...first.items, ...second.items].map((item) => item.lastMessageAt ?? item.createdAt)).toEqual(
    [...moments].sort().slice(0, 16),
  )
})

test('every filter narrows as the specification says', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'] })
  const [connectionA, connectionB] = [await createConnection(tenant), await createConnection(tenant)]
  const sales = await createTicket(tenant, {
    queue: 'Vendas',
    userId: tenant.agent.id,
    connectionId: connectionA,
    unreadMessages: 3,
  })
  const support = await createTicket(tenant, { queue: 'Suporte', connectionId: connectionB })
  const loose = await createTicket(tenant, { connectionId: connectionB })
  const closed = await createTicket(tenant, { queue: 'Vendas', status: 'closed', connectionId: connectionA })
  const tagId = v7()
  await withTenant(tenant.tenantId, async (tx) => {
    await tx.db.insert(schema.tags).values({ tenantId: tenant.tenantId, id: tagId, name: 'VIP', color: '#111111' })
    await tx.db.insert(schema.ticketTags).values({ tenantId: tenant.tenantId, ticketId: support, tagId })
  })
  const get = async (query: string) => new Set(idsOf(await as(tenant.admin).get(`/tickets?${query}`)))
  const { Vendas, Suporte } = tenant.queues

  expect(await get('')).toEqual(new Set([sales, support, loose]))
  expect(await get('status=closed')).toEqual(new Set([closed]))
  expect(await get('status=open,closed')).toEqual(new Set([sales, closed]))
  expect(await get('status=open&includeClosed=true')).toEqual(new Set([sales, closed]))
  expect(await get(`queuesIds=${Vendas}`)).toEqual(new Set([sales, loose]))
  expect(await get(`queuesIds=${Vendas},${Suporte}&includeNotQueueDefined=false`)).toEqual(new Set([sales, support]))
  expect(await get('includeNotQueueDefined=false')).toEqual(new Set([sales, support]))
  expect(await get(`whatsappIds=${connectionB}`)).toEqual(new Set([support, loose]))
  expect(await get(`selectedUser=${tenant.agent.id}`)).toEqual(new Set([sales]))
  expect(await get('withUnreadMessages=true')).toEqual(new Set([sales]))
  expect(await get('isNotAssignedUser=true')).toEqual(new Set([support, loose]))
  expect(await get(`tagIds=${tagId}`)).toEqual(new Set([support]))
  expect(await get(`kanbanIds=${v7()}`)).toEqual(new Set())
  const contactId = (await as(tenant.admin).get(`/tickets/${loose}`)).body.contactId
  expect(await get(`contactId=${contactId}`)).toEqual(new Set([loose]))
})

test('groups for everybody pass the chosen people, not the chosen queues nor "only unassigned"', async () => {
  const tenant = await seedTenant({
    queues: ['Vendas', 'Suporte'],
    agentIn: ['Vendas'],
    settings: { mostrarGruposParaTodos: true },
  })
  const group = await createTicket(tenant, { queue: 'Suporte', isGroup: true, userId: tenant.admin.id })
  const sales = await createTicket(tenant, { queue: 'Vendas' })
  const list = async (query: string) => idsOf(await as(tenant.agent).get(`/tickets?${query}`)).sort()
  expect(await list('')).toEqual([group, sales].sort())
  expect(await list(`selectedUser=${tenant.agent.id}`)).toEqual([group])
  expect(await list(`queuesIds=${tenant.queues.Vendas}`)).toEqual([sales])
  expect(await list('isNotAssignedUser=true')).toEqual([sales])
  expect(idsOf(await as(tenant.agent).get('/tickets?withUnreadMessages=true'))).toEqual([])
})

test('"show all" widens only for those who may ask', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'], agentIn: [], settings: { NotViewAssignedTickets: true } })
  const id = await createTicket(tenant, { queue: 'Vendas', userId: tenant.supervisor.id })
  const list = async (user: typeof tenant.agent, query = '') => idsOf(await as(user).get(`/tickets${query}`))
  expect(await list(tenant.admin)).toEqual([])
  expect(await list(tenant.admin, '?showAll=true')).toEqual([id])
  expect((await as(tenant.admin).get(`/tickets/${id}`)).status).toBe(200)
  expect(await list(tenant.agent, '?showAll=true')).toEqual([])
})

test('search finds names without accents, numbers, protocols and words of messages, only in what is visible', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const connectionId = await createConnection(tenant)
  const contactId = await createContact(tenant, { name: 'Antônio Conceição', number: '5511987654321' })
  const mine = await createTicket(tenant, { queue: 'Vendas', contactId, connectionId })
  const otherContact = await createContact(tenant, { name: 'Antonio Lima' })
  const hidden = await createTicket(tenant, { queue: 'Suporte', contactId: otherContact, connectionId })
  await addMessage(
    tenant.tenantId,
    { ticketId: mine, contactId, connectionId },
    'Preciso da 100% da nota_fiscal amanhã',
  )
  await addMessage(
    tenant.tenantId,
    { ticketId: hidden, contactId: otherContact, connectionId },
    'Também da nota_fiscal',
  )
  const protocol = (await as(tenant.agent).get(`/tickets/${mine}`)).body.protocol
  const find = async (words: string, user = tenant.agent) =>
    idsOf(await as(user).get(`/tickets?searchParam=${encodeURIComponent(words)}`))

  expect(await find('ANTONIO')).toEqual([mine])
  expect(await find('conceicao')).toEqual([mine])
  expect(await find('(11) 98765-4321')).toEqual([mine])
  expect(await find('nota_fiscal')).toEqual([mine])
  expect((await find('nota_fiscal', tenant.admin)).sort()).toEqual([mine, hidden].sort())
  expect(await find('notaXfiscal', tenant.admin)).toEqual([])
  expect(await find('100%')).toEqual([mine])
  expect(await find('an')).toEqual([mine])
  expect(await find('xyzxyz')).toEqual([])
  await withTenant(tenant.tenantId, (tx) =>
    tx.rows({ name: '', text: `update tickets set protocol = '20260101123456' where tenant_id = $1 and id = $2` }, [
      tenant.tenantId,
      mine,
    ]),
  )
  expect(protocol).not.toBe('20260101123456')
  expect(await find('20260101123')).toEqual([mine])
})

test('of hundreds who are called so the conversations come in the order they last moved, whoever is renamed or comes back', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant)
  const contactIds: string[] = []
  for (let n = 0; n < 260; n += 1) contactIds.push(await createContact(tenant, { name: `Mariana Santos ${n}` }))
  const [renamed = '', back = ''] = [contactIds[5], contactIds[250]]
  await withTenant(tenant.tenantId, async (tx) => {
    const tickets = contactIds.map((contactId, n) => ({
      tenantId: tenant.tenantId,
      protocol: `2024${n}`,
      status: 'closed' as const,
      contactId,
      connectionId,
      // Five of each month, the oldest of them last.
      lastMessageAt: new Date(Date.UTC(2024, 0, 1) - n * 6 * 86_400_000),
    }))
    await tx.db.insert(schema.tickets).values(tickets)
  })
  const asked: number[] = []
  const walk = async () => {
    const ids: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await as(tenant.admin).get(
        `/tickets?status=closed&status=pending&searchParam=mariana%20santos&cursor=${cursor}`.replace(/&cursor=$/, ''),
      )
      asked.push(body.items.length)
      ids.push(...idsOf({ body }))
      if (!body.hasMore) return ids
      cursor = body.nextCursor
    }
  }
  const inOrder = async () =>
    (
      await withTenant(tenant.tenantId, (tx) =>
        tx.rows<{ id: string }>(
          { name: '', text: 'select id from tickets where tenant_id = $1 order by last_message_at desc, id desc' },
          [tenant.tenantId],
        ),
      )
    ).map(({ id }) => id)
  expect(await walk()).toEqual(await inOrder())
  expect(asked).toEqual([40, 40, 40, 40, 40, 40, 20])

  const move = (contactId: string) =>
    withTenant(tenant.tenantId, (tx) =>
      tx.db.update(schema.tickets).set({ lastMessageAt: new Date() }).where(eq(schema.tickets.contactId, contactId)),
    )
  await move(back)
  expect((await as(tenant.admin).put(`/contacts/${renamed}`, { name: 'Mariana Santos Lima' })).status).toBe(200)
  await move(renamed)
  await as(tenant.admin).put(`/contacts/${renamed}`, { name: 'Ana Mariana Santos' })
  const found = await walk()
  expect(found).toEqual(await inOrder())
  expect(found).toHaveLength(260)
})

test('of thousands who are called so none is lost or repeated, nor the few that a filter leaves', async () => {
  const tenant = await seedTenant()
  const connectionIds = [await createConnection(tenant), await createConnection(tenant)]
  const many = 2_300
  await withTenant(tenant.tenantId, async (tx) => {
    await tx.rows(
      {
        name: '',
        text: `with people as (insert into contacts (tenant_id, id, name, number)
            select $1, uuidv7(), 'Mariana Santos ' || n, (5511900000000 + n)::text from generate_series(1, $2::int) n returning id, number)
          insert into tickets (tenant_id, id, protocol, status, contact_id, connection_id, last_message_at)
            select $1, uuidv7(), '2024' || number, 'closed', id, ($3::uuid[])[1 + (right(number, 4)::int % 100 = 0)::int],
              timestamptz '2024-01-01' - interval '9 hours' * right(number, 4)::int from people`,
      },
      [tenant.tenantId, many, connectionIds],
    )
  })
  const inOrder = await withTenant(tenant.tenantId, (tx) =>
    tx.rows<{ id: string; connectionId: string }>(
      {
        name: '',
        text: `select id, connection_id as "connectionId" from tickets where tenant_id = $1 order by last_message_at desc, id desc`,
      },
      [tenant.tenantId],
    ),
  )
  const walk = async (filter: string) => {
    const ids: string[] = []
    for (let next = ''; ; ) {
      const { body } = await as(tenant.admin).get(
        `/tickets?status=closed&limit=200&searchParam=mariana%20sa${filter}${next}`,
      )
      ids.push(...idsOf({ body }))
      if (!body.hasMore) return ids
      next = `&cursor=${body.nextCursor}`
    }
  }
  expect(inOrder).toHaveLength(many)
  expect(await walk('')).toEqual(inOrder.map(({ id }) => id))
  const ofTheSecond = inOrder.filter(({ connectionId }) => connectionId === connectionIds[1])
  expect(ofTheSecond).toHaveLength(23)
  expect(await walk(`&whatsappIds=${connectionIds[1]}`)).toEqual(ofTheSecond.map(({ id }) => id))
})

test('meta characters and operators are words, never commands (T22)', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  await createTicket(tenant, { queue: 'Vendas' })
  const nasty = [
    "' or 1=1 --",
    '%',
    '_',
    '\\',
    '%%%',
    "'; select pg_sleep(5); --",
    '$1',
    '{}',
    '()[]*+?',
    '\0',
    'ação\u0301',
    '😀',
    `"`,
    'a'.repeat(200),
  ]
  for (const words of nasty) {
    const startedAt = Date.now()
    const reply = await as(tenant.admin).get(`/tickets?searchParam=${encodeURIComponent(words)}`)
    expect({ words, status: reply.status }).toEqual({ words, status: 200 })
    expect(Date.now() - startedAt).toBeLessThan(2_000)
    if (!['\0'].includes(words)) expect(reply.body.items).toEqual([])
  }
  const refused = [
    'status=open%27',
    'status=none',
    'queuesIds=1',
    "whatsappIds=' or 1=1",
    'selectedUser=null',
    'kanbanIds=x',
    'contactId=1',
    'pageNumber=0',
    'pageNumber=1;drop',
    'pageNumber=-1',
    'pageNumber=1e99',
    'limit=100000',
    'cursor=xx',
    `cursor=${Buffer.from('["a\'","b"]').toString('base64url')}`,
    `cursor=${Buffer.from(JSON.stringify(['2026-99-99T99:99:99.000Z', v7()])).toString('base64url')}`,
  ]
  for (const query of refused) {
    const reply = await as(tenant.admin).get(`/tickets?${query}`)
    expect({ query, status: reply.status }).toEqual({ query, status: 422 })
  }
})

test('counters tell what the list holds', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  await createTicket(tenant, { queue: 'Vendas', unreadMessages: 4 })
  await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id })
  await createTicket(tenant, { queue: 'Suporte', unreadMessages: 1 })
  await createTicket(tenant, { queue: 'Vendas', status: 'closed' })
  const mine = await as(tenant.agent).get('/tickets/counters')
  expect(ticketCounters.parse(mine.body)).toMatchObject({ open: 1, pending: 1, closed: 1, unread: 1 })
  expect((await as(tenant.admin).get('/tickets/counters?showAll=true')).body).toMatchObject({
    open: 1,
    pending: 2,
    closed: 1,
    unread: 2,
  })
})

test('nothing of another company is listed, counted or found', async () => {
  const [a, b] = [await seedTenant(), await seedTenant()]
  const contactId = await createContact(b, { name: 'Segredo Guardado' })
  const id = await createTicket(b, { contactId })
  for (const query of ['', '?showAll=true', '?searchParam=segredo', `?contactId=${contactId}`]) {
    expect((await as(a.admin).get(`/tickets${query}`)).body.items).toEqual([])
  }
  expect((await as(a.admin).get('/tickets/counters?showAll=true')).body).toMatchObject({
    open: 0,
    pending: 0,
    closed: 0,
    unread: 0,
  })
  expect((await as(a.admin).get(`/tickets/${id}`)).status).toBe(404)
  const stranger = await createUser(a.tenantId, { menuPermissions: { atendimento: false } })
  expect((await as(stranger).get('/tickets')).status).toBe(403)
})
