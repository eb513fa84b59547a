import { expect, test } from 'vitest'
import { startTestApp } from '../../test/kit.ts'

const { as, app, seedTenant, createUser, createTicket, createContact, schema, withTenant } = await startTestApp()

const written = async (tenantId: number) => {
  const events = await withTenant(tenantId, (tx) => tx.db.select().from(schema.outbox).orderBy(schema.outbox.seq))
  const audit = await withTenant(tenantId, (tx) =>
    tx.db.select().from(schema.audit).orderBy(schema.audit.at, schema.audit.id),
  )
  return {
    events: events.map((event) => [event.name, event.audience]),
    audit: audit.map((entry) => [entry.action, entry.userId]),
  }
}
const names = (reply: { body: { items: { name: string }[] } }) => reply.body.items.map((item) => item.name)

test('a tag is created, read, changed in part and deleted; each write leaves an audit row and an event', async () => {
  const { admin, tenantId } = await seedTenant()
  const created = await as(admin).post('/tags', {
    name: ' Urgente ',
    color: '#FF0000',
    tenantId: 99,
    version: 7,
  })
  expect(created).toMatchObject({
    status: 201,
    body: { name: 'Urgente', color: '#FF0000', isActive: true, version: 1 },
  })
  const url = `/tags/${created.body.id}`

  const changed = await as(admin).put(url, { isActive: false, tenantId: 99 })
  expect(changed).toMatchObject({ status: 200, body: { name: 'Urgente', isActive: false, version: 2 } })
  expect(await as(admin).put(url, { color: '#00ff00' })).toMatchObject({ body: { isActive: false, version: 3 } })
  expect((await as(admin).get(url)).body).toMatchObject({ color: '#00ff00', version: 3 })
  expect(Object.keys((await as(admin).get(url)).body).sort()).toEqual([
    'color',
    'createdAt',
    'groupId',
    'id',
    'isActive',
    'name',
    'updatedAt',
    'version',
  ])

  expect((await as(admin).delete(url)).status).toBe(204)
  expect(await as(admin).get(url)).toMatchObject({ status: 404, body: { error: 'ERR_NOT_FOUND' } })
  const audience = { kind: 'permission', can: 'tags.read' }
  expect(await written(tenantId)).toEqual({
    events: [
      ['tag.created', audience],
      ['tag.updated', audience],
      ['tag.updated', audience],
      ['tag.deleted', audience],
    ],
    audit: ['created', 'updated', 'updated', 'deleted'].map((what) => [`tag.${what}`, admin.id]),
  })
})

test('two tabs edit the same tag: the second is told what is there now', async () => {
  const { admin } = await seedTenant()
  const { body: tag } = await as(admin).post('/tags', { name: 'VIP', color: '#112233' })
  expect((await as(admin).put(`/tags/${tag.id}`, { name: 'VIP ouro', version: 1 })).status).toBe(200)

  const late = await as(admin).put(`/tags/${tag.id}`, { name: 'VIP prata', color: '#112233', version: 1 })

  expect(late).toMatchObject({
    status: 409,
    body: { error: 'ERR_CONFLICT', details: { current: { name: 'VIP ouro', version: 2 }, changed: ['name'] } },
  })
  expect((await as(admin).get(`/tags/${tag.id}`)).body.name).toBe('VIP ouro')
})

test('a taken name and a wrong field are told at their field', async () => {
  const { admin } = await seedTenant()
  await as(admin).post('/tags', { name: 'Vendas', color: '#112233' })
  expect(await as(admin).post('/tags', { name: 'VENDAS', color: '#112233' })).toMatchObject({
    status: 409,
    body: {
      error: 'ERR_DUPLICATED',
      message: 'Já existe uma etiqueta com este nome.',
      details: [{ path: 'name', message: 'Já existe uma etiqueta com este nome.' }],
    },
  })
  expect(await as(admin).post('/tags', { name: '', color: 'red' })).toMatchObject({
    status: 422,
    body: { error: 'ERR_VALIDATION', details: [{ path: 'name' }, { path: 'color' }] },
  })
  expect(await as(admin).post('/tags', { name: 'a\u0000b', color: '#112233' })).toMatchObject({
    status: 201,
    body: { name: 'ab' },
  })
  expect((await as(admin).get('/tags?searchParam=%00')).status).toBe(200)
})

