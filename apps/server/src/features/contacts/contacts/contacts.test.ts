import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { app, as, seedTenant, createUser, createTicket, createContact, schema, withTenant, statementCount } =
  await startTestApp()
const { resolveContact } = await import('./identify.ts')

type Tenant = Awaited<ReturnType<typeof seedTenant>>
const names = (reply: { body: { items: { name: string }[] } }) => reply.body.items.map((item) => item.name)
const resolve = (tenant: Tenant, sighting: Parameters<typeof resolveContact>[1]) =>
  withTenant(tenant.tenantId, (tx) => resolveContact(tx, sighting))
const eventsOf = (tenant: Tenant) =>
  withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.outbox).orderBy(schema.outbox.seq))
const seedTag = async (tenant: Tenant, name: string) =>
  (await as(tenant.admin).post('/tags', { name, color: '#112233' })).body.id as string

test('a contact is created, changed in part and deleted, and every phone form is one person', async () => {
  const tenant = await seedTenant()
  const tagId = await seedTag(tenant, 'VIP')
  const created = await as(tenant.agent).post('/contacts', {
    name: 'Maria Conceição',
    number: '(31) 8765-4321',
    email: 'MARIA@exemplo.com',
    tagIds: [tagId],
    walletIds: [tenant.agent.id],
    extraInfo: [{ name: 'CPF', value: '1' }],
  })
  expect(created).toMatchObject({
    status: 201,
    body: {
      name: 'Maria Conceição',
      number: '5531987654321',
      email: 'maria@exemplo.com',
      version: 1,
      tags: [{ id: tagId, name: 'VIP' }],
      wallets: [{ id: tenant.agent.id, name: 'Ana Souza' }],
      identities: [{ kind: 'phone', value: '5531987654321' }],
      lastMessageAt: null,
    },
  })
  const { id } = created.body

  const twin = await as(tenant.agent).post('/contacts', { name: 'Outra', number: '+55 31 98765 4321' })
  expect(twin).toMatchObject({ status: 409, body: { error: 'ERR_DUPLICATED_CONTACT', details: { contactId: id } } })
  expect(await as(tenant.agent).post('/contacts', { name: 'X', number: '123' })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'number' }] },
  })
  expect(names(await as(tenant.agent).get('/contactsNumber/553187654321'))).toEqual(['Maria Conceição'])
  expect(names(await as(tenant.agent).get('/contactsNumber/nada'))).toEqual([])

  const changed = await as(tenant.agent).put(`/contacts/${id}`, { notes: 'liga à tarde', number: '5531987654321' })
  expect(changed.body).toMatchObject({
    name: 'Maria Conceição',
    number: '5531987654321',
    notes: 'liga à tarde',
    version: 2,
    tags: [{ id: tagId }],
  })
  expect((await as(tenant.agent).put(`/contacts/${id}`, { number: '11 3265-4321' })).body.identities).toEqual([
    { kind: 'phone', value: '551132654321' },
  ])
  expect(names(await as(tenant.agent).get('/contactsNumber/5531987654321'))).toEqual([])
  expect((await as(tenant.agent).put(`/contacts/${id}`, { number: null })).body).toMatchObject({
    number: null,
    identities: [],
  })

  expect(await as(tenant.agent).put(`/contacts/${id}`, { name: 'Maria C.', version: 1 })).toMatchObject({
    status: 409,
    body: { error: 'ERR_CONFLICT', details: { changed: ['name'], current: { version: 4 } } },
  })
  expect((await as(tenant.agent).delete(`/contacts/${id}`)).status).toBe(403)
  expect((await as(tenant.admin).delete(`/contacts/${id}`)).status).toBe(204)
  expect(await as(tenant.admin).get(`/contacts/${id}`)).toMatchObject({
    status: 404,
    body: { error: 'ERR_NO_CONTACT_FOUND' },
  })
  expect((await eventsOf(tenant)).map((event) => event.name)).toEqual([
    'tag.created',
    ...Array(4).fill('contact.updated'),
    'contact.deleted',
  ])
})

test('a foreign number that looks Brazilian without its plus survives an edit of something else', async () => {
  const tenant = await seedTenant()
  const { body } = await as(tenant.agent).post('/contacts', { name: 'Søren', number: '+45 32 65 43 21' })
  expect(body.number).toBe('4532654321')
  expect((await as(tenant.agent).put(`/contacts/${body.id}`, { ...body, name: 'Søren K.' })).body).toMatchObject({
    name: 'Søren K.',
    number: '4532654321',
  })
})

test('a contact with tickets stays', async () => {
  const tenant = await seedTenant()
  const contactId = await createContact(tenant)
  await createTicket(tenant, { contactId, status: 'closed' })
  expect(await as(tenant.admin).delete(`/contacts/${contactId}`)).toMatchObject({
    status: 409,
    body: { error: 'ERR_CONTACT_TICKETS_REGISTERED' },
  })
})

test('tags and wallets are replaced as a set, and take nothing of another company', async () => {
  const [a, b] = [await seedTenant(), await seedTenant()]
  const contactId = await createContact(a)
  const [own, strange] = [await seedTag(a, 'A'), await seedTag(b, 'B')]
  expect((await as(a.agent).put(`/contact-tags/${contactId}`, { tags: [own, own] })).body.tags).toEqual([
    { id: own, name: 'A', color: '#112233' },
  ])
  expect(await as(a.agent).put(`/contact-tags/${contactId}`, { tags: [strange] })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'tagIds' }] },
  })
  expect(await as(a.agent).put(`/contact-wallet/${contactId}`, { wallets: [b.agent.id] })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'walletIds' }] },
  })
  expect((await as(a.agent).put(`/contact-wallet/${contactId}`, { wallets: [a.agent.id] })).body).toMatchObject({
    tags: [{ id: own }],
    wallets: [{ id: a.agent.id }],
  })
  expect((await as(a.agent).put(`/contact-tags/${contactId}`, { tags: [] })).body).toMatchObject({
    tags: [],
    wallets: [{ id: a.agent.id }],
  })
})