test('a list is searched without accents, ordered, filtered and paged by key or by number', async () => {
  const { admin } = await seedTenant()
  for (const name of ['Ação', 'acionista', 'Érico', 'Zebra', 'banana', '100%', 'a_b'])
    await as(admin).post('/tags', { name, color: '#112233', isActive: name !== 'Zebra' })

  expect(names(await as(admin).get('/tags'))).toEqual(['100%', 'a_b', 'Ação', 'acionista', 'banana', 'Érico', 'Zebra'])
  expect(names(await as(admin).get('/tags?searchParam=ACA'))).toEqual(['Ação'])
  expect(names(await as(admin).get(`/tags?searchParam=${encodeURIComponent('%')}`))).toEqual(['100%'])
  expect(names(await as(admin).get('/tags?searchParam=_'))).toEqual(['a_b'])
  expect(names(await as(admin).get('/tags?isActive=true&direction=desc&limit=2'))).toEqual(['Érico', 'banana'])
  expect(names(await as(admin).get('/tags?sort=createdAt&direction=desc&limit=2'))).toEqual(['a_b', '100%'])

  for (const order of ['sort=name', 'sort=name&direction=desc', 'sort=createdAt', 'sort=updatedAt&direction=desc']) {
    const whole = names(await as(admin).get(`/tags?${order}`))
    const byKey: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await as(admin).get(`/tags?${order}&limit=3${cursor && `&cursor=${cursor}`}`)
      byKey.push(...body.items.map((item: { name: string }) => item.name))
      cursor = body.nextCursor
    }
    expect(byKey).toEqual(whole)
    const pages = [1, 2, 3].map((page) => as(admin).get(`/tags?${order}&limit=3&pageNumber=${page}`))
    expect((await Promise.all(pages)).flatMap(names)).toEqual(whole)
  }
  const { body } = await as(admin).get('/tags?limit=2&count=true&isActive=true')
  expect(body).toMatchObject({ count: 6, hasMore: true })
  expect((await as(admin).get('/tags?limit=2')).body.count).toBeUndefined()
})

test.each([
  'sort=name;drop table tags',
  'sort=tenantId',
  'direction=sideways',
  'pageNumber=0',
  'pageNumber=x',
  'limit=100000',
  'cursor=x',
  `cursor=${Buffer.from('["a",1]').toString('base64url')}`,
  `cursor=${Buffer.from('[{"$gt":""},"a"]').toString('base64url')}`,
])('a list refuses %s', async (query) => {
  const { admin } = await seedTenant()
  expect((await as(admin).get(`/tags?${query}`)).status).toBe(422)
})

test('what looks like SQL is only text', async () => {
  const { admin } = await seedTenant()
  const name = `x'); select pg_sleep(5);--`
  await as(admin).post('/tags', { name, color: '#112233' })
  const before = Date.now()
  expect(names(await as(admin).get(`/tags?searchParam=${encodeURIComponent(name)}`))).toEqual([name])
  expect(Date.now() - before).toBeLessThan(2_000)
})

test('bulk delete says which rows went and why the others stayed', async () => {
  const tenant = await seedTenant()
  const [free, used] = await Promise.all(
    ['Livre', 'Usada'].map(async (name) => (await as(tenant.admin).post('/tags', { name, color: '#112233' })).body.id),
  )
  const contactId = await createContact(tenant)
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.insert(schema.contactTags).values({ tenantId: tenant.tenantId, contactId, tagId: used }),
  )
  const gone = contactId

  const { status, body } = await as(tenant.admin).post('/tags/bulk-delete', { ids: [free, used, gone, free] })

  expect(status).toBe(200)
  expect(body).toEqual({
    deleted: [free],
    refused: [
      { id: used, error: 'ERR_TAG_CONTACTS_EXISTS' },
      { id: gone, error: 'ERR_NOT_FOUND' },
    ],
  })
  expect(await as(tenant.admin).delete(`/tags/${used}`)).toMatchObject({
    status: 409,
    body: {
      error: 'ERR_TAG_CONTACTS_EXISTS',
      message: 'Esta etiqueta está em 1 contato. Desative-a ou tire-a antes.',
    },
  })
  expect(names(await as(tenant.admin).get('/tags'))).toEqual(['Usada'])
})