test('the list is searched, filtered, ordered and paged by key in few statements', async () => {
  const tenant = await seedTenant()
  const tagId = await seedTag(tenant, 'VIP')
  const people: [string, string][] = [
    ['Águida Reis', '5511987650001'],
    ['ana maria', '5511987650002'],
    ['Bruno 100%', '5511987650003'],
    ['Zé Antônio', '5521998760004'],
    ['Antonia Lima', '4532654321'],
  ]
  for (const [n, [name, number]] of people.entries()) {
    const id = await createContact(tenant, { name, number })
    if (n % 2) await as(tenant.agent).put(`/contact-tags/${id}`, { tags: [tagId] })
    if (n < 2)
      await withTenant(tenant.tenantId, (tx) =>
        tx.db
          .update(schema.contactActivity)
          .set({ lastMessageAt: new Date(Date.UTC(2026, 1, n + 1)) })
          .where(eq(schema.contactActivity.contactId, id)),
      )
  }
  const list = (query: string) => as(tenant.agent).get(`/contacts?${query}`)

  expect(names(await list(''))).toEqual(['Águida Reis', 'ana maria', 'Antonia Lima', 'Bruno 100%', 'Zé Antônio'])
  expect(names(await list('searchParam=ANTONI'))).toEqual(['Antonia Lima', 'Zé Antônio'])
  expect(names(await list('searchParam=an'))).toEqual(['ana maria', 'Antonia Lima'])
  expect(names(await list(`searchParam=${encodeURIComponent('100%')}`))).toEqual(['Bruno 100%'])
  expect(names(await list(`searchParam=${encodeURIComponent('(21) 99876-0004')}`))).toEqual(['Zé Antônio'])
  expect(names(await list(`tagIds=${tagId}`))).toEqual(['ana maria', 'Zé Antônio'])
  expect(names(await list(`tagIds=${tagId}&searchParam=anto&sort=createdAt`))).toEqual(['Zé Antônio'])
  expect(names(await list(`walletIds=${tenant.agent.id}`))).toEqual([])
  expect(names(await list('sort=lastMessageAt&direction=desc')).slice(0, 2)).toEqual(['ana maria', 'Águida Reis'])
  expect((await list(`searchParam=${encodeURIComponent(`x'); drop table contacts;--`)}`)).body.items).toEqual([])
  expect((await list('searchParam=%00')).status).toBe(200)
  expect((await list('cursor=WzFd')).status).toBe(422)

  for (const order of [
    'sort=name',
    'sort=name&direction=desc',
    'sort=createdAt&direction=desc',
    'sort=lastMessageAt',
    'sort=lastMessageAt&direction=desc',
    'searchParam=5511&sort=name',
  ]) {
    const whole = names(await list(order))
    const byKey: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await list(`${order}&limit=2${cursor && `&cursor=${cursor}`}`)
      byKey.push(...names({ body }))
      cursor = body.nextCursor
    }
    expect(byKey).toEqual(whole)
    expect([...names(await list(`${order}&limit=2`)), ...names(await list(`${order}&limit=2&pageNumber=2`))]).toEqual(
      whole.slice(0, 4),
    )
  }

  const before = statementCount()
  expect((await list('limit=4&count=true&searchParam=an')).body).toMatchObject({ count: 2, hasMore: false })
  expect(statementCount() - before).toBeLessThanOrEqual(5)
})

test('a number is found as typed, zeros and all, and without those that are dialled before the area', async () => {
  const tenant = await seedTenant()
  for (const number of ['5511980007919', '5511987007919', '5511987919444'])
    await createContact(tenant, { name: `Pessoa ${number}`, number })
  const found = async (words: string) =>
    names(await as(tenant.agent).get(`/contacts?searchParam=${encodeURIComponent(words)}`)).map((name) => name.slice(7))

  expect(await found('000-7919')).toEqual(['5511980007919'])
  expect(await found('000-79194')).toEqual(['5511987919444']) // nobody's so: the digits anywhere
  expect(await found('(011) 98791-9444')).toEqual(['5511987919444'])
  expect(await found('0 11 98000 7919')).toEqual(['5511980007919'])
  expect(await found('0000079')).toEqual([])
  expect(await found('0007')).toEqual([])
})

test('a name is found where a word of it begins, page by page in the order asked for, and follows its contact', async () => {
  const tenant = await seedTenant()
  const list = (query: string) => as(tenant.agent).get(`/contacts?${query}`)
  const people = ['Carla Souza', 'Ana Souza', 'Bia Souzandrade Souza', "Davi d'Ávila", 'Eva Reis', 'Mariana Reis']
  const ids = new Map<string, string>()
  for (const [n, name] of people.entries())
    ids.set(name, await createContact(tenant, { name, number: `551198765010${n}` }))
  const idOf = (name: string) => ids.get(name) ?? ''
  const inOrder = ['Ana Souza', 'Bia Souzandrade Souza', 'Carla Souza']

  for (const order of ['sort=name', 'sort=createdAt', 'sort=lastMessageAt']) {
    expect(new Set(names(await list(`${order}&searchParam=SOUZA&count=true`)))).toEqual(new Set(inOrder))
  }
  const down: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await list(`searchParam=souz&direction=desc&limit=1${cursor && `&cursor=${cursor}`}`)
    down.push(...names({ body }))
    cursor = body.nextCursor
  }
  expect(down).toEqual(inOrder.toReversed())
  expect(names(await list('searchParam=souza&limit=2&pageNumber=2'))).toEqual(['Carla Souza'])
  expect((await list('searchParam=souza&count=true')).body.count).toBe(3)
  expect(names(await list(`searchParam=${encodeURIComponent("d'avila")}`))).toEqual(["Davi d'Ávila"])
  expect(names(await list(`searchParam=${encodeURIComponent('eva re')}`))).toEqual(['Eva Reis'])
  // Nobody is called so from the beginning of a word: then anywhere in it.
  expect(names(await list('searchParam=ouza'))).toEqual(inOrder)
  expect(names(await list('searchParam=iana'))).toEqual(['Mariana Reis'])

  await as(tenant.agent).put(`/contacts/${idOf('Ana Souza')}`, { name: 'Ana Lopes' })
  expect(names(await list('searchParam=souza'))).toEqual(['Bia Souzandrade Souza', 'Carla Souza'])
  expect(names(await list('searchParam=lopes'))).toEqual(['Ana Lopes'])
  const hide = `update contacts set merged_into_id = $3, number = null where tenant_id = $1 and id = $2`
  await withTenant(tenant.tenantId, (tx) =>
    tx.rows({ name: '', text: hide }, [tenant.tenantId, idOf('Carla Souza'), idOf('Eva Reis')]),
  )
  expect(names(await list('searchParam=souza'))).toEqual(['Bia Souzandrade Souza'])
})

test('seven digits find whose number ends so or begins so where people begin to say it; else anybody who has them', async () => {
  const tenant = await seedTenant()
  const found = async (digits: string) =>
    names(await as(tenant.agent).get(`/contacts?searchParam=${encodeURIComponent(digits)}`))
  await createContact(tenant, { name: 'Ana', number: '5511987650123' })
  await createContact(tenant, { name: 'Bia', number: '551132650123' })
  await createContact(tenant, { name: 'Caio', number: '15557654321' })
  await createContact(tenant, { name: 'Nota 7650123 e 7777777' })

  for (const said of [
    '7650123',
    '87650123',
    '987650123',
    '9876501',
    '8765012',
    '1198765',
    '(11) 98765-01',
    '+55 11 9876',
  ])
    expect([said, await found(said)]).toEqual([said, ['Ana']])
  for (const said of ['3265012', '1132650', '551132650123']) expect([said, await found(said)]).toEqual([said, ['Bia']])
  expect(await found('1555765')).toEqual(['Caio'])
  // Nobody’s number where people begin to say it: wherever it stands.
  expect(await found('19876501')).toEqual(['Ana'])
  expect(await found('7777777')).toEqual(['Nota 7650123 e 7777777'])
  // Fewer are too few to be a number: whoever has them.
  expect(await found('650123')).toEqual(['Ana', 'Bia', 'Nota 7650123 e 7777777'])
})

test('where wallets close contacts, others see only what nobody owns, in lists, reads, exports and events', async () => {
  const tenant = await seedTenant({ settings: { DirectTicketsToWallets: true } })
  const colleague = await createUser(tenant.tenantId, { name: 'Diego' })
  const mine = await createContact(tenant, { name: 'Minha', number: '5511987650001', walletIds: [tenant.agent.id] })
  const theirs = await createContact(tenant, { name: 'Dele', number: '5511987650002', walletIds: [colleague.id] })
  await createContact(tenant, { name: 'Livre' })

  expect(names(await as(tenant.agent).get('/contacts'))).toEqual(['Livre', 'Minha'])
  expect(names(await as(tenant.agent).get('/contacts?searchParam=5511&count=true'))).toEqual(['Minha'])
  expect(names(await as(tenant.admin).get('/contacts'))).toEqual(['Dele', 'Livre', 'Minha'])
  expect((await as(tenant.agent).get(`/contacts/${theirs}`)).status).toBe(404)
  expect((await as(tenant.agent).put(`/contacts/${theirs}`, { name: 'x' })).status).toBe(404)
  expect((await as(tenant.agent).put(`/contact-wallet/${theirs}`, { wallets: [] })).status).toBe(404)
  expect(names(await as(tenant.agent).get('/contactsNumber/5511987650002'))).toEqual([])
  expect((await as(tenant.supervisor).get('/contacts/export.csv')).body).not.toContain('Dele')

  await as(tenant.agent).put(`/contacts/${mine}`, { notes: 'x' })
  expect((await eventsOf(tenant)).map((event) => event.audience)).toEqual([
    { kind: 'permission', can: 'contacts.delete' },
    { kind: 'user', userId: tenant.agent.id },
  ])
})

test('who takes all contacts away may do so and leaves a trace', async () => {
  const tenant = await seedTenant()
  await createContact(tenant, { name: 'Ana' })
  expect((await as(tenant.agent).get('/contacts/export.csv')).status).toBe(403)
  expect((await as(tenant.supervisor).get('/contacts/export.csv?searchParam=an')).status).toBe(200)
  const trail = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.audit))
  expect(trail.filter((one) => one.action === 'contact.exported')).toMatchObject([
    { userId: tenant.supervisor.id, entityId: 'all', after: { isFiltered: true } },
  ])
})

test('the export holds every page and runs nothing', async () => {
  const tenant = await seedTenant()
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .insert(schema.contacts)
      .values(Array.from({ length: 1_203 }, (_, n) => ({ tenantId: tenant.tenantId, id: v7(), name: `=cmd|${n}` }))),
  )
  const reply = await app.inject({
    url: '/api/contacts/export.csv',
    headers: { authorization: `Bearer ${tenant.admin.token}` },
  })
  const lines = reply.body.trimEnd().split('\r\n')
  expect(lines[0]).toBe(
    '\uFEFFNome;Telefone;E-mail;Empresa;CPF ou CNPJ;Endereço;Etiquetas;Carteira;Aniversário;Observações;Outros campos;Última mensagem;Criado em',
  )
  expect(new Set(lines.slice(1)).size).toBe(1_203)
  expect(lines.slice(1).every((line) => line.startsWith("'=cmd|"))).toBe(true)
})

test('the export reads as people write: numbers, days, hours of the company, its own fields', async () => {
  const tenant = await seedTenant()
  await as(tenant.admin).post('/contactFields', { name: 'Cliente desde', key: 'desde', type: 'date' })
  await as(tenant.admin).post('/contactFields', { name: 'Plano', key: 'plano', type: 'text' })
  const body = {
    name: 'Íris Sá',
    number: '5511987650003',
    birthdayDate: '1990-02-01',
    extraInfo: [
      { name: 'desde', value: '2024-05-31' },
      { name: 'plano', value: 'Ouro' },
      { name: 'origem', value: 'feira' },
    ],
  }
  const made = await as(tenant.admin).post('/contacts', body)
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(schema.contacts)
      .set({ createdAt: new Date('2026-11-18T01:05:00Z') })
      .where(eq(schema.contacts.id, made.body.id)),
  )
  await as(tenant.admin).post('/contacts', { name: 'Zoé', number: '+351 912 345 678' })
  const csv = (await as(tenant.admin).get('/contacts/export.csv')).body
  expect(csv.split('\r\n').slice(0, 3)).toEqual([
    '\uFEFFNome;Telefone;E-mail;Empresa;CPF ou CNPJ;Endereço;Etiquetas;Carteira;Aniversário;Observações;Cliente desde;Plano;Outros campos;Última mensagem;Criado em',
    'Íris Sá;(11) 98765-0003;;;;;;;01/02/1990;;31/05/2024;Ouro;origem: feira;;17/11/2026 22:05',
    expect.stringMatching(/^Zoé;351 912 345 678;/),
  ])
})