test('the export opens in Excel and runs nothing', async () => {
  const { admin } = await seedTenant()
  for (const name of ['=1+1', '@SUM(A1)', '-2', '+3', 'Com "aspas"; e ponto'])
    await as(admin).post('/tags', { name, color: '#112233' })
  const reply = await app.inject({ url: '/api/tags/export.csv', headers: { authorization: `Bearer ${admin.token}` } })
  expect(reply.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="tags.csv"',
  })
  const lines = reply.body.split('\r\n')
  expect(lines[0]).toBe('\uFEFFNome;Cor;Grupo;Ativa;Criada em')
  expect(lines.slice(1, -1).map((line) => line.split(';#')[0])).toEqual([
    "'+3",
    "'-2",
    "'=1+1",
    "'@SUM(A1)",
    '"Com ""aspas""; e ponto"',
  ])
})

test('a queue keeps its members and takes none from another company', async () => {
  const [a, b] = [await seedTenant(), await seedTenant()]
  const { body: queue } = await as(a.admin).post('/queue', {
    name: 'Vendas',
    color: '#112233',
    memberIds: [a.agent.id, a.agent.id],
  })
  expect(queue.memberIds).toEqual([a.agent.id])

  expect((await as(a.admin).put(`/queue/${queue.id}`, { name: 'Vendas 2' })).body.memberIds).toEqual([a.agent.id])
  const stranger = await as(a.admin).put(`/queue/${queue.id}`, { memberIds: [b.agent.id] })
  expect(stranger).toMatchObject({ status: 422, body: { details: [{ path: 'memberIds' }] } })
  expect((await as(a.admin).get(`/queue/${queue.id}`)).body).toMatchObject({ memberIds: [a.agent.id], version: 2 })
  const later = await as(a.admin).put(`/queue/${queue.id}`, { memberIds: [a.supervisor.id, a.admin.id] })
  expect(later.body.memberIds.sort()).toEqual([a.supervisor.id, a.admin.id].sort())
})

test('a queue with tickets stays', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Livre'] })
  await createTicket(tenant, { queue: 'Vendas' })
  await createTicket(tenant, { queue: 'Vendas' })
  expect(await as(tenant.admin).delete(`/queue/${tenant.queues.Vendas}`)).toMatchObject({
    status: 409,
    body: { error: 'ERR_QUEUE_TICKET_EXISTS', message: 'Esta fila tem 2 conversas. Desative-a ou mude isso antes.' },
  })
  expect((await as(tenant.admin).delete(`/queue/${tenant.queues.Livre}`)).status).toBe(204)
})

test('the directory of the company forgets a changed queue at once', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'], agentIn: [] })
  await as(tenant.agent).get('/fastreply')
  await as(tenant.admin).post('/fastreply', {
    key: 'oi',
    message: 'Olá',
    scope: 'queue',
    queueId: tenant.queues.Vendas,
  })
  expect((await as(tenant.agent).get('/fastreply')).body.items).toEqual([])
  await as(tenant.admin).put(`/queue/${tenant.queues.Vendas}`, { memberIds: [tenant.agent.id] })
  expect((await as(tenant.agent).get('/fastreply')).body.items).toHaveLength(1)
})