test('twenty webhooks meet a new person at one instant: one contact', async () => {
  const tenant = await seedTenant()
  const forms = ['5531987654321', '553187654321']
  const found = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      resolve(tenant, {
        identities: [
          { kind: 'bsuid', value: 'BR.1' },
          { kind: 'phone', value: forms[n % 2] ?? '' },
        ],
        name: 'Rui',
      }),
    ),
  )
  expect(new Set(found.map((one) => one.contactId)).size).toBe(1)
  expect(found.filter((one) => one.isNew)).toHaveLength(1)
  expect(await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.contacts))).toMatchObject([
    { name: 'Rui', number: '5531987654321' },
  ])
  expect(await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.contactIdentities))).toHaveLength(2)

  const strangers = await Promise.all(
    Array.from({ length: 10 }, () => resolve(tenant, { identities: [{ kind: 'webchat', value: 'v1' }] })),
  )
  expect(new Set(strangers.map((one) => one.contactId)).size).toBe(1)
})

test('two people save the same number at one instant: one contact, and the other is told whose it is', async () => {
  const tenant = await seedTenant()
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, n) => as(tenant.agent).post('/contacts', { name: `C${n}`, number: '11 98765-4321' })),
  )
  const [winner] = replies.filter((reply) => reply.status === 201)
  const losers = replies.filter((reply) => reply.status !== 201)
  expect(losers).toHaveLength(5)
  for (const loser of losers)
    expect(loser).toMatchObject({
      status: 409,
      body: { error: 'ERR_DUPLICATED_CONTACT', details: { contactId: winner?.body.id } },
    })
})

test('a known person gains identities and a number; what a person typed is never overwritten', async () => {
  const tenant = await seedTenant()
  const typed = (await as(tenant.agent).post('/contacts', { name: 'Dona Maria', number: '31 98765-4321' })).body.id
  const seen = await resolve(tenant, {
    identities: [
      { kind: 'lid', value: '77' },
      { kind: 'phone', value: '553187654321' },
    ],
    name: 'Maria ❤',
  })
  expect(seen).toEqual({ contactId: typed, isNew: false, name: 'Dona Maria' })
  expect((await resolve(tenant, { identities: [{ kind: 'lid', value: '77' }] })).contactId).toBe(typed)

  const visitor = await resolve(tenant, { identities: [{ kind: 'webchat', value: 'v9' }], name: 'Visitante AB12' })
  expect(visitor).toMatchObject({ isNew: true, name: 'Visitante AB12' })
  expect(
    await resolve(tenant, {
      identities: [
        { kind: 'webchat', value: 'v9' },
        { kind: 'phone', value: '5511912345678' },
      ],
      name: 'Caio',
    }),
  ).toMatchObject({ contactId: visitor.contactId, name: 'Caio' })
  expect(
    await resolve(tenant, { identities: [{ kind: 'webchat', value: 'v9' }], name: 'Visitante AB12' }),
  ).toMatchObject({ name: 'Caio' })
  expect((await as(tenant.agent).get(`/contacts/${visitor.contactId}`)).body).toMatchObject({
    number: '5511912345678',
    version: 2,
  })

  const nameless = await resolve(tenant, { identities: [{ kind: 'phone', value: '5511987650009' }], name: '\u0000 ' })
  expect(nameless.name).toBe('+55 11 98765-0009')
})

test('a company may keep push names out', async () => {
  const tenant = await seedTenant({ settings: { atualizarNomes: false } })
  const identities = [{ kind: 'phone' as const, value: '5511987654321' }]
  await resolve(tenant, { identities })
  expect(await resolve(tenant, { identities, name: 'Rui' })).toMatchObject({ isNew: false, name: '+55 11 98765-4321' })
})

test('the same identity in two companies is two people', async () => {
  const [a, b] = [await seedTenant(), await seedTenant()]
  const identities = [{ kind: 'phone' as const, value: '5511987654321' }]
  const [one, two] = [await resolve(a, { identities, name: 'A' }), await resolve(b, { identities, name: 'B' })]
  expect(one.contactId).not.toBe(two.contactId)
  expect(await resolve(a, { identities })).toMatchObject({ contactId: one.contactId, name: 'A' })
})

test('a contact has a company, a document, an address and other phones', async () => {
  const tenant = await seedTenant()
  const made = await as(tenant.agent).post('/contacts', {
    name: 'Maria Conceição da Silva',
    number: '(11) 98765-4321',
    phones: ['(21) 3333-4444', '11 98765-4321'],
    businessName: 'Padaria Pão Quente',
    document: '529.982.247-25',
    address: { cep: '01001-000', street: 'Praça da Sé', number: '12', city: 'São Paulo', state: 'sp' },
  })
  expect(made).toMatchObject({
    status: 201,
    body: {
      firstName: 'Maria',
      lastName: 'Conceição da Silva',
      businessName: 'Padaria Pão Quente',
      document: { kind: 'cpf', masked: '***.982.247-**' },
      address: { cep: '01001000', street: 'Praça da Sé', number: '12', complement: '', state: 'SP' },
      number: '5511987654321',
      identities: [
        { kind: 'phone', value: '5511987654321' },
        { kind: 'phone', value: '552133334444' },
      ],
    },
  })
  const { id } = made.body
  expect(JSON.stringify(made.body)).not.toContain('52998224725')
  const put = (body: object) => as(tenant.agent).put(`/contacts/${id}`, body)
  expect((await put({ document: '***.982.247-**', phones: [] })).body).toMatchObject({
    document: { masked: '***.982.247-**' },
    identities: [{ kind: 'phone', value: '5511987654321' }],
  })
  const cnpj = await put({ document: '12.abc.345/01de-35', address: null })
  expect(cnpj.body).toMatchObject({ document: { kind: 'cnpj', masked: '**.ABC.345/****-**' }, address: null })
  expect((await put({ document: '' })).body).toMatchObject({ document: null })

  const refused = [
    [{ document: '529.982.247-24' }, 'document', 'CPF ou CNPJ inválido.'],
    [{ document: '***.111.111-**' }, 'document', 'Digite o CPF ou CNPJ inteiro.'],
    [{ address: { cep: '0100' } }, 'address.cep', 'Um CEP tem 8 números.'],
    [{ address: { state: 'XX' } }, 'address.state', 'Use a sigla do estado, como SP.'],
    [
      { phones: ['123'] },
      'phones.0',
      'Número inválido. Informe o DDD e, se for de fora do Brasil, o código do país com +.',
    ],
  ] as const
  for (const [body, path, message] of refused)
    expect(await put(body)).toMatchObject({ status: 422, body: { details: [{ path, message }] } })
  await as(tenant.agent).post('/contacts', { name: 'Outro', number: '21 99999-1111' })
  expect(await put({ phones: ['21 99999-1111'] })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'phones.0', message: 'Este telefone é de outro contato.' }] },
  })
})