test('quick messages are mine, my queues’ or everyone’s, and events reach just those', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const colleague = await createUser(tenant.tenantId, { queueIds: [tenant.queues.Suporte ?? ''] })
  const add = async (user: typeof colleague, key: string, more: object) =>
    (await as(user).post('/fastreply', { key, message: 'Olá!', ...more })).body.id
  const mine = await add(tenant.agent, 'minha', {})
  const theirs = await add(colleague, 'dele', {})
  const inQueue = await add(tenant.admin, 'fila', { scope: 'queue', queueId: tenant.queues.Vendas })
  const forAll = await add(tenant.admin, 'todos', { scope: 'everyone' })

  const seenBy = async (user: typeof colleague) =>
    (await as(user).get('/fastreply')).body.items.map((item: { id: string }) => item.id).sort()
  expect(await seenBy(tenant.agent)).toEqual([mine, inQueue, forAll].sort())
  expect(await seenBy(colleague)).toEqual([theirs, forAll].sort())
  expect(await seenBy(tenant.admin)).toEqual([inQueue, forAll].sort())
  expect((await as(tenant.agent).get(`/fastreply/${theirs}`)).status).toBe(404)
  expect((await as(tenant.agent).put(`/fastreply/${theirs}`, { message: 'x' })).status).toBe(404)

  expect((await written(tenant.tenantId)).events).toEqual([
    ['quickMessage.created', { kind: 'user', userId: tenant.agent.id }],
    ['quickMessage.created', { kind: 'user', userId: colleague.id }],
    ['quickMessage.created', { kind: 'queue', queueId: tenant.queues.Vendas }],
    ['quickMessage.created', { kind: 'permission', can: 'quick-messages.read' }],
  ])
})

test('a plain user writes only quick messages of their own; who loses sight of one is told', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  expect(await as(tenant.agent).post('/fastreply', { key: 'a', message: 'x', scope: 'everyone' })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'scope' }] },
  })
  const { body: shared } = await as(tenant.supervisor).post('/fastreply', { key: 'b', message: 'x', scope: 'everyone' })
  expect(await as(tenant.agent).put(`/fastreply/${shared.id}`, { message: 'y' })).toMatchObject({ status: 403 })
  expect(await as(tenant.agent).delete(`/fastreply/${shared.id}`)).toMatchObject({ status: 403 })
  expect(await as(tenant.agent).post('/fastreply/bulk-delete', { ids: [shared.id] })).toMatchObject({
    body: { deleted: [], refused: [{ error: 'ERR_NO_PERMISSION' }] },
  })
  expect(await as(tenant.admin).post('/fastreply', { key: 'c', message: 'x', scope: 'queue' })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'queueId' }] },
  })
  expect(await as(tenant.admin).post('/fastreply', { key: 'c', message: '' })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'message' }] },
  })

  await as(tenant.admin).put(`/fastreply/${shared.id}`, { scope: 'queue', queueId: tenant.queues.Vendas })
  expect((await written(tenant.tenantId)).events.slice(1)).toEqual([
    ['quickMessage.deleted', { kind: 'permission', can: 'quick-messages.read' }],
    ['quickMessage.updated', { kind: 'queue', queueId: tenant.queues.Vendas }],
  ])
})

test('a quick message carries a file its author sent up, and no other’s', async () => {
  const [a, b] = [await seedTenant(), await seedTenant()]
  const { storeFile } = await import('../features/core/media/media.service.ts')
  const store = (user: typeof a.agent) =>
    storeFile({ tenantId: user.tenantId, userId: user.id, bytes: Buffer.from('oi'), name: 'tabela.txt' })
  const [own, ofColleague, ofStranger] = [await store(a.agent), await store(a.admin), await store(b.agent)]

  const { body } = await as(a.agent).post('/fastreply', { key: 'tabela', message: '', mediaId: own.id })
  expect(body.media).toMatchObject({ id: own.id, name: 'tabela.txt', mime: 'text/plain' })
  for (const file of [ofColleague, ofStranger]) {
    expect(await as(a.agent).put(`/fastreply/${body.id}`, { mediaId: file.id })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'mediaId' }] },
    })
  }
  expect(
    await as(a.admin).post('/fastreply', { key: 'k', message: 'x', scope: 'queue', queueId: own.id }),
  ).toMatchObject({ status: 422, body: { details: [{ path: 'queueId' }] } })
  expect(await as(a.agent).post('/fastreply', { key: 'TABELA', message: 'x' })).toMatchObject({
    status: 409,
    body: {
      error: 'ERR_DUPLICATED',
      message: 'Já existe uma mensagem rápida com este atalho.',
      details: [{ path: 'key' }],
    },
  })
  expect((await as(a.agent).put(`/fastreply/${body.id}`, { key: 'tabela2', mediaId: own.id })).body.media.id).toBe(
    own.id,
  )
})