test('a whole document is read by who may, one at a time, and that is recorded', async () => {
  const tenant = await seedTenant()
  const { body } = await as(tenant.agent).post('/contacts', { name: 'Ana', document: '52998224725' })
  expect((await as(tenant.agent).get(`/contacts/${body.id}/document`)).status).toBe(403)
  expect((await as(tenant.admin).get(`/contacts/${body.id}/document`)).body).toEqual({ document: '52998224725' })
  const { items } = (await as(tenant.admin).get('/audit')).body
  expect(items.map(({ action }: { action: string }) => action)).toContain('contact.documentRead')
  expect(JSON.stringify(items)).not.toContain('52998224725')
  const csv = await as(tenant.admin).get('/contacts/export.csv')
  expect(csv.body).toContain('***.982.247-**')
  expect(csv.body).not.toContain('52998224725')
})

test('who may read documents finds by them, whole or by their beginning, with or without their marks; nobody else does', async () => {
  const tenant = await seedTenant()
  const me = as(tenant.supervisor)
  const maria = await me.post('/contacts', { name: 'Maria', document: '529.982.247-25' })
  await me.post('/contacts', { name: 'Padaria', document: '12.ABC.345/01DE-35' })
  const found = async (who: { token: string }, text: string) =>
    (await as(who).get(`/contacts?searchParam=${encodeURIComponent(text)}&count=true`)).body.items.map(
      (one: { name: string }) => one.name,
    )
  for (const text of ['52998224725', '529.982.247-25', '529982', '529.982']) {
    expect(await found(tenant.supervisor, text)).toEqual(['Maria'])
    expect(await found(tenant.agent, text)).toEqual([])
  }
  expect(await found(tenant.supervisor, '12.abc.345')).toEqual(['Padaria'])
  expect(await found(tenant.supervisor, '529983')).toEqual([])
  // A phone that begins with the same digits is found beside it.
  await me.post('/contacts', { name: 'Ana', number: '+52 998 224 7250' })
  expect((await found(tenant.supervisor, '52998224725')).toSorted()).toEqual(['Ana', 'Maria'])
  expect(maria.body.document).toEqual({ kind: 'cpf', masked: '***.982.247-**' })
})

test('an older caller sends the document as `cpf`', async () => {
  const { admin } = await seedTenant()
  const made = await as(admin).post('/contacts', { name: 'Ana', cpf: '529.982.247-25' })
  expect(made).toMatchObject({ status: 201, body: { document: { kind: 'cpf', masked: '***.982.247-**' } } })
  const changed = await as(admin).put(`/contacts/${made.body.id}`, { cpf: '12.ABC.345/01DE-35' })
  expect(changed.body.document).toEqual({ kind: 'cnpj', masked: '**.ABC.345/****-**' })
  expect((await as(admin).put(`/contacts/${made.body.id}`, { cpf: '111.111.111-11' })).status).toBe(422)
})

test('a name may come as first and last; a part alone leaves the other as it was', async () => {
  const tenant = await seedTenant()
  const me = as(tenant.agent)
  const made = await me.post('/contacts', { firstName: 'Maria', lastName: 'da Silva' })
  expect(made).toMatchObject({
    status: 201,
    body: { name: 'Maria da Silva', firstName: 'Maria', lastName: 'da Silva' },
  })
  const { id } = made.body
  expect((await me.put(`/contacts/${id}`, { lastName: 'Souza' })).body.name).toBe('Maria Souza')
  expect((await me.put(`/contacts/${id}`, { notes: 'x' })).body.name).toBe('Maria Souza')
  expect(await me.post('/contacts', { number: '11987654321' })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'name' }] },
  })
  expect(await me.put(`/contacts/${id}`, { firstName: '', lastName: '' })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'firstName' }] },
  })
})

test('a blocked number is nobody’s contact', async () => {
  const tenant = await seedTenant()
  await as(tenant.supervisor).post('/blockedNumbers', { number: '11 98765-4321' })
  const me = as(tenant.agent)
  for (const [body, path] of [
    [{ name: 'Ana', number: '5511987654321' }, 'number'],
    [{ name: 'Ana', phones: ['11987654321'] }, 'phones.0'],
  ] as const)
    expect(await me.post('/contacts', body)).toMatchObject({ status: 422, body: { details: [{ path }] } })
  const made = await me.post('/contacts', { name: 'Ana' })
  expect((await me.put(`/contacts/${made.body.id}`, { number: '(11) 98765-4321' })).status).toBe(422)
})
